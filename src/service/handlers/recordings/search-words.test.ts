import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SessionRecordingList } from '../../../contract/recordings/session-recording.ts'
import { visitorName, visitorWords } from '../../../contract/recordings/visitor-name.ts'
import { listRecordings, listedIds } from '../../testing/recordings/test-recording-list.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'
import { insertPerson } from '../../testing/test-sessions.ts'

let service: TestService
/** Distinct ids whose two words are Willow Otter. */
const otters = ['visitor-164', 'visitor-468', 'visitor-1600', 'visitor-1904', 'visitor-4511']

beforeAll(async () => {
  service = await createTestService()
  const [, unnamed = '', named = '', emailed = '', likeId = ''] = otters
  await insertPerson(service, [unnamed], { plan: 'pro', name: '' })
  await insertPerson(service, [named, 'named-phone'], { name: 'Ada' })
  await insertPerson(service, [emailed], { email: 'eve@shop.example' })
  await insertPerson(service, [likeId], { username: likeId })
  for (const id of [...otters, 'visitor-1', 'eve@shop.example'])
    await insertRecording(service, { session_id: id, distinct_id: id })
  const project_id = service.secondProjectId
  await insertRecording(service, { session_id: 'elsewhere', distinct_id: 'visitor-164', project_id })
  await insertRecording(service, { session_id: 'gone', distinct_id: unnamed, deleted_at: new Date(0) })
})
afterAll(() => service.stop())

const found = async (search: string) => (await listedIds(service, { search })).toSorted()
const shown = ['visitor-164', 'visitor-4511', 'visitor-468']

test.each([
  ['Willow Otter', shown],
  ['  willow   OTTER ', shown],
  ['willow ot', shown],
  ['willow', shown],
  ['otter', shown],
  ['willo', []],
  ['ott', []],
  ['otter willow', []],
  ['willow otter x', []],
  ['willow heron', []],
])('the search “%s” finds the recordings that show such a name', async (search, expected) => {
  expect(await found(search)).toEqual(expected)
})

test('every recording is found by its shown name', async () => {
  const { results } = bodyOf(SessionRecordingList, await listRecordings(service, {}))
  const names = results.map(({ id, person, distinct_id }) => ({
    id,
    name: visitorName(person.name, distinct_id),
  }))
  expect(names).toHaveLength(otters.length + 2)
  for (const { id, name } of names) expect(await found(name)).toContain(id)
})

test('a mention of both words, but not of one, finds the recordings', async () => {
  const mentioned = async (text: string) => (await listedIds(service, { mentions: [text] })).toSorted()
  expect(await mentioned('willow otter')).toEqual(shown)
  expect(await mentioned('Willow')).toEqual([])
})

test('a visitor that gets a name is no longer found by the two words', async () => {
  await insertPerson(service, ['visitor-1'], {})
  const words = visitorName(null, 'visitor-1')
  expect(await found(words)).toEqual(['visitor-1'])
  await service.services.store
    .updateTable('persons')
    .set({ properties: { name: 'Linus' } })
    .where('id', 'in', (query) =>
      query.selectFrom('person_distinct_ids').select('person_id').where('distinct_id', '=', 'visitor-1'),
    )
    .execute()
  expect(await found(words)).toEqual([])
})

test('a word of thousands of visitors finds exactly those that show the word', async () => {
  const ids: string[] = []
  for (let number = 0; ids.length < 3100; number++) {
    const id = `many-${number}`
    if (visitorName(null, id).startsWith('Amber ')) ids.push(id)
  }
  await sql`
    INSERT INTO session_recordings (project_id, session_id, distinct_id, visitor_words, snapshot_source, start_time, end_time, recording_duration,
      active_seconds, inactive_seconds, activity, click_count, keypress_count, mouse_activity_count, console_log_count,
      console_warn_count, console_error_count, start_url, block_count, created_at, last_updated_at)
    SELECT project_id, visitor, visitor, words, snapshot_source, start_time, end_time, recording_duration, active_seconds, inactive_seconds,
      activity, click_count, keypress_count, mouse_activity_count, 0, 0, 0, start_url, block_count, created_at, last_updated_at
    FROM session_recordings, unnest(${ids}::text[], ${ids.map(visitorWords)}::smallint[]) AS given (visitor, words) WHERE session_id = 'visitor-164'`.execute(
    service.services.store,
  )
  await insertPerson(service, ids.slice(0, 5), { name: 'Grace' })
  const page = bodyOf(SessionRecordingList, await listRecordings(service, { search: 'amber', limit: 10 }))
  expect(page).toMatchObject({ count: 3095, count_is_estimate: false, has_next: true })
})
