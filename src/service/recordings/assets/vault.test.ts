import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { RecordedAssets } from '../../../contract/recorded-asset.ts'
import { EventType, NodeType } from '../../../contract/rrweb.ts'
import { blockKeys } from '../../store/recording-blocks.ts'
import { changeRecordingSettings } from '../../store/recording-settings.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'
import { png, startAssetServer, type TestAssetServer } from '../../testing/test-asset-server.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, type TestService } from '../../testing/test-service.ts'
import { deleteRecordings } from '../delete-recordings.ts'
import { removeOldRecordings } from '../retention.ts'
import { assetFolder, assetKey } from './asset-key.ts'
import { removeOrphanedAssets } from './delete-assets.ts'
import { openAssetSearch, type AssetSearch } from './search-assets.ts'
import { openVault } from './vault.ts'

let service: TestService
let server: TestAssetServer
let search: AssetSearch

beforeAll(async () => {
  service = await createTestService({ config: { recordingRetentionDays: 10 } })
  search = openAssetSearch(service.services)
})
afterAll(async () => {
  await search.stop()
  await service.stop()
})
beforeEach(async () => {
  const { store } = service.services
  await store.deleteFrom('session_recordings').execute()
  await removeOrphanedAssets(service.services)
  await store.deleteFrom('recording_settings').execute()
  server = await startAssetServer()
  server.answer('/a.png', png)
  return () => server.stop()
})

const never = new AbortController().signal

/** Adds a block whose page shows these images. */
async function show(recording: RecordingRow, number: number, ...sources: string[]): Promise<void> {
  const images = sources.map((src) => ({
    type: NodeType.Element,
    tagName: 'img',
    attributes: { src },
    childNodes: [],
  }))
  await showNodes(recording, number, images)
}

async function showNodes(recording: RecordingRow, number: number, childNodes: object[]): Promise<void> {
  const timestamp = service.clock.now()
  const node = { type: NodeType.Document, childNodes }
  await insertBlock(service, recording, number, [
    ['w', { type: EventType.Meta, timestamp, data: { href: `${server.origin}/shop/` } }],
    ['w', { type: EventType.FullSnapshot, timestamp, data: { node } }],
  ])
}

/** Searches all recordings and fetches all files, as the background work does. */
async function work(options: Parameters<typeof openVault>[1] = {}): Promise<number> {
  while ((await search.run()) > 0);
  return await openVault(service.services, { policy: server.policy, ...options }).fetchWaiting(never)
}

async function list({ project_id, session_id }: RecordingRow): Promise<RecordedAssets> {
  const path = `/api/projects/${project_id}/session_recordings/${session_id}/assets/`
  return bodyOf(RecordedAssets, await service.request('GET', path))
}

/** Returns the outcome of each file: its content, its reason, or "pending". */
async function outcomes(recording: RecordingRow): Promise<Record<string, string>> {
  const { results, pending } = await list(recording)
  const entries = results.map(async ({ url, path, reason }) => {
    const content =
      path === null ? reason : (await service.server.inject({ url: path })).rawPayload.toString('latin1')
    return [url.replace(server.origin, ''), content ?? ''] as const
  })
  return {
    ...Object.fromEntries(await Promise.all(entries)),
    ...(pending > 0 && { pending: String(pending) }),
  }
}

const objectsOf = ({ project_id }: RecordingRow) => service.services.objects.list(assetFolder(project_id))
const pathsOf = () => server.requests.map(({ path }) => path)

test('fetches the files of a recording once, as its blocks arrive', async () => {
  const recording = await insertRecording(service)
  await show(recording, 0, '/a.png', '../a.png#again', 'data:image/png;base64,AA')
  expect(await work()).toBe(1)
  server.answer('/b.png', Buffer.concat([png, png]))
  await show(recording, 1, '/a.png', '/b.png')
  expect(await work()).toBe(1)
  expect(await work()).toBe(0)
  const image = png.toString('latin1')
  expect(await outcomes(recording)).toEqual({ '/a.png': image, '/b.png': image + image })
  expect(pathsOf()).toEqual(['/a.png', '/b.png'])
})

test('fetches the files that style sheets name, to a depth of three', async () => {
  server.answer('/css/shop.css', '@import "more/base.css"; p { background: url(../a.png) }')
  server.redirect('/css/more/base.css', '/v2/base.css')
  server.answer('/v2/base.css', '@font-face { src: url(lamp.woff2) } @import "deep.css";')
  server.answer('/v2/lamp.woff2', 'wOF2 font')
  server.answer('/v2/deep.css', '@import "deeper.css";')
  server.answer('/v2/deeper.css', 'p { background: url(deepest.png) }')
  const recording = await insertRecording(service)
  const attributes = { rel: 'stylesheet', href: '/css/shop.css' }
  await showNodes(recording, 0, [{ type: NodeType.Element, tagName: 'link', attributes, childNodes: [] }])
  expect(await work()).toBe(6)
  const { results } = await list(recording)
  const paths = new Map(results.map(({ url, path }) => [url.replace(server.origin, ''), path]))
  expect([...paths.keys()].toSorted()).toEqual([
    '/a.png',
    '/css/more/base.css',
    '/css/shop.css',
    '/v2/deep.css',
    '/v2/deeper.css',
    '/v2/lamp.woff2',
  ])
  expect(await outcomes(recording)).toMatchObject({
    '/css/shop.css': `@import url("${paths.get('/css/more/base.css')}"); p { background: url("${paths.get('/a.png')}") }`,
    '/css/more/base.css': `@font-face { src: url("${paths.get('/v2/lamp.woff2')}") } @import url("${paths.get('/v2/deep.css')}");`,
    '/v2/deeper.css': 'p { background: url("data:,") }',
    '/v2/lamp.woff2': 'wOF2 font',
  })
})

test('says why a file is missing, and never fetches it again', async () => {
  server.answer('/page.png', '<!doctype html>')
  const recording = await insertRecording(service)
  await show(recording, 0, '/page.png', '/gone.png', 'http://shop.test:1/a.png')
  await work()
  await work()
  expect(await outcomes(recording)).toEqual({
    '/page.png': 'The file is not an image or font that browsers show.',
    '/gone.png': 'The server answered with status 404.',
    'http://shop.test:1/a.png': 'Files are not fetched from port 1.',
  })
  expect(pathsOf().toSorted()).toEqual(['/gone.png', '/page.png'])
})

test('without a policy, loopback is refused even where destinations may use private addresses', async () => {
  const { config } = service.services
  const vault = openVault({ ...service.services, config: { ...config, privateDestinations: 'all' } } as never)
  const recording = await insertRecording(service)
  await show(recording, 0, '/a.png', 'http://127.0.0.1/a.png', 'http://localhost/a.png')
  while ((await search.run()) > 0);
  expect(await vault.fetchWaiting(never)).toBe(3)
  expect(await outcomes(recording)).toEqual({
    '/a.png': `Files are not fetched from port ${server.port}.`,
    'http://127.0.0.1/a.png': 'The host 127.0.0.1 is not on the public internet.',
    'http://localhost/a.png': 'localhost is not the name of a public host.',
  })
  expect(server.requests).toEqual([])
})

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

test('a project can list hosts, or turn fetching off', async () => {
  const { store } = service.services
  const recording = await insertRecording(service)
  const settings = { assets: 'listed' as const, asset_hosts: ['127.0.0.1'] }
  await changeRecordingSettings(store, recording.project_id, settings)
  await show(recording, 0, '/a.png', `http://shop.test:${server.port}/a.png`)
  await work()
  expect(await outcomes(recording)).toEqual({
    '/a.png': png.toString('latin1'),
    [`http://shop.test:${server.port}/a.png`]: 'The project does not list the host shop.test.',
  })
  await changeRecordingSettings(store, recording.project_id, { assets: 'off' })
  await show(recording, 1, '/later.png')
  expect(await work()).toBe(0)
  expect(await outcomes(recording)).toMatchObject({
    '/later.png': 'The project does not fetch the files of recordings.',
  })
  expect(server.lookups).toEqual([])
})

test('a process that ends while it fetches loses and repeats nothing', async () => {
  const recording = await insertRecording(service)
  await show(recording, 0, '/a.png')
  const { objects, store, clock } = service.services
  // The process ends between the object and its row.
  const hash = createHash('sha256').update(png).digest()
  await objects.put(assetKey(recording.project_id, hash), png)
  while ((await search.run()) > 0);
  await store
    .updateTable('session_recording_assets')
    .set({ claimed_until: new Date(clock.now() + 60_000) })
    .execute()
  expect(await work()).toBe(0)
  expect(await outcomes(recording)).toEqual({ pending: '1' })
  service.clock.advance(60_000)
  expect(await work()).toBe(1)
  expect(await outcomes(recording)).toEqual({ '/a.png': png.toString('latin1') })
  expect(await objectsOf(recording)).toHaveLength(1)
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

test('stops when the service does, and continues after its start', async () => {
  const recording = await insertRecording(service)
  const stopping = new AbortController()
  server.answer('/slow.png', () => stopping.abort())
  await show(recording, 0, '/slow.png')
  while ((await search.run()) > 0);
  await openVault(service.services, { policy: server.policy }).fetchWaiting(stopping.signal)
  expect(await outcomes(recording)).toEqual({ pending: '1' })
  server.answer('/slow.png', png)
  expect(await work()).toBe(1)
  expect(await outcomes(recording)).toEqual({ '/slow.png': png.toString('latin1') })
})

test('limits concurrent fetches per host, fetches per minute of a project, and bytes of a recording', async () => {
  const sources = Array.from({ length: 12 }, (_, index) => `/${index}.png`)
  for (const [index, path] of sources.entries())
    server.answer(path, Buffer.concat([png, Buffer.alloc(100, index)]))
  const recording = await insertRecording(service)
  await show(recording, 0, ...sources)
  const limits = {
    host: { atOnce: 2, perMinute: 100 },
    project: { atOnce: 4, perMinute: 8 },
    recordingBytes: 10 * 113,
  }
  while ((await search.run()) > 0);
  const vault = openVault(service.services, { policy: server.policy, limits })
  await vault.fetchWaiting(never)
  expect(server.requests).toHaveLength(8)
  expect(server.runningMost()).toBeLessThanOrEqual(2)
  service.clock.advance(60_000)
  await vault.fetchWaiting(never)
  const reasons = Object.values(await outcomes(recording)).filter((outcome) =>
    outcome.startsWith('The files'),
  )
  expect(reasons).toHaveLength(2)
})

test('a recording whose blocks are gone or damaged is searched once', async () => {
  await insertRecording(service, { block_count: 3 })
  const damaged = await insertRecording(service)
  await show(damaged, 0, '/a.png')
  const [key = ''] = await blockKeys(service.services.store, damaged.id, 0, 0)
  await service.services.objects.put(key, Buffer.from('damaged'))
  await show(damaged, 1, '/a.png')
  expect([await search.run(), await search.run()]).toEqual([2, 0])
  expect(await outcomes(damaged)).toEqual({ pending: '1' })
})

test.each([
  ['stored', '/b.png'],
  ['refused', '/page.html'],
])('fetches a limited number of bytes in an hour for a project, counting a %s file', async (_, path) => {
  server.answer('/b.png', Buffer.concat([png, Buffer.alloc(1000)]))
  server.answer('/page.html', `<!doctype html>${' '.repeat(1000)}`)
  await show(await insertRecording(service), 0, path)
  await show(await insertRecording(service), 0, '/a.png')
  while ((await search.run()) > 0);
  const limits = { atOnce: 1, projectBytesPerHour: 1000 }
  const vault = openVault(service.services, { policy: server.policy, limits })
  expect(await vault.fetchWaiting(never)).toBe(1)
  expect(pathsOf()).toEqual([path])
  service.clock.advance(3_600_000)
  expect(await vault.fetchWaiting(never)).toBe(1)
  expect(pathsOf()).toEqual([path, '/a.png'])
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
