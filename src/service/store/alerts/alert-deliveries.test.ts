import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChannel } from '../../testing/test-alerts.ts'
import { createTestService, type TestService } from '../../testing/test-service.ts'
import { claimDeliveries, storeAttempt, type BusyChannel } from './alert-deliveries.ts'
import { newId } from '../schema/identifier.ts'

let service: TestService
let project: number

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  project = service.own.project_id
})
afterAll(() => service.stop())
beforeEach(async () => {
  await service.services.store.deleteFrom('alert_deliveries').execute()
  await service.services.store.deleteFrom('alert_channels').execute()
})

async function insertMessage(projectId: number, channelId: string): Promise<void> {
  const now = new Date(service.clock.now())
  await service.services.store
    .insertInto('alert_deliveries')
    .values({
      id: newId(now.getTime()),
      project_id: projectId,
      channel_id: channelId,
      channel_name: 'On call',
      channel_type: 'webhook',
      incident_id: null,
      transition_id: null,
      transition: 'test',
      message: '{}',
      status: 'waiting',
      created_at: now,
      next_attempt_at: now,
    })
    .execute()
}

async function claim(busy: readonly BusyChannel[] = []) {
  const now = service.clock.now()
  return await claimDeliveries(service.services.store, { now, claimMs: 60_000, busy, max: 20 })
}

test('the message that has been due for longest is claimed first, and a project takes few places', async () => {
  const many: string[] = []
  for (let index = 0; index < 30; index += 1)
    many.push((await createChannel(service, project, { name: `${index}` })).id)
  const other = await createChannel(service, service.secondProjectId)
  await insertMessage(service.secondProjectId, other.id)
  service.clock.advance(1000)
  for (const id of many) for (let count = 0; count < 2; count += 1) await insertMessage(project, id)
  const claimed = await claim()
  expect(claimed.filter(({ project_id }) => project_id === project)).toHaveLength(5)
  expect(claimed.filter(({ channel_id }) => channel_id === other.id)).toHaveLength(1)
  const busy = claimed.map(({ channel_id, project_id }) => ({
    channelId: channel_id ?? '',
    projectId: project_id,
  }))
  expect(await claim(busy)).toEqual([])
  // A message of the other project is claimed although older ones wait.
  const { id } = await createChannel(service, service.secondProjectId, { name: 'New' })
  await insertMessage(service.secondProjectId, id)
  expect((await claim(busy)).map(({ channel_id }) => channel_id)).toEqual([id])
})

test('a message that is retried goes behind those that became due before it', async () => {
  const channels: string[] = []
  for (const name of ['a', 'b', 'c']) channels.push((await createChannel(service, project, { name })).id)
  const [first = '', second = '', third = ''] = channels
  await insertMessage(project, first)
  const [retried] = await claim()
  service.clock.advance(1000)
  await insertMessage(project, second)
  service.clock.advance(1000)
  const at = new Date(service.clock.now())
  const request = { method: 'POST', url: '', headers: {}, body: '' }
  const attempt = { at: at.toISOString(), duration_ms: 1, request, response: null, error: 'refused' }
  await storeAttempt(service.services.store, retried?.id ?? '', attempt, { status: 'waiting', next: at, at })
  service.clock.advance(1000)
  await insertMessage(project, third)
  const { store } = service.services
  const order: (string | null)[] = []
  for (let count = 0; count < 3; count += 1) {
    const options = { now: service.clock.now(), claimMs: 60_000, busy: [], max: 1 }
    order.push(...(await claimDeliveries(store, options)).map(({ channel_id }) => channel_id))
  }
  expect(order).toEqual([second, first, third])
})
