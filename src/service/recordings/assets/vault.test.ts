import { createHash } from 'node:crypto'
import type { KyselyPlugin, QueryId } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { EventType, NodeType } from '../../../replay/recorded/rrweb.ts'
import { listUnsearched } from '../../store/recordings/asset-search.ts'
import { blockKeys } from '../../store/recordings/recording-blocks.ts'
import { changeRecordingSettings } from '../../store/recordings/recording-settings.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { png, startAssetServer, type TestAssetServer } from '../../testing/servers/test-asset-server.ts'
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
  await store.deleteFrom('asset_fetch_counts').execute()
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
async function work(options: VaultOptions = {}): Promise<number> {
  await searchAll()
  return await vault(options).fetchWaiting(never)
}

async function searchAll(): Promise<void> {
  while ((await search.run()) > 0);
}

/** Time limits (ms) so long that a slow machine makes no file unavailable. */
const times = { silence: 60_000, total: 60_000 }
type VaultOptions = Parameters<typeof openVault>[1]

function vault(options: VaultOptions = {}) {
  return openVault(service.services, { policy: server.policy, times, ...options })
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

/** Delays the result of a claim that finds no file until the condition holds. */
function delayEmptyClaims(condition: () => Promise<boolean>): KyselyPlugin {
  const claims = new WeakSet<QueryId>()
  return {
    transformQuery({ node, queryId }) {
      const isClaim =
        node.kind === 'RawNode' && node.sqlFragments.some((part) => part.includes('open_projects'))
      if (isClaim) claims.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (claims.has(queryId) && result.rows.length === 0) while (!(await condition()));
      return result
    },
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
  const strict = openVault({
    ...service.services,
    config: { ...config, privateDestinations: 'all' },
  } as never)
  const recording = await insertRecording(service)
  await show(recording, 0, '/a.png', 'http://127.0.0.1/a.png', 'http://localhost/a.png')
  await searchAll()
  expect(await strict.fetchWaiting(never)).toBe(3)
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
  expect((await list(recording)).missing).toEqual([
    { reason: 'The project does not fetch the files of recordings.', count: 1 },
    { reason: 'The project does not list the host shop.test.', count: 1 },
  ])
  expect(server.lookups).toEqual([])
})

test('a process that ends while it fetches loses and repeats nothing', async () => {
  const recording = await insertRecording(service)
  await show(recording, 0, '/a.png')
  const { objects, store, clock } = service.services
  // The process ends between the object and its row.
  const hash = createHash('sha256').update(png).digest()
  await objects.put(assetKey(recording.project_id, hash), png)
  await searchAll()
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
  await searchAll()
  await vault().fetchWaiting(stopping.signal)
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
  await searchAll()
  const limited = vault({ limits })
  await limited.fetchWaiting(never)
  expect(server.requests).toHaveLength(8)
  expect(server.runningMost()).toBeLessThanOrEqual(2)
  service.clock.advance(60_000)
  await limited.fetchWaiting(never)
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
  await show(await insertRecording(service), 0, path, '/a.png')
  await searchAll()
  const limits = { atOnce: 1, projectBytesPerHour: 1000 }
  const limited = vault({ limits })
  expect(await limited.fetchWaiting(never)).toBe(1)
  expect(pathsOf()).toEqual([path])
  service.clock.advance(3_600_000)
  expect(await limited.fetchWaiting(never)).toBe(1)
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

test('fetches the first files of all recordings before the second files of any, newer recordings first', async () => {
  const [old, recent] = [await insertRecording(service), await insertRecording(service)]
  await show(old, 0, '/old0.png', '/old1.png', '/old2.png')
  await show(recent, 0, '/new0.png', '/new1.png')
  await work({ limits: { atOnce: 1 } })
  expect(pathsOf()).toEqual(['/new0.png', '/old0.png', '/new1.png', '/old1.png', '/old2.png'])
})

test('two projects with slow hosts leave room for a third, also for files that arrive later', async () => {
  const third = await insertRecording(service, { project_id: service.other.project_id })
  const answered = Promise.withResolvers<void>()
  server.answer('/late.png', (response) => {
    response.end(png)
    answered.resolve()
  })
  const sources = Array.from({ length: 10 }, (_, index) => `/slow${index}.png`)
  for (const path of sources)
    server.answer(path, async (response) => {
      if (server.requests.length === 6) await show(third, 0, '/late.png').then(searchAll)
      await answered.promise
      response.end(png)
    })
  for (const project_id of [service.own.project_id, service.secondProjectId])
    await show(await insertRecording(service, { project_id }), 0, ...sources)
  const host = { atOnce: 100, perMinute: 100 }
  await work({ limits: { host }, pollMs: 5 })
  expect(pathsOf()).toHaveLength(21)
  expect(pathsOf()[6]).toBe('/late.png')
})

test('two processes together keep within the limits of a host', async () => {
  const sources = Array.from({ length: 6 }, (_, index) => `/${index}.png`)
  for (const path of sources) server.answer(path, png)
  await show(await insertRecording(service), 0, ...sources)
  await searchAll()
  const limits = { host: { atOnce: 1, perMinute: 4 } }
  const processes = [vault({ limits }), vault({ limits })]
  await Promise.all(processes.map((process) => process.fetchWaiting(never)))
  expect([server.requests.length, server.runningMost()]).toEqual([4, 1])
})

test('continues if a file is stored while the search for the next one finds none', async () => {
  const recording = await insertRecording(service)
  server.answer('/b.png', Buffer.concat([png, png]))
  await show(recording, 0, '/a.png', '/b.png')
  await searchAll()
  const isFirstStored = async () => (await list(recording)).pending < 2
  const store = service.services.store.withPlugin(delayEmptyClaims(isFirstStored))
  const limits = { host: { atOnce: 1, perMinute: 100 } }
  const delayed = openVault({ ...service.services, store }, { policy: server.policy, times, limits })
  expect(await delayed.fetchWaiting(never)).toBe(2)
  expect(pathsOf()).toEqual(['/a.png', '/b.png'])
})

test('searches the newest recording of each project first', async () => {
  const { store, clock } = service.services
  const flood = [await insertRecording(service), await insertRecording(service)]
  const foreign = await insertRecording(service, { project_id: service.secondProjectId })
  for (const recording of [...flood, foreign]) await show(recording, 0, '/a.png')
  const options = { now: new Date(clock.now()), perProject: 10, max: 2 }
  const projects = (await listUnsearched(store, options)).map(({ project_id }) => project_id)
  expect(projects.toSorted()).toEqual([service.own.project_id, service.secondProjectId].toSorted())
})

test('files beyond the limit of a project wait, while every recording has its share', async () => {
  const limited = openAssetSearch(service.services, { project: 2, recording: 1 })
  const [flood, real] = [await insertRecording(service), await insertRecording(service)]
  await show(flood, 0, '/0.png', '/1.png', '/2.png', '/3.png')
  await limited.run()
  expect(await outcomes(flood)).toEqual({ pending: '2' })
  await show(real, 0, '/a.png', '/4.png')
  await limited.run()
  expect([await limited.run(), await outcomes(flood), await outcomes(real)]).toEqual([
    0,
    { pending: '2' },
    { pending: '1' },
  ])
  for (let round = 0; round < 3; round += 1) {
    await vault().fetchWaiting(never)
    service.clock.advance(60_000)
    await limited.run()
  }
  await limited.stop()
  expect(pathsOf().toSorted()).toEqual(['/0.png', '/1.png', '/2.png', '/3.png', '/4.png', '/a.png'])
})

test('a style sheet is fetched again later if too many files are waiting', async () => {
  server.answer('/shop.css', 'p { background: url(a.png) } a { background: url(b.png) }')
  const recording = await insertRecording(service)
  const attributes = { rel: 'stylesheet', href: '/shop.css' }
  await showNodes(recording, 0, [{ type: NodeType.Element, tagName: 'link', attributes, childNodes: [] }])
  const limits = { pending: { project: 0, recording: 2 } }
  expect(await work({ limits })).toBe(2)
  expect((await list(recording)).missing).toContainEqual({
    reason: 'Too many files of the project are waiting to be fetched.',
    count: 1,
  })
  service.clock.advance(10_000)
  expect(await work({ limits })).toBe(2)
  expect(Object.keys(await outcomes(recording)).toSorted()).toEqual(['/a.png', '/b.png', '/shop.css'])
})

test('an unavailable file is fetched again three times, then it is missing', async () => {
  const recording = await insertRecording(service)
  let answers = 0
  server.answer('/busy.png', (response) => {
    answers += 1
    response.writeHead(answers > 1 ? 200 : 503).end(png)
  })
  server.answer('/down.png', (response) => response.destroy())
  await show(recording, 0, '/busy.png', '/down.png', '/gone.png')
  expect(await work()).toBe(3)
  expect(await outcomes(recording)).toEqual({
    '/busy.png': 'The server answered with status 503.',
    '/down.png': 'The server cannot be reached.',
    '/gone.png': 'The server answered with status 404.',
  })
  expect(await work()).toBe(0)
  for (const [delay, count] of [
    [10_000, 2],
    [60_000, 1],
    [600_000, 1],
    [6_000_000, 0],
  ] as const) {
    service.clock.advance(delay)
    expect(await work()).toBe(count)
  }
  expect(await outcomes(recording)).toEqual({
    '/busy.png': png.toString('latin1'),
    '/down.png': 'The server cannot be reached. It was tried 4 times.',
    '/gone.png': 'The server answered with status 404.',
  })
})

test('lists the first 50 missing files of a recording, counts the others, and fetches none again', async () => {
  const recording = await insertRecording(service)
  const sources = Array.from({ length: 60 }, (_, index) => `/gone${index}.png`)
  await show(recording, 0, ...sources)
  expect(await work()).toBe(60)
  await show(recording, 1, ...sources)
  expect(await work()).toBe(0)
  const { results, missing } = await list(recording)
  expect([results.length, missing]).toEqual([
    50,
    [{ reason: 'The server answered with status 404.', count: 60 }],
  ])
  await deleteRecordings(service.services, [recording.id])
  const { store } = service.services
  expect(await store.selectFrom('session_recording_refused_assets').selectAll().execute()).toEqual([])
})
