import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NodeType } from '../../../replay/recorded/rrweb.ts'
import { listUnsearched } from '../../store/recordings/asset-search.ts'
import { png } from '../../testing/servers/test-asset-server.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import {
  closeTestVault,
  list,
  never,
  openTestVault,
  outcomes,
  pathsOf,
  resetTestVault,
  searchAll,
  server,
  service,
  show,
  showNodes,
  vault,
  work,
} from '../../testing/test-vault.ts'
import { openAssetSearch } from './search-assets.ts'

beforeAll(openTestVault)
afterAll(closeTestVault)
beforeEach(resetTestVault)

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
