/** What an empty field says that may not be empty. */
export const required = 'This field is required.'

/** What is wrong, as a field says it of itself: the service names the field too, since its answer stands alone. */
export function fieldMessage(message: string): string {
  if (message === 'This field may not be blank.') return required
  if (/^Configuration (?:missing required field|field may not be blank)/.test(message)) return required
  const [, reason] =
    /^(?:Configuration has invalid value for '\w+'|Invalid HogQL query): (.+)$/s.exec(message) ?? []
  return reason ? reason.charAt(0).toUpperCase() + reason.slice(1) : message
}
