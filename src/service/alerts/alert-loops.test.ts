import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChannel } from '../testing/test-alerts.ts'
import { startReceiver, type TestReceiver } from '../testing/servers/test-receiver.ts'
import { createTestService, type TestService } from '../testing/test-service.ts'
import { startBackground } from '../start-background.ts'
import { ping } from './alert-loops.ts'

let service: TestService
let receiver: TestReceiver

beforeAll(async () => {
  receiver = await startReceiver()
  service = await createTestService({
    config: { privateDestinations: 'loopback', pingUrl: `${receiver.origin}/alive` },
  })
})
afterAll(async () => {
  receiver.stop()
  await service.stop()
})

test('a process stores its heartbeat, pings the external monitor and sends tests', async () => {
  const { id } = await createChannel(service, service.own.project_id, { url: `${receiver.origin}/hook` })
  await service.request('POST', `/api/projects/@current/alert_channels/${id}/test/`)
  const background = await startBackground(service.services)
  const paths = () => receiver.received.map(({ path }) => path).sort()
  await expect.poll(paths, { timeout: 20_000 }).toEqual(['/alive', '/hook'])
  await background.stop()
  const { at } = await service.services.store
    .selectFrom('worker_heartbeat')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(at.getTime()).toBe(service.clock.now())
})

test('a ping to a private address is refused unless the configuration allows it', async () => {
  const before = receiver.received.length
  const config = { ...service.services.config, privateDestinations: 'none' as const }
  await ping({ ...service.services, config }, new AbortController().signal)
  expect(receiver.received).toHaveLength(before)
})
