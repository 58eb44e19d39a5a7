import { sql } from 'kysely'
import { afterEach, beforeAll, afterAll, beforeEach, expect, test, vi } from 'vitest'
import { SnapshotSources } from '../../../contract/recordings/snapshot.ts'
import { SessionRecordingList } from '../../../contract/recordings/session-recording.ts'
import type { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import { deleteRecordings } from '../delete-recordings.ts'
import { EventType, IncrementalSource } from '../../../replay/recorded/rrweb.ts'
import { blockFolder } from '../../snapshots/blocks.ts'
import { storePages } from '../../store/recordings/recording-pages.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'
import { began, click, eventAt, page } from '../../testing/test-session.ts'
import type { SessionEvent } from '../../snapshots/unpack-event.ts'
import { readNewRecordings } from './read-new-recordings.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(() => service.clock.set('2026-03-04T10:30:00Z'))
afterEach(async () => {
  vi.restoreAllMocks()
  await service.services.store.deleteFrom('session_recordings').execute()
})

const minute = 60_000
const url = 'https://shop.example'
const home = page(0, `${url}/`, 'Shop')
const lines = (events: readonly SessionEvent[]) =>
  events.map(({ window, ...event }) => [window, { ...event }] as const)

async function recorded(
  events: readonly SessionEvent[] = home,
  values: Parameters<typeof insertRecording>[1] = {},
): Promise<RecordingRow> {
  const row = await insertRecording(service, { start_time: new Date(began), ...values })
  await insertBlock(service, row, 0, lines(events))
  return row
}

/** Adds a block that arrives now. */
async function continued(row: RecordingRow, number: number, events: readonly SessionEvent[]): Promise<void> {
  await insertBlock(service, row, number, lines(events))
  const last_updated_at = new Date(service.clock.now())
  await service.services.store
    .updateTable('session_recordings')
    .set({ last_updated_at })
    .where('id', '=', row.id)
    .execute()
}

/** Reads until nothing is left; returns the number of recordings found. */
async function readAll(): Promise<number> {
  let total = 0
  for (;;) {
    const found = await readNewRecordings(service.services)
    if (found === 0) return total
    total += found
  }
}

async function facts(): Promise<Map<string, RecordingFacts | null>> {
  const path = `/api/projects/${service.own.project_id}/session_recordings/`
  const { results } = bodyOf(SessionRecordingList, await service.request('GET', path))
  return new Map(results.map(({ id, facts }) => [id, facts]))
}

test('the list shows a recording once it has been read, with the device that its events report', async () => {
  const { session_id } = await recorded()
  await captureEvent(session_id, {
    $browser: 'Firefox',
    $os: 'Linux',
    $device_type: 'Desktop',
    $geoip_country_code: 'DE',
  })
  expect((await facts()).get(session_id)).toBeNull()
  expect(await readAll()).toBe(1)
  expect((await facts()).get(session_id)).toMatchObject({
    pages: [{ label: 'Home', url: 'shop.example/', at: 0 }],
    outcome: { kind: 'left', label: 'Home' },
    browser: 'Firefox',
    os: 'Linux',
    device: 'desktop',
    country: 'DE',
    summary: 'A visit to shop.example lasting 1 s, starting on “Shop”: one page and no clicks.',
  })
  expect(await readAll()).toBe(0)
})

test('reads a session that continues again once it has doubled in length or ended', async () => {
  const row = await recorded()
  await continued(row, 1, page(20, `${url}/one`, 'One'))
  expect(await readAll()).toBe(0)
  service.clock.advance(10_000)
  expect(await readAll()).toBe(1)
  await continued(row, 2, page(30, `${url}/two`, 'Two'))
  service.clock.advance(10_000)
  expect(await readAll()).toBe(0)
  service.clock.advance(minute)
  expect(await readAll()).toBe(1)
  const pages = (await facts()).get(row.session_id)?.pages.map(({ label }) => label)
  expect(pages).toEqual(['Home', 'One', 'Two'])
  service.clock.advance(60 * minute)
  await continued(row, 3, page(3600, `${url}/three`, 'Three'))
  service.clock.advance(10_000)
  expect(await readAll()).toBe(1)
})

/** Returns the events of a block, `seconds` after the start, that adds 800 kB of text and then replaces it. */
function busy(seconds: number): SessionEvent[] {
  const change = (at: number, value: string) => {
    const data = {
      source: IncrementalSource.Mutation,
      texts: [{ id: 6, value }],
      adds: [],
      removes: [],
      attributes: [],
    }
    return eventAt(at, EventType.IncrementalSnapshot, data)
  }
  return [change(seconds, 'x'.repeat(800_000)), change(seconds + 1, `at ${seconds} s`)]
}

test('stores the pages of a busy recording; a late block hides them and a deletion removes them', async () => {
  const { store } = service.services
  const row = await recorded()
  for (const number of [1, 2, 3]) await continued(row, number, busy(10 * number))
  const path = `/api/projects/${service.own.project_id}/session_recordings/${row.session_id}/snapshots/`
  const pages = async () => {
    const { sources } = bodyOf(SnapshotSources, await service.request('GET', path))
    return sources.map(({ page }) => page?.window_id ?? null)
  }
  expect(await pages()).toEqual([null, null, null, null])
  service.clock.advance(10_000)
  expect(await readAll()).toBe(1)
  expect(await pages()).toEqual([null, null, null, 'w1'])
  const { recording_id: _, ...stored } = await store
    .selectFrom('session_recording_pages')
    .selectAll()
    .executeTakeFirstOrThrow()
  // Two processes can read a recording at once.
  await Promise.all([1, 2, 3, 4].map(() => storePages(store, row.id, [stored])))
  const response = await service.request('GET', `${path}?source=page&start_blob_key=3&end_blob_key=3`)
  expect(response.headers['content-type']).toBe('application/jsonl')
  const several = await service.request('GET', `${path}?source=page&start_blob_key=2&end_blob_key=3`)
  expect(several).toMatchObject({ status: 400 })
  const events = response.text.split('\n').map((line): unknown[] => JSON.parse(line))
  expect(events.slice(0, 2)).toMatchObject([
    ['w1', { type: EventType.Meta, timestamp: began + 30_000, data: { href: `${url}/` } }],
    ['w1', { type: EventType.FullSnapshot, timestamp: began + 30_000 }],
  ])
  expect(response.text).toContain('at 20 s')
  expect(response.text).not.toContain('xxxx')
  await insertBlock(service, row, 4, lines(busy(25)))
  expect(await pages()).toEqual([null, null, null, null, null])
  await deleteRecordings(service.services, [row.id])
  expect(await store.selectFrom('session_recording_pages').select('number').execute()).toEqual([])
})

test('projects take turns, also after a batch, so that no backlog delays the recordings of another project', async () => {
  const { store } = service.services
  const api_token = 'phc_third'
  const { id: thirdId } = await store
    .insertInto('projects')
    .values({
      organization_id: service.own.organization_id,
      name: 'Third',
      api_token,
      created_at: new Date(service.clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const projects = [service.own.project_id, service.secondProjectId, thirdId]
  const arrived = (minutesAgo: number) => ({
    last_updated_at: new Date(service.clock.now() - minutesAgo * minute),
  })
  for (let index = 0; index < 8; index += 1)
    await recorded(home, { project_id: projects[0] ?? 0, ...arrived(10) })
  for (const project_id of projects.slice(1))
    for (let index = 0; index < 2; index += 1) await recorded(home, { project_id, ...arrived(60) })
  const served = new Set<number>()
  const readOf = async () => {
    const { rows } = await sql<{ project_id: number; count: number }>`
      SELECT project_id, count(*)::integer AS count FROM recording_facts WHERE facts IS NOT NULL GROUP BY project_id`.execute(
      store,
    )
    return projects.map((id) => rows.find((row) => row.project_id === id)?.count ?? 0)
  }
  await readNewRecordings(service.services, served)
  expect((await readOf()).toSorted()).toEqual([1, 1, 2])
  await readNewRecordings(service.services, served)
  expect((await readOf()).slice(1)).toEqual([2, 2])
})

test('several processes read each recording once', async () => {
  const rows = []
  for (let index = 0; index < 10; index += 1) rows.push(await recorded())
  const read = vi.spyOn(service.services.objects, 'get')
  const totals = await Promise.all([readAll(), readAll(), readAll()])
  expect(totals.reduce((sum, total) => sum + total)).toBe(10)
  expect(read).toHaveBeenCalledTimes(10)
  expect([...(await facts()).values()].every((known) => known !== null)).toBe(true)
})

test('a recording whose process was killed is read by another one', async () => {
  const { session_id } = await recorded()
  const { services } = service
  const get = vi.spyOn(services.objects, 'get').mockReturnValue(new Promise(() => {}))
  void readNewRecordings(services)
  await vi.waitUntil(() => get.mock.calls.length > 0)
  get.mockRestore()
  expect(await readAll()).toBe(0)
  service.clock.advance(3 * minute)
  expect(await readAll()).toBe(1)
  expect((await facts()).get(session_id)).not.toBeNull()
})

test('a recording that cannot be read stops no other, and is tried again a few times', async () => {
  const bad = await recorded([click(0, 1)])
  const good = await recorded()
  const { objects, logger } = service.services
  const warned = vi.spyOn(logger, 'warn').mockImplementation(() => {})
  for (const key of await objects.list(blockFolder(bad.project_id, bad.session_id)))
    await objects.put(key, Buffer.from('damaged'))
  expect(await readAll()).toBe(2)
  const read = await facts()
  expect([read.get(bad.session_id), read.get(good.session_id)?.page_count]).toEqual([null, 1])
  const retries: number[] = []
  for (let hour = 0; hour < 6; hour += 1) {
    service.clock.advance(61 * minute)
    retries.push(await readAll())
  }
  expect(retries).toEqual([1, 1, 1, 1, 0, 0])
  expect(warned).toHaveBeenCalled()
})

test('a stop ends the reading, and gives the recording back', async () => {
  await recorded()
  const { services } = service
  const { get } = services.objects
  const stopping = new AbortController()
  vi.spyOn(services.objects, 'get').mockImplementation(async (key) => {
    stopping.abort()
    return await get(key)
  })
  await readNewRecordings(services, new Set(), stopping.signal)
  expect(await services.store.selectFrom('recording_facts').select(['facts', 'failures']).execute()).toEqual([
    { facts: null, failures: 0 },
  ])
  vi.restoreAllMocks()
  expect(await readAll()).toBe(1)
})

test('a recording deleted while it is read gets no facts', async () => {
  const row = await recorded()
  const { services } = service
  const { get } = services.objects
  vi.spyOn(services.objects, 'get').mockImplementation(async (key) => {
    const block = await get(key)
    await deleteRecordings(services, [row.id])
    return block
  })
  await readAll()
  expect(await services.store.selectFrom('recording_facts').selectAll().execute()).toEqual([])
})

async function captureEvent(session: string, properties: Record<string, string>): Promise<void> {
  const row = {
    team_id: service.own.project_id,
    uuid: crypto.randomUUID(),
    event: '$pageview',
    distinct_id: 'visitor',
    properties: JSON.stringify({ $session_id: session, ...properties }),
    timestamp: '2026-03-04 10:00:08.500000',
  }
  await service.services.warehouse.insert('events', JSON.stringify(row))
}
