import type { z } from 'zod'

/** The message of an empty required field. */
export const required = 'This field is required.'

/** Returns the service's message without the field name, for display at the field. */
export function fieldMessage(message: string): string {
  if (message === 'This field may not be blank.') return required
  if (/^Configuration (?:missing required field|field may not be blank)/.test(message)) return required
  const [, reason] =
    /^(?:Configuration has invalid value for '\w+'|Invalid HogQL query): (.+)$/s.exec(message) ?? []
  return reason ? reason.charAt(0).toUpperCase() + reason.slice(1) : message
}

/** Returns the message for a text of the wrong length; zod's messages are not part of the bundle. */
export function lengthMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'too_small' && issue.origin === 'string') return required
  if (issue.code === 'too_big' && issue.origin === 'string') return `At most ${issue.maximum} characters.`
  return undefined
}
