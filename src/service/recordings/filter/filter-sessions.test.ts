import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SessionRecordingList } from '../../../contract/recordings/session-recording.ts'
import { listRecordings, listedIds } from '../../testing/recordings/test-recording-list.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'
import { sql } from 'kysely'
import { allSessionsWith, matchingSessions, sessionConditions } from './filter-sessions.ts'
import { rememberedShare } from './remembered-shares.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const hour = 3_600_000
const start = Date.parse('2026-03-01T00:00:00Z')

/** Returns an id as posthog-js makes them: it begins with its time. */
function timedId(time: number): string {
  const text = time.toString(16).padStart(12, '0')
  return `${text.slice(0, 8)}-${text.slice(8)}-7000-8000-000000000000`
}

async function insertEvents(event: string, sessionIds: readonly string[]): Promise<void> {
  const rows = sessionIds.map((session_id) =>
    JSON.stringify({ team_id: service.own.project_id, event, session_id }),
  )
  await service.services.warehouse.insert('session_events', rows.join('\n'))
}

/** Returns the statements that `act` sends to the warehouse. */
async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  return (await callsOf(act)).map(({ statement }) => statement)
}

/** Returns the statements that `act` sends to the warehouse, with the values of their parameters. */
async function callsOf(act: () => Promise<unknown>): Promise<{ statement: string; values: unknown[] }[]> {
  const query = vi.spyOn(service.services.warehouse, 'query')
  await act()
  const calls = query.mock.calls.map(([statement, options]) => ({
    statement,
    values: Object.values(options?.params ?? {}),
  }))
  query.mockRestore()
  return calls
}

test.each([
  ['few other sessions: one range is read', 20, ['BETWEEN']],
  ['many other sessions: those given are named', 900, ['BETWEEN', 'IN']],
])('sessions in order among %s', async (event, others, clauses) => {
  const given = Array.from({ length: 100 }, (_, index) => timedId(start + index * 1000))
  const having = given.filter((_, index) => index % 3 === 0)
  const between = Array.from({ length: others }, (_, index) => timedId(start + 1 + index * 10))
  await insertEvents(event, [...having, ...between])
  const [condition] = sessionConditions({ events: [{ id: event }] }, 0)
  if (!condition) throw new Error('the filter has no condition')
  const period = { from: start, to: start + hour }
  let found: string[] = []
  const statements = await statementsOf(async () => {
    const { warehouse } = service.services
    const options = { period, isInOrder: true }
    found = await matchingSessions(warehouse, service.own.project_id, condition, given, options)
  })
  expect(found).toEqual(having)
  expect(statements.map((text) => / session_id (BETWEEN|IN) /.exec(text)?.[1])).toEqual(clauses)
})

test('the sessions of a frequent event in a period are found by their ids, whatever these are', async () => {
  const times = Array.from({ length: 12_000 }, (_, index) => start + index * 120_000)
  await insertEvents('frequent', [...times.map(timedId), 'an id without a time'])
  const recorded = [5, 6, 7, 300].map((index) => timedId((times[index] ?? 0) - hour))
  await insertEvents('frequent', recorded)
  const longBefore = timedId(start - 23 * hour)
  await insertEvents('frequent', [longBefore])
  const ids = [...recorded, 'an id without a time', longBefore, timedId(start - 1)]
  for (const [index, session_id] of ids.entries())
    await insertRecording(service, { session_id, start_time: new Date(start + 1000 + index) })
  const day = new Date(start).toISOString().slice(0, 10)
  const filter = { events: [{ id: 'frequent' }], date_from: day, date_to: day }
  const calls = await callsOf(async () => {
    const page = bodyOf(SessionRecordingList, await listRecordings(service, filter))
    expect(page).toMatchObject({ count: 6, count_is_estimate: false })
  })
  const ranges = calls.filter(({ statement }) => statement.includes('session_id >= '))
  expect(ranges.map(({ values }) => values.at(-2))).toEqual([timedId(start - hour).slice(0, 13)])
  expect(calls.filter(({ statement }) => /\bFROM events\b/.test(statement))).toEqual([])
  expect(await listedIds(service, filter)).toEqual(
    expect.arrayContaining(['an id without a time', longBefore]),
  )
})

test('a list that was too long for a day is made again for a part of that day, but not seconds later', async () => {
  const entry = (hours: number) => ({
    team_id: service.own.project_id,
    timestamp: new Date(start + hours * hour).toISOString(),
    level: 'warn',
    message: 'often',
  })
  const entries = [
    ...Array.from({ length: 10_001 }, (_, index) => ({ ...entry(-18), session_id: `early-${index}` })),
    ...['late-1', 'late-2'].map((session_id) => ({ ...entry(13), session_id })),
  ]
  const rows = entries.map((each) => JSON.stringify(each)).join('\n')
  await service.services.warehouse.insert('console_entries', rows)
  const logged = { type: 'log_entry', key: 'message', operator: 'exact', value: 'often' } as const
  const [condition] = sessionConditions({ console_log_filters: [logged] }, 0)
  if (!condition) throw new Error('the filter has no condition')
  const listSince = (from: number) =>
    allSessionsWith(service.services.warehouse, service.own.project_id, condition, { from, to: null })
  expect(await listSince(start)).toBeNull()
  expect(await statementsOf(() => listSince(start + 5000))).toEqual([])
  expect(await listSince(start + 12 * hour)).toEqual(expect.arrayContaining(['late-1', 'late-2']))
  expect(await listSince(start)).toBeNull()
})

test('console entries of recordings older than session_entries are checked in console_entries, those of later ones in session_entries', async () => {
  const { warehouse } = service.services
  const ids = Array.from({ length: 6 }, (_, index) => timedId(start + index * 1000))
  const entries = ids.map((session_id, index) => ({
    team_id: service.own.project_id,
    session_id,
    timestamp: new Date(start).toISOString(),
    level: 'log',
    message: index % 2 === 0 ? 'Paid' : 'Waited',
  }))
  await warehouse.insert('console_entries', entries.map((entry) => JSON.stringify(entry)).join('\n'))
  const logged = { type: 'log_entry', key: 'message', operator: 'icontains', value: 'paid' } as const
  const [condition] = sessionConditions({ console_log_filters: [logged] }, null, start)
  if (!condition) throw new Error('the filter has no condition')
  const checkSince = async (from: number) => {
    let found: string[] = []
    const statements = await statementsOf(async () => {
      const options = { period: { from, to: start + hour }, isInOrder: true }
      found = await matchingSessions(warehouse, service.own.project_id, condition, ids, options)
    })
    return [found, statements.map((text) => /FROM (\w+)/.exec(text)?.[1])]
  }
  const paid = ids.filter((_, index) => index % 2 === 0)
  expect(await checkSince(start)).toEqual([paid, ['session_entries']])
  expect(await checkSince(start - 1)).toEqual([paid, ['console_entries']])
})

test('a list that was short is found to be too long now', async () => {
  const { warehouse } = service.services
  const [condition] = sessionConditions({ events: [{ id: 'growing' }] }, null)
  if (!condition) throw new Error('the filter has no condition')
  const list = () => allSessionsWith(warehouse, service.own.project_id, condition, { from: null, to: null })
  await insertEvents('growing', ['first', 'second'])
  expect(await list()).toEqual(['first', 'second'])
  await insertEvents('growing', ['second', 'third'])
  expect((await list())?.toSorted()).toEqual(['first', 'second', 'third'])
  await insertEvents(
    'growing',
    Array.from({ length: 10_000 }, (_, index) => `more-${index}`),
  )
  expect([await list(), await list()]).toEqual([null, null])
})

test('a share is estimated once for the same filter, minute and number of recordings', async () => {
  const { store } = service.services
  const projectId = service.own.project_id
  for (const click_count of [7, 7, 0]) await insertRecording(service, { click_count })
  const shareOf = (since: string, total = 3) => {
    const conditions = [sql<boolean>`start_time >= ${new Date(since)}`, sql<boolean>`click_count = 7`]
    return rememberedShare(store, { projectId, conditions }, total)
  }
  const share = await shareOf('2026-01-01T10:00:05Z')
  expect(share).toBeGreaterThan(0)
  await sql`UPDATE session_recordings SET click_count = 0`.execute(store)
  expect(await shareOf('2026-01-01T10:00:55Z')).toBe(share)
  expect([await shareOf('2026-01-01T10:01:05Z'), await shareOf('2026-01-01T10:00:05Z', 4)]).toEqual([0, 0])
})
