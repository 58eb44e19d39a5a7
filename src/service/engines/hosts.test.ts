import { promisify } from 'node:util'
import type { LookupAddress } from 'node:dns'
import { expect, test, vi } from 'vitest'
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

test('names are looked up eight at a time, each once, and one whose server never answers has no address', async () => {
  vi.useFakeTimers()
  const asked: string[] = []
  const answers = new Map<string, () => void>()
  const hosts = openHosts((name) => {
    asked.push(name)
    return new Promise((resolve) =>
      answers.set(name, () => resolve([{ address: '93.184.216.34', family: 4 }])),
    )
  })
  const names = Array.from({ length: 10 }, (_, index) => `${index}.test`)
  const outcomes = [...names, '0.test'].map((name) =>
    hosts.addressesOf(name).then(String, (error: Error) => error),
  )
  await vi.advanceTimersByTimeAsync(4999)
  expect(asked).toEqual(names.slice(0, 8))
  answers.get('1.test')?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual(names.slice(0, 9))
  await vi.advanceTimersByTimeAsync(1)
  expect(await Promise.all(outcomes)).toEqual(
    [...names, '0.test'].map((name) =>
      name === '1.test' ? '[object Object]' : expect.objectContaining({ code: 'ENOTFOUND', hostname: name }),
    ),
  )
  // Look-ups that never end keep their turns; those that waited too long are not begun.
  const later = hosts.addressesOf('later.test')
  for (const name of names) answers.get(name)?.()
  await vi.advanceTimersByTimeAsync(0)
  answers.get('later.test')?.()
  expect(await later).toHaveLength(1)
  expect(asked).toEqual([...names.slice(0, 9), 'later.test'])
  vi.useRealTimers()
})
