import { isIP } from 'node:net'

/**
 * Returns the name under which a client's requests are counted: its IPv4 address or its IPv6 network of 64 bits, within which
 * a client can choose any address. A connection that has ended has no address.
 */
export function clientAddress(address: string | undefined = ''): string {
  // Some proxies add the client's port.
  const [plain = ''] = address.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2').split('%')
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain) ?? []
  if (mapped) return mapped
  if (isIP(plain) === 4) return plain
  if (isIP(plain) !== 6) return 'unknown'
  const [head = '', tail = ''] = plain.split('::')
  const left = groups(head)
  const missing = 8 - left.length - groups(tail).length - (tail.includes('.') ? 1 : 0)
  const all = [...left, ...Array.from({ length: missing }, () => '0'), ...groups(tail)]
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
