import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { propertyOperators } from '../../../contract/recordings/recording-filter.ts'
import { listedIds } from '../../testing/recordings/test-recording-list.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { createTestService, type TestService } from '../../testing/test-service.ts'
import { gatherProperties, readGatheredUntil } from './gather-properties.ts'
import { insertEvents } from '../../testing/test-sessions.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const values = [1, 2, 10, 1.5, '1', 'Chrome', 'chrome 2', '', true, null, ['Chrome'], { a: 1 }, "ü%_\\'"]
const keys = ['a', 'b.c', '$browser', '$el_text', '$session_id', 'missing']

async function insertSessions(from: number, to: number): Promise<void> {
  const events = Array.from({ length: (to - from) * 2 }, (_, index) => ({
    session_id: `s${from + Math.floor(index / 2)}`,
    event: index % 2 === 0 ? '$pageview' : 'order placed',
    properties: {
      a: values[(from + index) % values.length],
      'b.c': values[(from + index * 3) % values.length],
      $el_text: values[(from + index * 7) % values.length],
      ...(index % 3 === 0 && { $browser: values[(from + index * 5) % values.length] }),
    },
  }))
  await insertEvents(service, events)
  for (let number = from; number < to; number += 1)
    await insertRecording(service, { session_id: `s${number}`, start_time: new Date(service.clock.now()) })
}

const filters = keys.flatMap((key) =>
  propertyOperators.flatMap((operator) =>
    ['Chrome', 'chr', '1', 1, 2, '', 'true', "ü%_\\'", ['1', 'Chrome']].map((value) => ({
      key,
      operator,
      value: operator.endsWith('regex')
        ? '^[Cc]h'
        : Array.isArray(value) && !operator.startsWith('exact')
          ? 'x'
          : value,
    })),
  ),
)

test('finds the same recordings before, while and after properties are gathered', async () => {
  const listFor = async (filter: object) => [
    ...(await listedIds(service, { properties: [filter], limit: 1000 })),
    ...(await listedIds(service, { events: [{ id: 'order placed', properties: [filter] }], limit: 1000 })),
  ]
  await insertSessions(0, 30)
  const sample = fc.sample(fc.constantFrom(...filters), 40)
  const before = await Promise.all(sample.map(listFor))
  service.clock.advance(60_000)
  while (await gatherProperties(service.services));
  expect(await readGatheredUntil(service.services.store)).toBeGreaterThan(0)
  expect(await Promise.all(sample.map(listFor))).toEqual(before)
  await insertSessions(30, 40)
  const mixed = await Promise.all(sample.map(listFor))
  service.clock.advance(60_000)
  while (await gatherProperties(service.services));
  expect(await Promise.all(sample.map(listFor))).toEqual(mixed)
  expect(mixed.flat().length).toBeGreaterThan(before.flat().length)
})

test('resumes where it stopped and leaves events that have just arrived for later', async () => {
  const count = async () => {
    const [row] = await service.services.warehouse.query<{ rows: number }>(
      `SELECT count() AS rows FROM session_properties FINAL WHERE team_id = ${service.own.project_id} AND key = 'late'`,
    )
    return row?.rows
  }
  await insertEvents(service, [{ session_id: 'late', properties: { late: 'yes', $insert_id: 'x' } }])
  expect([await gatherProperties(service.services), await count()]).toEqual([false, 0])
  service.clock.advance(60_000)
  await gatherProperties(service.services)
  const gathered = await readGatheredUntil(service.services.store)
  await gatherProperties(service.services)
  expect([await count(), await readGatheredUntil(service.services.store)]).toEqual([1, gathered])
})

test('reads no events while all are gathered, and finds later ones as soon as they arrive', async () => {
  const filter = { properties: [{ key: 'coupon', value: 'spring' }], limit: 1000 }
  // Other files write events to the same engine, some of which arrived later by their clocks.
  service.clock.advance(10 * 365 * 86_400_000)
  for (const session_id of ['coupon-1', 'coupon-2']) await insertRecording(service, { session_id })
  await insertEvents(service, [{ session_id: 'coupon-1', properties: { coupon: 'spring' } }])
  service.clock.advance(60_000)
  while (await gatherProperties(service.services));
  expect(await listedIds(service, filter)).toEqual(['coupon-1'])
  const query = vi.spyOn(service.services.warehouse, 'query')
  expect(await listedIds(service, filter)).toEqual(['coupon-1'])
  expect(query).toHaveBeenCalled()
  expect(query).not.toHaveBeenCalledWith(expect.stringContaining('FROM events'), expect.anything())
  query.mockRestore()
  await insertEvents(service, [{ session_id: 'coupon-2', properties: { coupon: 'spring' } }])
  expect((await listedIds(service, filter)).toSorted()).toEqual(['coupon-1', 'coupon-2'])
})

test('gathers properties by event, of the event that has them', async () => {
  const { warehouse } = service.services
  const filter = { events: [{ id: 'order placed', properties: [{ key: 'total', value: '12' }] }] }
  await insertRecording(service, { session_id: 'paid' })
  await insertRecording(service, { session_id: 'left' })
  await insertEvents(service, [
    { session_id: 'paid', event: 'order placed', properties: { total: 12 } },
    { session_id: 'left', event: 'order placed' },
    { session_id: 'left', event: 'cart opened', properties: { total: 12 } },
  ])
  service.clock.advance(60_000)
  while (await gatherProperties(service.services));
  expect(
    await warehouse.query(
      `SELECT event, session_id FROM event_properties WHERE team_id = ${service.own.project_id} AND key = 'total' ORDER BY event`,
    ),
  ).toEqual([
    { event: 'cart opened', session_id: 'left' },
    { event: 'order placed', session_id: 'paid' },
  ])
  expect(await listedIds(service, filter)).toEqual(['paid'])
})
