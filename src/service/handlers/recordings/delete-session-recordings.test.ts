import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recorded, snapshotItem } from '../../testing/test-replay.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { blockFolder } from '../../snapshots/blocks.ts'
import { finishDeletions } from '../../recordings/delete-recordings.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

const of = '/api/projects/:project_id/session_recordings'
let service: TestService
let recording: RecordingRow

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  recording = await insertComplete()
})

/** Inserts a recording with every kind of content. */
async function insertComplete(projectId = service.own.project_id): Promise<RecordingRow> {
  const row = await insertRecording(service, { project_id: projectId })
  const { store, warehouse } = service.services
  for (const number of [0, 1])
    await insertBlock(service, row, number, [['window', { timestamp: 1_772_000_000_000 }]])
  const path = `/api/projects/${projectId}/session_recordings/${row.session_id}/sharing/`
  await service.request('PATCH', path, { body: { enabled: true } })
  await store
    .insertInto('session_recording_summaries')
    .values({ recording_id: row.id, block_count: 2, content: 'Looked around.', summary: '{}' })
    .execute()
  const { session_id } = row
  const entry = {
    team_id: projectId,
    session_id,
    level: 'error',
    message: 'Oh',
    timestamp: '2026-03-04 10:00:00',
  }
  await warehouse.insert('console_entries', JSON.stringify(entry))
  const request = { team_id: projectId, session_id, host: 'api.example', status: 500 }
  await warehouse.insert('session_failed_requests', JSON.stringify(request))
  const steps = { team_id: projectId, session_id, steps: ['page /'] }
  await warehouse.insert('session_paths', JSON.stringify(steps))
  return row
}

/** Rows and files of a recording, as `contentOf` counts them. */
const complete = [2, 1, 1, 1, 1, 1, 1, 1, 2]
const empty = complete.map(() => 0)

/** Counts the remaining content of a recording, excluding its row. */
async function contentOf({ id, project_id, session_id }: RecordingRow) {
  const { store, warehouse, objects } = service.services
  const rows = await Promise.all(
    (['session_recording_blocks', 'session_recording_summaries', 'session_recording_sharing'] as const).map(
      (table) => store.selectFrom(table).select('recording_id').where('recording_id', '=', id).execute(),
    ),
  )
  const lines = await Promise.all(
    ['console_entries', 'session_entries', 'session_failed_requests', 'session_paths', 'session_steps'].map(
      (table) =>
        warehouse.query(`SELECT 1 FROM ${table} WHERE session_id = {session_id: String}`, {
          params: { session_id },
        }),
    ),
  )
  const keys = await objects.list(blockFolder(project_id, session_id))
  return [...rows, ...lines, keys].map(({ length }) => length)
}

const pathOf = ({ session_id }: RecordingRow) =>
  `/api/projects/${service.own.project_id}/session_recordings/${session_id}/`
const rowOf = ({ id }: RecordingRow) =>
  service.services.store
    .selectFrom('session_recordings')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test(`DELETE ${of}/:id/ returns 204, then 404, and leaves a row without content`, async () => {
  const other = await insertComplete()
  expect(await contentOf(recording)).toEqual(complete)
  const response = await service.request('DELETE', pathOf(recording))
  expect([response.status, response.text]).toEqual([204, ''])
  expect(await contentOf(recording)).toEqual(empty)
  expect(await contentOf(other)).toEqual(complete)
  for (const method of ['GET', 'DELETE'])
    expect(problemOf(await service.request(method, pathOf(recording))).detail).toBe('Recording not found')
  expect(await rowOf(recording)).toMatchObject({
    deleted_at: new Date('2026-03-04T10:30:00Z'),
    distinct_id: '',
    start_url: '',
    activity: [],
    click_count: 0,
  })
})

test(`POST ${of}/bulk_delete/ returns 200 with the number deleted, and skips unknown recordings and those of other projects`, async () => {
  const [second, elsewhere] = [await insertComplete(), await insertComplete(service.secondProjectId)]
  const ids = [recording, second, elsewhere].map(({ session_id }) => session_id)
  const path = `/api/projects/${service.own.project_id}/session_recordings/bulk_delete/`
  const body = { session_recording_ids: [...ids, ids[0], 'unknown'] }
  const response = await service.request('POST', path, { body })
  expect([response.status, response.body]).toEqual([200, { success: true, deleted_count: 2 }])
  expect(await contentOf(second)).toEqual(empty)
  expect(await contentOf(elsewhere)).toEqual(complete)
  expect((await service.request('POST', path, { body })).body).toEqual({ success: true, deleted_count: 0 })
})

test.each([[[]], [Array.from({ length: 21 }, (_, index) => `${index}`)], [[1]], ['all'], [undefined]])(
  'a bulk deletion accepts 1 to 20 strings, not %j',
  async (session_recording_ids) => {
    const path = `/api/projects/${service.own.project_id}/session_recordings/bulk_delete/`
    const response = await service.request('POST', path, { body: { session_recording_ids } })
    expect([response.status, problemOf(response).type]).toEqual([400, 'validation_error'])
  },
)

test('two simultaneous deletions delete a recording once', async () => {
  const responses = await Promise.all([0, 1].map(() => service.request('DELETE', pathOf(recording))))
  for (const { status } of responses) expect([204, 404]).toContain(status)
  expect(await contentOf(recording)).toEqual(empty)
  const counts = await service.services.store.selectFrom('session_recording_counts').selectAll().execute()
  const living = await service.services.store
    .selectFrom('session_recordings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .where('project_id', '=', service.own.project_id)
    .executeTakeFirstOrThrow()
  expect(counts.find(({ project_id }) => project_id === service.own.project_id)?.count).toBe(living.count)
})

test.each(['delete', 'list'] as const)(
  'a recording whose objects cannot be deleted (%s) is hidden at once and deleted later',
  async (verb) => {
    const { objects } = service.services
    const original = { [verb]: objects[verb] }
    Object.assign(objects, { [verb]: () => Promise.reject(new Error('the power went out')) })
    expect((await service.request('DELETE', pathOf(recording))).status).toBe(500)
    Object.assign(objects, original)
    expect((await service.request('GET', pathOf(recording))).status).toBe(404)
    expect(await finishDeletions(service.services)).toBe(1)
    expect(await contentOf(recording)).toEqual(empty)
    expect(await finishDeletions(service.services)).toBe(0)
  },
)

test('recordings deleted while their data arrives stay deleted and keep no content', async () => {
  const { store, warehouse } = service.services
  const project_id = service.own.project_id
  const { api_token } = await store
    .selectFrom('projects')
    .select('api_token')
    .where('id', '=', project_id)
    .executeTakeFirstOrThrow()
  const capture = async (sessions: readonly string[]) => {
    const batch = sessions.map((session) =>
      snapshotItem(session, { events: [recorded.log(0, 'error', 'Oh')] }),
    )
    const response = await service.request('POST', '/s/', {
      key: '',
      raw: JSON.stringify({ api_key: api_token, batch }),
      headers: { 'content-type': 'text/plain' },
    })
    expect([response.status, response.text]).toEqual([200, expect.stringContaining('Ok')])
  }
  const doomed = Array.from({ length: 10 }, (_, index) => `doomed-${index}`)
  await capture(doomed)
  // Each request mixes a new session with existing ones, so that capture inserts the one and locks the others.
  const arriving = Array.from({ length: 12 }, (_, round) => capture([`new-${round}`, ...doomed]))
  const path = `/api/projects/${project_id}/session_recordings/`
  const deleting = doomed.map((id) => service.request('DELETE', `${path}${id}/`))
  for (const response of await Promise.all(deleting)) expect(response.status, response.text).toBe(204)
  await Promise.all(arriving)
  await capture(doomed)
  const rows = await store
    .selectFrom('session_recordings')
    .selectAll()
    .where('session_id', 'in', doomed)
    .execute()
  expect(rows).toHaveLength(10)
  for (const row of rows) expect(await contentOf(row)).toEqual(empty)
  const left = await warehouse.query(
    'SELECT 1 FROM console_entries WHERE session_id LIKE {sessions: String}',
    {
      params: { sessions: 'new-%' },
    },
  )
  expect(left).toHaveLength(12)
})
