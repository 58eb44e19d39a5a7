import { expect, test } from 'vitest'
import { createConnection } from './connection.ts'

function setUp() {
  const world = { online: true, there: false, waits: [] as { ms: number; act: () => void }[] }
  let probes = 0
  const connection = createConnection({
    isOnLine: () => world.online,
    probe: async () => {
      probes++
      return world.there
    },
    after: (ms, act) => world.waits.push({ ms, act }),
  })
  const passWait = async () => {
    world.waits.at(-1)?.act()
    await Promise.resolve()
    await Promise.resolve()
  }
  return { world, connection, passWait, probes: () => probes }
}

test('a failed request is told from a device without network', () => {
  const { world, connection } = setUp()
  connection.failed()
  expect(connection.state.get()).toBe('unreachable')
  world.online = false
  connection.failed()
  expect(connection.state.get()).toBe('offline')
  connection.answered()
  expect(connection.state.get()).toBe('up')
})

test('the service is asked again after longer and longer waits, until it answers', async () => {
  const { world, connection, passWait } = setUp()
  connection.failed()
  for (let turn = 0; turn < 4; turn++) await passWait()
  expect(world.waits.map(({ ms }) => ms)).toEqual([2_000, 4_000, 8_000, 15_000, 15_000])
  world.there = true
  await passWait()
  expect(connection.state.get()).toBe('up')
})

test('several requests that fail together lead to one question', async () => {
  const { world, connection, probes } = setUp()
  for (let request = 0; request < 5; request++) connection.failed()
  for (const { act } of world.waits) act()
  await Promise.resolve()
  expect(probes()).toBe(1)
})

test('whoever listens hears of every change once', () => {
  const { connection } = setUp()
  let heard = 0
  connection.state.subscribe(() => heard++)
  connection.failed()
  connection.failed()
  connection.answered()
  connection.answered()
  expect(heard).toBe(2)
})
