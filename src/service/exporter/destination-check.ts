import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import type { Config } from '../config.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** IPv4 addresses that are not public unicast (IANA special-purpose registries), including cloud metadata. */
const specialIpv4 = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  specialIpv4.addSubnet(address, bits, 'ipv4')

/** Only allocated IPv6 addresses (2000::/3) are public, except tunnels to IPv4 and documentation ranges. */
const publicIpv6 = new BlockList()
publicIpv6.addSubnet('2000::', 3, 'ipv6')
const specialIpv6 = new BlockList()
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  specialIpv6.addSubnet(address, bits, 'ipv6')

/**
 * Checks whether exports may be written to this URL; returns null, or the reason why not. A host that cannot be resolved
 * passes, since nothing can be reached there. Call this before each use: the addresses of a name can change.
 */
export async function checkEndpoint(
  config: Pick<Config, 'privateDestinations'>,
  url: string,
): Promise<string | null> {
  if (!URL.canParse(url)) return 'The endpoint is not a URL: enter one like https://s3.example.com.'
  const { protocol, username, password, hostname } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:')
    return 'The endpoint URL must start with https:// or http://.'
  if (username || password)
    return 'The endpoint URL must not contain credentials: enter them in their own fields.'
  if (config.privateDestinations === 'all') return null
  const addresses = await addressesOf(hostname)
  const refused = addresses.some((address) => !isAllowed(address, config.privateDestinations === 'loopback'))
  if (!refused) return null
  return `The endpoint ${hostname} is not on the public internet: destinations in a private network require SPOOL_ALLOW_PRIVATE_DESTINATIONS=true.`
}

async function addressesOf(hostname: string): Promise<string[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return [host]
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

function isAllowed(address: string, allowsLoopback: boolean): boolean {
  const mapped = ipv4Within(address)
  if (mapped) return isAllowed(mapped, allowsLoopback)
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  if (loopback.check(address, family)) return allowsLoopback
  if (family === 'ipv4') return !specialIpv4.check(address, family)
  return publicIpv6.check(address, family) && !specialIpv6.check(address, family)
}

/** Returns the IPv4 address embedded in an IPv6 one (mapped, ::ffff:0:0/96, or translated, 64:ff9b::/96), or null. */
function ipv4Within(address: string): string | null {
  if (isIP(address) !== 6) return null
  const text = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const match = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(text)
  if (!match) return null
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
