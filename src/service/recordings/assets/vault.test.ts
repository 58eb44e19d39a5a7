import { createHash } from 'node:crypto'
import type { KyselyPlugin, QueryId } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NodeType } from '../../../replay/recorded/rrweb.ts'
import { blockKeys } from '../../store/recordings/recording-blocks.ts'
import { changeRecordingSettings } from '../../store/recordings/recording-settings.ts'
import { png } from '../../testing/servers/test-asset-server.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { deleteRecordings } from '../delete-recordings.ts'
import {
  closeTestVault,
  list,
  never,
  objectsOf,
  openTestVault,
  outcomes,
  pathsOf,
  resetTestVault,
  search,
  searchAll,
  server,
  service,
  show,
  showNodes,
  times,
  vault,
  work,
} from '../../testing/test-vault.ts'
import { assetKey } from './asset-key.ts'
import { openVault } from './vault.ts'

beforeAll(openTestVault)
afterAll(closeTestVault)
beforeEach(resetTestVault)

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
