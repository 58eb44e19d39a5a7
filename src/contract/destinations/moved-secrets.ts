import type { DestinationIssue } from './destination-issues.ts'
import type { DestinationType } from './destination.ts'

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
  if (!sendsElsewhere(type, stored, changed)) return []
  return kept.map((field) => ({
    attr: `destination__config__${field}`,
    code: 'required',
    path: ['destination', 'config', field],
    message: secretRequired,
  }))
}

/** Whether a changed config would send the secrets to another host, port or path than the stored one. */
export function sendsElsewhere(type: DestinationType, stored: Config, changed: Config): boolean {
  return type === 'S3' && addressOf(stored) !== addressOf(changed)
}

/** Amazon's own endpoints; the hosts of its customers' computers have other names. */
const amazonEndpoint = /^https?:\/\/s3[.-][a-z0-9.-]*amazonaws\.com(\.cn)?(:\d+)?$/

/** Returns a text for where requests go: the endpoint, with the bucket if it is part of a host that is not Amazon's. */
function addressOf(config: Config): string {
  const { endpoint_url, region, bucket_name, use_virtual_style_addressing } = config
  const endpoint = comparable(endpoint_url)
  if (endpoint === '')
    return typeof region === 'string' && region.startsWith('cn-') ? 'Amazon China' : 'Amazon'
  const isInHost = use_virtual_style_addressing === true && !amazonEndpoint.test(endpoint)
  return isInHost ? `${endpoint} ${String(bucket_name)}` : endpoint
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
