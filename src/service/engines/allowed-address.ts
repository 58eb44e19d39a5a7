import { BlockList, isIP } from 'node:net'
import type { PrivateDestinations } from '../config.ts'

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

/** Returns whether the service may connect to an IP address: to any public one, and to private ones as configured. */
export function isAllowedAddress(address: string, privateAddresses: PrivateDestinations): boolean {
  if (privateAddresses === 'all') return true
  const plain = address.replace(/%.*$/, '')
  const mapped = ipv4After('::ffff:', plain)
  if (mapped) return isAllowedAddress(mapped, privateAddresses)
  // Behind a NAT64 gateway, a loopback address is the gateway's own.
  const translated = ipv4After('64:ff9b::', plain)
  if (translated) return isAllowedAddress(translated, 'none')
  const family = isIP(plain) === 4 ? 'ipv4' : 'ipv6'
  if (loopback.check(plain, family)) return privateAddresses === 'loopback'
  if (family === 'ipv4') return !specialIpv4.check(plain, family)
  return publicIpv6.check(plain, family) && !specialIpv6.check(plain, family)
}

/** Returns whether an IP address is this machine's own, so that nothing lies between. */
export function isThisMachine(address: string): boolean {
  return isAllowedAddress(address, 'loopback') && !isAllowedAddress(address, 'none')
}

/** Returns the IPv4 address in the last 32 bits of an IPv6 one that starts with the prefix, or null. */
function ipv4After(prefix: '::ffff:' | '64:ff9b::', address: string): string | null {
  if (isIP(address) !== 6) return null
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const match = /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(text.replace(prefix, ''))
  if (!text.startsWith(prefix) || !match) return null
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
