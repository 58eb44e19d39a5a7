import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import type { Config } from '../config.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Everything that is not a public unicast address (IANA special-purpose registries), cloud metadata included. */
const special = new BlockList()
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
  special.addSubnet(address, bits, 'ipv4')

/** Of IPv6 only what is given out is public (2000::/3), without its tunnels into IPv4 and its documentation ranges. */
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
 * Whether a destination may lie at this URL: null, or what is wrong with it. A host that cannot be resolved passes, since
 * nothing can be reached there. To be asked again before each use: what a name stands for changes.
 */
export async function checkEndpoint(
  config: Pick<Config, 'privateDestinations'>,
  url: string,
): Promise<string | null> {
  if (!URL.canParse(url)) return 'The endpoint URL is not a URL: give one like https://s3.example.com.'
  const { protocol, username, password, hostname } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:')
    return 'The endpoint URL must start with https:// or http://.'
  if (username || password)
    return 'The endpoint URL must not hold credentials: they have fields of their own.'
  if (config.privateDestinations === 'all') return null
  const addresses = await addressesOf(hostname)
  const refused = addresses.some((address) => !isAllowed(address, config.privateDestinations === 'loopback'))
  if (!refused) return null
  return `The endpoint ${hostname} is not on the public internet: only with SPOOL_ALLOW_PRIVATE_DESTINATIONS=true may destinations be in a private network.`
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
  if (family === 'ipv4') return !special.check(address, family)
  return publicIpv6.check(address, family) && !specialIpv6.check(address, family)
}

/** The IPv4 address that an IPv6 one stands for (mapped, ::ffff:0:0/96, or translated, 64:ff9b::/96). */
function ipv4Within(address: string): string | null {
  if (isIP(address) !== 6) return null
  const text = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const match = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(text)
  if (!match) return null
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
