import type { z } from 'zod'

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

/** What a text's length has against it, in place of zod's own words, which are no part of the dashboard. */
export function lengthMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'too_small' && issue.origin === 'string') return required
  if (issue.code === 'too_big' && issue.origin === 'string') return `At most ${issue.maximum} characters.`
  return undefined
}
