import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { png } from '../../testing/servers/test-asset-server.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { deleteRecordings } from '../delete-recordings.ts'
import { removeOldRecordings } from '../retention.ts'
import {
  closeTestVault,
  objectsOf,
  openTestVault,
  outcomes,
  pathsOf,
  resetTestVault,
  server,
  service,
  show,
  work,
} from '../../testing/test-vault.ts'
import { assetKey } from './asset-key.ts'
import { removeOrphanedAssets } from './delete-assets.ts'

beforeAll(openTestVault)
afterAll(closeTestVault)
beforeEach(resetTestVault)

test('recordings of a project share a content, which is deleted with the last of them', async () => {
  const [one, other] = [await insertRecording(service), await insertRecording(service)]
  for (const recording of [one, other]) await show(recording, 0, '/a.png')
  await work({ limits: { atOnce: 1 } })
  expect(pathsOf()).toEqual(['/a.png'])
  expect(await objectsOf(one)).toHaveLength(1)
  await deleteRecordings(service.services, [one.id])
  expect(await outcomes(other)).toEqual({ '/a.png': png.toString('latin1') })
  await deleteRecordings(service.services, [other.id])
  expect(await objectsOf(one)).toEqual([])
  expect(await service.services.store.selectFrom('recorded_assets').selectAll().execute()).toEqual([])
})

test('another project fetches and stores its own copy', async () => {
  const own = await insertRecording(service)
  const foreign = await insertRecording(service, { project_id: service.secondProjectId })
  for (const recording of [own, foreign]) await show(recording, 0, '/a.png')
  await work({ limits: { atOnce: 1 } })
  expect(pathsOf()).toEqual(['/a.png', '/a.png'])
  expect([await objectsOf(own), await objectsOf(foreign)].map((keys) => keys.length)).toEqual([1, 1])
  await deleteRecordings(service.services, [own.id])
  expect(await outcomes(foreign)).toEqual({ '/a.png': png.toString('latin1') })
})

test('files are deleted with a recording past its retention, but not those of a kept one', async () => {
  const start_time = new Date(service.clock.now() - 11 * 86_400_000)
  const old = await insertRecording(service, { start_time })
  const kept = await insertRecording(service, { start_time, persisted_at: start_time })
  server.answer('/b.png', Buffer.concat([png, png]))
  await show(old, 0, '/a.png', '/b.png')
  await show(kept, 0, '/a.png')
  await work()
  expect(await objectsOf(old)).toHaveLength(2)
  while ((await removeOldRecordings(service.services)) > 0);
  expect(await objectsOf(old)).toHaveLength(1)
  expect(await outcomes(kept)).toEqual({ '/a.png': png.toString('latin1') })
})

test('files without a recording and objects without a row, which a crash leaves, are removed', async () => {
  const recording = await insertRecording(service)
  await show(recording, 0, '/a.png')
  await work()
  const { objects, store } = service.services
  const stray = [1, 2].map((byte) => Buffer.alloc(32, byte))
  for (const hash of stray) await objects.put(assetKey(recording.project_id, hash), png)
  const unnamed = { project_id: recording.project_id, content_type: 'image/png', bytes: 1 }
  await store
    .insertInto('recorded_assets')
    .values({ ...unnamed, hash: Buffer.alloc(32, 1) })
    .execute()
  await removeOrphanedAssets(service.services)
  expect(await objectsOf(recording)).toHaveLength(1)
  expect(await store.selectFrom('recorded_assets').select('bytes').execute()).toEqual([{ bytes: png.length }])
})

test('a deleted recording gets no files', async () => {
  const recording = await insertRecording(service)
  server.answer('/a.png', (response) => {
    void deleteRecordings(service.services, [recording.id]).then(() => response.end(png))
  })
  await show(recording, 0, '/a.png')
  expect(await work()).toBe(1)
  expect(await objectsOf(recording)).toEqual([])
  const { store } = service.services
  expect(await store.selectFrom('session_recording_assets').select('id').execute()).toEqual([])
})
