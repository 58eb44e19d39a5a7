import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertBlock, insertRecording } from '../testing/test-recordings.ts'
import { createTestService, type TestService } from '../testing/test-service.ts'
import { startBackground } from '../start-background.ts'
import { newId } from '../store/schema/identifier.ts'
import { blockFolder } from '../snapshots/blocks.ts'
import { deleteRecordings } from './delete-recordings.ts'
import { removeOldRecordings, removeOrphanedBlocks } from './retention.ts'

const day = 86_400_000
let service: TestService

beforeAll(async () => {
  service = await createTestService({ config: { recordingRetentionDays: 10 } })
})
afterAll(() => service.stop())

const ago = (days: number) => new Date(service.clock.now() - days * day)

async function removeAll(): Promise<void> {
  while ((await removeOldRecordings(service.services)) > 0);
}

async function sessions(): Promise<string[]> {
  const rows = await service.services.store.selectFrom('session_recordings').select('session_id').execute()
  return rows.map((row) => row.session_id).sort()
}

test('removes recordings past the retention period, including their rows, unless they are persisted', async () => {
  await insertRecording(service, { session_id: 'young', start_time: ago(9.9) })
  await insertRecording(service, { session_id: 'kept', start_time: ago(50), persisted_at: ago(49) })
  await insertRecording(service, { session_id: 'long-here', start_time: ago(-900), created_at: ago(11) })
  const old = await insertRecording(service, { session_id: 'old', start_time: ago(10.1) })
  await insertBlock(service, old, 0, [['window', { timestamp: ago(10.1).getTime() }]])
  const deleted = await insertRecording(service, { session_id: 'deleted', start_time: ago(11) })
  const deletedRecently = await insertRecording(service, {
    session_id: 'deleted-recently',
    start_time: ago(1),
  })
  await deleteRecordings(service.services, [deleted.id, deletedRecently.id])

  await removeAll()
  expect(await sessions()).toEqual(['deleted-recently', 'kept', 'young'])
  expect(await service.services.objects.list(blockFolder(old.project_id, 'old'))).toEqual([])
  service.clock.advance(0.2 * day)
  await removeAll()
  expect(await sessions()).toEqual(['deleted-recently', 'kept'])
})

test('removes many old recordings in batches', async () => {
  await Promise.all(Array.from({ length: 150 }, () => insertRecording(service, { start_time: ago(20) })))
  expect(await removeOldRecordings(service.services)).toBe(100)
  expect(await removeOldRecordings(service.services)).toBe(50)
  expect(await removeOldRecordings(service.services)).toBe(0)
})

test('removes blocks that belong to no recording and are older than a day', async () => {
  const { objects, store } = service.services
  const recording = await insertRecording(service)
  const folder = blockFolder(recording.project_id, recording.session_id)
  const [late, known, orphaned] = [0.5, 2, 2].map((days) => `${folder}${newIdAt(ago(days))}`)
  const other = `${folder}not-an-id`
  for (const key of [late, known, orphaned, other]) await objects.put(key ?? '', Buffer.from('block'))
  const time = ago(2)
  await store
    .insertInto('session_recording_blocks')
    .values({
      recording_id: recording.id,
      number: 0,
      object_key: known ?? '',
      start_time: time,
      end_time: time,
      bytes: 5,
      items: [],
      full_snapshots: '[]',
      active_windows: '[]',
    })
    .execute()
  await removeOrphanedBlocks(service.services)
  expect(await objects.list(folder)).toEqual([known, late, other].sort())
})

test('completes a deletion interrupted by a crash when a worker starts', async () => {
  const { config, store, objects } = service.services
  const recording = await insertRecording(service)
  await insertBlock(service, recording, 0, [['window', { timestamp: service.clock.now() }]])
  await store
    .updateTable('session_recordings')
    .set({ deleted_at: ago(0) })
    .where('id', '=', recording.id)
    .execute()
  const folder = blockFolder(recording.project_id, recording.session_id)
  const serving = await startBackground({ ...service.services, config: { ...config, roles: ['serve'] } })
  await serving.stop()
  expect(await objects.list(folder)).toHaveLength(1)
  const working = await startBackground({ ...service.services, config: { ...config, roles: ['work'] } })
  await expect.poll(() => objects.list(folder), { timeout: 20_000 }).toEqual([])
  await working.stop()
})

/** Returns an id for a time in the past, which `newId` does not support. */
function newIdAt(time: Date): string {
  const [, ...rest] = newId(0).split('-')
  const hex = time.getTime().toString(16).padStart(12, '0')
  return [hex.slice(0, 8), hex.slice(8), ...rest.slice(1)].join('-')
}
