import { isIP } from 'node:net'
import { maskText } from '../../contract/privacy/mask-text.ts'
import { defaultPrivacySettings, type PrivacySettings } from '../../contract/privacy/privacy-settings.ts'
import { EventType, isObject, type RecordedEvent } from '../../replay/recorded/rrweb.ts'
import { maskRecorded } from '../masking/mask-recorded.ts'
import type { FollowedPage } from '../masking/followed-pages.ts'

/** What is removed from captured data before anything stores it. */
export type CapturePrivacy = Pick<
  PrivacySettings,
  'ip_addresses' | 'masked_texts' | 'masked_patterns' | 'masked_selectors'
>

export const keepsAll: CapturePrivacy = defaultPrivacySettings

type Item = Record<string, unknown>

/** Names of properties and headers with an IP address: `$ip`, `client_ip`, `ipAddress`, `x-forwarded-for`… */
const addressNames = [
  /^\$?(?:(?:\w+-)*\w*(?:[_-]|[a-z](?=I)))?[iI][pP](?:[_-]?[aA]ddr(?:ess)?)?$/,
  /^(?:\$|\w+[_-])?(?:x[_-]forwarded[_-]for|forwarded)$/i,
]
const namesAddress = (name: string) => addressNames.some((pattern) => pattern.test(name))

/** Properties that say whose event it is; a site that sends an e-mail address here means to. */
const identities: ReadonlySet<string> = new Set([
  '$set',
  '$set_once',
  '$unset',
  'distinct_id',
  '$distinct_id',
  '$anon_distinct_id',
  '$user_id',
  'alias',
  'token',
])

/** Whether nothing is removed from properties, so that they need not be copied. */
export function keepsProperties(privacy: CapturePrivacy): boolean {
  return privacy.ip_addresses === 'keep' && !masksTexts(privacy)
}

/** Whether recorded pages are masked, for which they must be unpacked. */
export function masksPages(privacy: CapturePrivacy): boolean {
  return masksTexts(privacy) || privacy.masked_selectors.length > 0
}

/** Whether masking a small request, given as text, can take so long that a thread does it. */
export function masksSlowly(privacy: CapturePrivacy, request: string): boolean {
  return privacy.masked_patterns.length > 0 || (masksPages(privacy) && request.includes('$snapshot'))
}

function masksTexts({ masked_texts, masked_patterns }: CapturePrivacy): boolean {
  return masked_texts.length + masked_patterns.length > 0
}

/** Returns properties without what the project does not store. Texts that identify the person are masked nowhere. */
export function withoutPrivateProperties(properties: Item, privacy: CapturePrivacy): Item {
  if (keepsProperties(privacy)) return properties
  const unmasked = { ...privacy, masked_texts: [], masked_patterns: [] }
  const kept = Object.entries(properties).flatMap(([key, value]) =>
    keptEntry(key, value, identities.has(key) ? unmasked : privacy),
  )
  return Object.fromEntries(kept)
}

/** Returns an event of a recording without what the project does not store. `page` is the one that its window shows, for selectors. */
export function withoutPrivateContent(
  event: RecordedEvent,
  privacy: CapturePrivacy,
  page: FollowedPage | null,
): RecordedEvent {
  if (event.type === EventType.Plugin) {
    if (keepsProperties(privacy)) return event
    return { ...event, data: isObject(event.data) ? withoutPrivateProperties(event.data, privacy) : {} }
  }
  if (!masksPages(privacy)) return event
  return maskRecorded(event, {
    mask: masksTexts(privacy) ? (text) => maskText(text, privacy) : null,
    page,
  })
}

function keptEntry(key: string, value: unknown, privacy: CapturePrivacy): [string, unknown][] {
  if (privacy.ip_addresses !== 'keep' && namesAddress(key)) {
    const network = privacy.ip_addresses === 'truncate' ? networkOf(value) : null
    return network === null ? [] : [[key, network]]
  }
  return [[key, keptValue(value, privacy)]]
}

function keptValue(value: unknown, privacy: CapturePrivacy): unknown {
  if (typeof value === 'string') return maskText(value, privacy)
  if (Array.isArray(value)) return value.map((item) => keptValue(item, privacy))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, part]) => keptEntry(key, part, privacy)))
}

/** Returns the network of an address, /24 of IPv4 or /48 of IPv6; null for anything else. */
export function networkOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const address = value.trim()
  if (isIP(address) === 4) return address.replace(/\d+$/, '0')
  const host = isIP(address) === 6 ? URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) : undefined
  if (host === undefined) return null
  const [before = '', after] = host.split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const [first, last] = [groups(before), groups(after)]
  const all = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
  // An IPv4 address in an IPv6 one.
  const isMapped = all.slice(0, 6).join() === '0,0,0,0,0,ffff'
  const [high = 0, low = 0] = all.slice(6).map((group) => Number.parseInt(group, 16))
  if (isMapped) return `${high >> 8}.${high & 255}.${low >> 8}.0`
  return `${all.slice(0, 3).join(':')}::`.replace(/^(?:0:)*0?::$/, '::').replace(/(?::0)+::$/, '::')
}
