import { expect, test } from 'vitest'
import { createConnection } from './connection.ts'

function setUp() {
  const environment = { online: true, reachable: false, waits: [] as { ms: number; run: () => void }[] }
  let probes = 0
  const connection = createConnection({
    isOnLine: () => environment.online,
    probe: async () => {
      probes++
      return environment.reachable
    },
    after: (ms, run) => environment.waits.push({ ms, run }),
  })
  const passWait = async () => {
    environment.waits.at(-1)?.run()
    await Promise.resolve()
    await Promise.resolve()
  }
  return { environment, connection, passWait, probes: () => probes }
}

test('distinguishes an unreachable service from a device without a network', () => {
  const { environment, connection } = setUp()
  connection.failed()
  expect(connection.state.get()).toBe('unreachable')
  environment.online = false
  connection.failed()
  expect(connection.state.get()).toBe('offline')
  connection.succeeded()
  expect(connection.state.get()).toBe('up')
})

test('probes the service after increasing waits until it responds', async () => {
  const { environment, connection, passWait } = setUp()
  connection.failed()
  for (let turn = 0; turn < 4; turn++) await passWait()
  expect(environment.waits.map(({ ms }) => ms)).toEqual([2_000, 4_000, 8_000, 15_000, 15_000])
  environment.reachable = true
  await passWait()
  expect(connection.state.get()).toBe('up')
})

test('sends one probe when several requests fail together', async () => {
  const { environment, connection, probes } = setUp()
  for (let request = 0; request < 5; request++) connection.failed()
  for (const { run } of environment.waits) run()
  await Promise.resolve()
  expect(probes()).toBe(1)
})

test('notifies subscribers once per change', () => {
  const { connection } = setUp()
  let changes = 0
  connection.state.subscribe(() => changes++)
  connection.failed()
  connection.failed()
  connection.succeeded()
  connection.succeeded()
  expect(changes).toBe(2)
})
