import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatInstant } from '../../contract/instant.ts'
import { WatchedRecording } from '../../contract/recordings/session-recording.ts'
import { visitorName } from '../../contract/recordings/visitor-name.ts'
import { removeHidden } from '../recordings/delete-recordings.ts'
import { removeOldRecordings } from '../recordings/retention.ts'
import { blockFolder } from '../snapshots/blocks.ts'
import { countRecordings } from '../store/recordings/recordings-list.ts'
import type { RecordingRow } from '../store/recordings/session-recordings.ts'
import { listedIds } from '../testing/recordings/test-recording-list.ts'
import { insertBlock, insertRecording } from '../testing/test-recordings.ts'
import { bodyOf } from '../testing/test-service.ts'
import {
  details,
  finish,
  openBulkActions,
  service,
  start,
  undo,
} from '../testing/exports/test-bulk-actions.ts'

beforeAll(openBulkActions)
afterAll(() => service.stop())
beforeEach(async () => {
  await service.services.store.deleteFrom('session_recordings').execute()
  await service.services.store.updateTable('session_recording_counts').set({ count: 0 }).execute()
})

async function perform(body: object): Promise<string> {
  const { id } = await start(body)
  await finish()
  return id
}

function rows(): Promise<RecordingRow[]> {
  return service.services.store.selectFrom('session_recordings').selectAll().orderBy('id').execute()
}

/** Inserts a recording with a block and a link. */
async function insertShared(session_id: string): Promise<RecordingRow> {
  const row = await insertRecording(service, { session_id })
  await insertBlock(service, row, 0, [['window', { timestamp: 1_772_000_000_000 }]])
  const sharing = `/api/projects/@current/session_recordings/${session_id}/sharing/`
  await service.request('PATCH', sharing, { body: { enabled: true } })
  return row
}

const objectsOf = async ({ project_id, session_id }: RecordingRow) =>
  (await service.services.objects.list(blockFolder(project_id, session_id))).length
const count = () => countRecordings(service.services.store, service.own.project_id)

test('a bulk deletion hides all recordings that match, beyond the first page; its undo restores them with their content', async () => {
  const kept = await insertShared('kept')
  await service.services.store
    .updateTable('session_recordings')
    .set({ click_count: 0 })
    .where('id', '=', kept.id)
    .execute()
  const shared = await insertShared('shared')
  for (let index = 0; index < 120; index += 1) await insertRecording(service)
  const before = await rows()
  const properties = '[{"key":"click_count","value":1,"operator":"gte","type":"recording"}]'
  const id = await perform({ action: 'delete_recordings', filter: { properties } })
  expect(await details(id)).toMatchObject({ status: 'Completed', total: 121, done: 121, failed: 0 })
  expect([await listedIds(service, {}), await count()]).toEqual([['kept'], 1])
  const link = await service.request('GET', '/api/projects/@current/session_recordings/shared/')
  expect(link.status).toBe(404)
  expect([await removeHidden(service.services), await removeOldRecordings(service.services)]).toEqual([0, 0])
  expect(await objectsOf(shared)).toBe(1)

  expect(await undo(id)).toMatchObject({ status: 'Undone', undone: 121, not_undone: 0 })
  expect([await rows(), await count()]).toEqual([before, 122])
  const sharing = await service.request('GET', '/api/projects/@current/session_recordings/shared/sharing/')
  expect(sharing.body).toMatchObject({ enabled: true })
})

test('the content of deleted recordings is removed once the deletion cannot be undone any more', async () => {
  const [one, two] = [await insertShared('one'), await insertShared('two')]
  const id = await perform({ action: 'delete_recordings', ids: ['one', 'gone'] })
  expect(await details(id)).toMatchObject({
    done: 1,
    failed: 1,
    failures: [
      { id: 'gone', name: 'Unknown recording', reason: expect.stringContaining('Not found') as unknown },
    ],
  })
  service.clock.advance(5 * 60_000 - 1)
  expect(await removeHidden(service.services)).toBe(0)
  service.clock.advance(1)
  expect([await removeHidden(service.services), await removeHidden(service.services)]).toEqual([1, 0])
  expect([await objectsOf(one), await objectsOf(two), await count()]).toEqual([0, 1, 1])
  expect((await rows())[0]).toMatchObject({ distinct_id: '', deleted_by: null })
})

test('marking as viewed makes the user a watcher, marking as unviewed no longer, and both are undone', async () => {
  await insertRecording(service, { session_id: 'new' })
  const watchers = async () => {
    const response = await service.request('GET', '/api/projects/@current/session_recordings/new/')
    return bodyOf(WatchedRecording, response).watchers
  }
  const viewed = await perform({ action: 'mark_recordings_viewed', ids: ['new'] })
  const watched = [{ name: expect.any(String) as string, at: formatInstant(new Date(service.clock.now())) }]
  expect(await watchers()).toEqual(watched)
  expect(await undo(viewed)).toMatchObject({ undone: 1 })
  expect(await watchers()).toEqual([])
  await perform({ action: 'mark_recordings_viewed', ids: ['new'] })
  service.clock.advance(60_000)
  const unviewed = await perform({ action: 'mark_recordings_unviewed', ids: ['new'] })
  expect(await watchers()).toEqual([])
  expect(await undo(unviewed)).toMatchObject({ undone: 1 })
  expect(await watchers()).toEqual(watched)
  await perform({ action: 'keep_recordings', ids: ['new'] })
  expect(await watchers()).toEqual(watched)
})

test('failures name recordings as the list does, also those that were just deleted', async () => {
  await insertRecording(service, { session_id: 'unnamed', distinct_id: 'visitor-1' })
  await insertRecording(service, { session_id: 'mail', distinct_id: 'ada@shop.example' })
  const ids = ['unnamed', 'mail', 'elsewhere']
  await perform({ action: 'delete_recordings', ids: ['unnamed', 'mail'] })
  const { failures } = await details(await perform({ action: 'keep_recordings', ids }))
  expect(failures.map(({ name }) => name)).toEqual([
    visitorName(null, 'visitor-1'),
    'ada@shop.example',
    'Unknown recording',
  ])
})

test('keeping, marking as viewed and marking as unviewed change only what needs it, and are undone exactly', async () => {
  const time = new Date('2026-03-01T00:00:00Z')
  await insertRecording(service, { session_id: 'new' })
  await insertRecording(service, { session_id: 'old', viewed_at: time, persisted_at: time })
  const before = await rows()
  const stateOf = async () => (await rows()).map((row) => [row.viewed_at, row.persisted_at])
  const now = new Date(service.clock.now())
  for (const [action, after] of [
    [
      'keep_recordings',
      [
        [null, now],
        [time, time],
      ],
    ],
    [
      'mark_recordings_viewed',
      [
        [now, null],
        [time, time],
      ],
    ],
    [
      'mark_recordings_unviewed',
      [
        [null, null],
        [null, time],
      ],
    ],
  ] as const) {
    const id = await perform({ action, filter: {} })
    expect(await stateOf(), action).toEqual(after)
    expect(await details(id)).toMatchObject({ total: 2, done: 2, unchanged: 1 })
    expect(await undo(id)).toMatchObject({ undone: 1, not_undone: 0 })
    expect(await rows()).toEqual(before)
  }
})

test('a mark that was changed since is not undone', async () => {
  await insertRecording(service, { session_id: 'a' })
  const id = await perform({ action: 'mark_recordings_viewed', filter: {} })
  service.clock.advance(1000)
  await service.request('PATCH', '/api/projects/@current/session_recordings/a/', { body: { viewed: true } })
  expect(await undo(id)).toMatchObject({ undone: 0, not_undone: 1 })
  expect((await rows())[0]?.viewed_at).toEqual(new Date(service.clock.now()))
})

test('a filter on what happened in the sessions selects all matching recordings, and only those', async () => {
  const { warehouse } = service.services
  const start_time = new Date(service.clock.now() - 3_600_000)
  for (let index = 0; index < 70; index += 1)
    await insertRecording(service, { session_id: `s-${index}`, start_time })
  const entries = Array.from({ length: 60 }, (_, index) =>
    JSON.stringify({
      team_id: service.own.project_id,
      session_id: `s-${index}`,
      level: 'error',
      message: 'Oh',
      timestamp: '2026-03-04 10:00:00',
    }),
  )
  await warehouse.insert('console_entries', entries.join('\n'))
  const filter = { console_log_filters: '[{"key":"level","value":["error"],"type":"log_entry"}]' }
  const id = await perform({ action: 'mark_recordings_viewed', filter })
  expect(await details(id)).toMatchObject({ total: 60, done: 60 })
  expect((await rows()).filter((row) => row.viewed_at).map((row) => row.session_id)).toEqual(
    Array.from({ length: 60 }, (_, index) => `s-${index}`),
  )
})
