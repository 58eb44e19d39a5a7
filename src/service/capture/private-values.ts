import { isIP } from 'node:net'
import {
  defaultPrivacySettings,
  type MaskableText,
  type PrivacySettings,
} from '../../contract/privacy/privacy-settings.ts'
import { EventType, isObject, type RecordedEvent } from '../../replay/recorded/rrweb.ts'

/** What is removed from captured data before anything stores it. */
export type CapturePrivacy = Pick<PrivacySettings, 'ip_addresses' | 'masked_texts'>

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

/** Whether nothing is removed, so that properties need not be copied. */
export function isOpen({ ip_addresses, masked_texts }: CapturePrivacy): boolean {
  return ip_addresses === 'keep' && masked_texts.length === 0
}

/** Returns properties without what the project does not store. Texts that identify the person are masked nowhere. */
export function withoutPrivate(properties: Item, privacy: CapturePrivacy): Item {
  if (isOpen(privacy)) return properties
  const unmasked = { ...privacy, masked_texts: [] }
  const kept = Object.entries(properties).flatMap(([key, value]) =>
    keptEntry(key, value, identities.has(key) ? unmasked : privacy),
  )
  return Object.fromEntries(kept)
}

/**
 * Returns an event of a recording without what the project does not store, in requests and console messages. The page itself
 * stays as the recorder masked it: its texts are split and compressed, and searching them would take longer than storing them.
 */
export function withoutPrivateValues(event: RecordedEvent, privacy: CapturePrivacy): RecordedEvent {
  if (isOpen(privacy) || event.type !== EventType.Plugin) return event
  const data = isObject(event.data) ? withoutPrivate(event.data, privacy) : {}
  return { ...event, data }
}

function keptEntry(key: string, value: unknown, privacy: CapturePrivacy): [string, unknown][] {
  if (privacy.ip_addresses !== 'keep' && namesAddress(key)) {
    const network = privacy.ip_addresses === 'truncate' ? networkOf(value) : null
    return network === null ? [] : [[key, network]]
  }
  return [[key, keptValue(value, privacy)]]
}

function keptValue(value: unknown, privacy: CapturePrivacy): unknown {
  if (typeof value === 'string') return maskText(value, privacy.masked_texts)
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

const masks: Record<MaskableText, (text: string) => string> = {
  email: (text) =>
    text.includes('@') || text.includes('%40')
      ? text.replaceAll(/[\w.+-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '[email]')
      : text,
  card: (text) =>
    text.replaceAll(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, (digits) => (isCard(digits) ? '[card]' : digits)),
}

/** Replaces texts of these kinds, such as e-mail addresses, by their kind in brackets. */
export function maskText(text: string, kinds: readonly MaskableText[]): string {
  return kinds.reduce((masked, kind) => masks[kind](masked), text)
}

/** Whether the last digit is the check digit (Luhn) of a card's number. */
function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = index % 2 === 0 ? Number(digit) : 2 * Number(digit)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0 && !/^0+$/.test(digits)
}
