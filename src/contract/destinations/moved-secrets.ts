import type { DestinationIssue } from './destination-issues.ts'
import { addressFields, type DestinationType } from './destination.ts'

type Config = Readonly<Record<string, unknown>>

/** Why a secret that is stored must be entered again. */
export const secretRequired =
  'This field is required because the address changes: a stored secret is only used at the address for which it was entered.'

/**
 * Returns an issue for each of the `kept` secrets of a stored destination if a changed config would send them to another
 * address.
 */
export function movedSecretIssues(
  type: DestinationType,
  stored: Config,
  changed: Config,
  kept: readonly string[],
): DestinationIssue[] {
  if (addressFields[type].every((field) => isSameAddress(stored[field], changed[field]))) return []
  return kept.map((field) => ({
    attr: `destination__config__${field}`,
    code: 'required',
    path: ['destination', 'config', field],
    message: secretRequired,
  }))
}

/** Whether two URLs differ at most in the case of the host and a trailing slash; null, undefined and "" are the same. */
export function isSameAddress(one: unknown, other: unknown): boolean {
  return comparable(one) === comparable(other)
}

/** The URL is not parsed, because libraries read odd URLs differently and could find another host in it. */
function comparable(address: unknown): string {
  if (typeof address !== 'string') return ''
  const [, origin = '', path = address] = /^(https?:\/\/[^/\\?#@\s]+)?(.*?)\/?$/is.exec(address) ?? []
  return origin.toLowerCase() + path
}
