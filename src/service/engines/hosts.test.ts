import { promisify } from 'node:util'
import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { openHosts, RefusedHost } from './hosts.ts'

/** Returns hosts whose resolver answers with each of these lists of addresses in turn. */
function hostsWith(...answers: string[][]) {
  const remaining = [...answers]
  return openHosts(async () =>
    (remaining.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  )
}

test('a pinned host keeps the addresses that were checked, until the last pin is released', async () => {
  const hosts = hostsWith(['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1'])
  const addresses = async () => (await hosts.addressesOf('store.test')).map(({ address }) => address)
  const first = await hosts.pin('http://Store.test:9000/a', 'loopback')
  expect(await addresses()).toEqual(['127.0.0.1'])
  const second = await hosts.pin('http://store.test', 'loopback')
  first()
  first()
  expect(await addresses()).toEqual(['127.0.0.2'])
  second()
  await expect(addresses()).rejects.toThrow(RefusedHost)
})

test('a host is refused if any of its addresses is refused', async () => {
  const mixed = hostsWith(['127.0.0.1', '10.0.0.1'])
  await expect(mixed.pin('http://store.test', 'loopback')).rejects.toThrow(RefusedHost)
  const scoped = hostsWith(['fe80::1%1'])
  await expect(scoped.pin('http://store.test', 'loopback')).rejects.toThrow(RefusedHost)
})

test('an unpinned host must be public', async () => {
  const hosts = hostsWith(['127.0.0.1'], ['127.0.0.1'])
  await expect(hosts.addressesOf('store.test')).rejects.toThrow(RefusedHost)
  await expect(hosts.addressesOf('127.0.0.1')).rejects.toThrow(RefusedHost)
  await expect(promisify(hosts.lookup)('store.test', { all: true })).rejects.toThrow(RefusedHost)
})

test('sockets look up the addresses of a pinned host, one or all', async () => {
  const hosts = hostsWith(['127.0.0.1', '::1'])
  const release = await hosts.pin('http://store.test', 'loopback')
  const lookup = (all: boolean) =>
    new Promise((resolve, reject) =>
      hosts.lookup('store.test', { all }, (error, found: string | LookupAddress[], family) =>
        error ? reject(error) : resolve([found, family]),
      ),
    )
  expect(await lookup(false)).toEqual(['127.0.0.1', 4])
  expect(await lookup(true)).toEqual([
    [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ],
    undefined,
  ])
  release()
})

test('an IP address is checked and pinned like a name', async () => {
  const hosts = openHosts(() => Promise.reject(new Error('An address needs no resolver.')))
  await expect(hosts.pin('http://127.0.0.1:9000', 'none')).rejects.toThrow(RefusedHost)
  const release = await hosts.pin('http://[::1]:9000', 'loopback')
  expect(await hosts.addressesOf('::1')).toEqual([{ address: '::1', family: 6 }])
  release()
  await expect(hosts.addressesOf('::1')).rejects.toThrow(RefusedHost)
})
