import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { offsetPage } from '../../../contract/page.ts'
import { EventType, IncrementalSource, networkPlugin, consolePlugin } from '../../../replay/recorded/rrweb.ts'
import { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { OpenedLink, RecordingLink, SharingConfiguration } from '../../../contract/recordings/sharing.ts'
import { SnapshotSources } from '../../../contract/recordings/snapshot.ts'
import { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { insertAsset, insertBlock, insertLink, insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const of = '/api/projects/:project_id/session_recordings/:recording_id/links/'
const start = Date.parse('2026-03-04T10:20:00Z')
let service: TestService
let recording: RecordingRow
let path: string

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  recording = await insertRecording(service)
  path = `/api/projects/${service.own.project_id}/session_recordings/${recording.session_id}/`
})

const create = async (body: object) =>
  bodyOf(RecordingLink, await service.request('POST', `${path}links/`, { body }))
const change = async (id: string, body: object) =>
  bodyOf(RecordingLink, await service.request('PATCH', `${path}links/${id}/`, { body }))
const list = async (search = '') =>
  bodyOf(offsetPage(RecordingLink), await service.request('GET', `${path}links/${search}`))
const ask = (url: string) => service.request('GET', url, { key: '' })
const follow = async (token: string) => (await ask(`/api/shared/${token}/`)).status

/** Requests the blocks from `first` to `last` with a link. */
const blocks = async ({ access_token }: { access_token: string }, first: number, last: number) =>
  (
    await ask(
      `${path}snapshots/?source=blob_v2&start_blob_key=${first}&end_blob_key=${last}&sharing_access_token=${access_token}`,
    )
  ).text

test(`POST ${of} returns 201 with a link that shows the picture alone`, async () => {
  const link = await create({ label: 'For the shop team' })
  expect(link).toEqual({
    id: expect.any(String),
    created_at: '2026-03-04T10:30:00Z',
    enabled: true,
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    expires_at: null,
    password_required: false,
    views: 0,
    last_viewed_at: null,
    start: null,
    end: null,
    shows: 'picture',
    masks: [],
    label: 'For the shop team',
    highlights: null,
  })
  expect(await follow(link.access_token)).toBe(200)
})

test(`GET ${of} returns 200 with the links but the default one, in pages, with their views`, async () => {
  await service.request('PATCH', `${path}sharing/`, { body: { enabled: true } })
  const first = await create({})
  const second = await create({ highlights: 30 })
  await follow(second.access_token)
  const page = await list()
  expect(page).toMatchObject({ count: 2, next: null, previous: null })
  expect(page.results).toEqual(
    expect.arrayContaining([first, { ...second, views: 1, last_viewed_at: '2026-03-04T10:30:00Z' }]),
  )
  expect((await list('?limit=1')).next).toContain('offset=1')
})

test(`PATCH ${of}:link_id/ revokes a link at once, and restores the same link`, async () => {
  const { id, access_token } = await create({})
  expect((await change(id, { enabled: false })).enabled).toBe(false)
  expect(problemOf(await ask(`/api/shared/${access_token}/`)).code).toBe('link_revoked')
  service.clock.advance(60_000)
  await change(id, { enabled: false })
  expect(problemOf(await ask(`/api/shared/${access_token}/`)).ended_at).toBe('2026-03-04T10:30:00Z')
  service.clock.set('2026-03-04T10:30:00Z')
  expect((await change(id, { enabled: true })).access_token).toBe(access_token)
  expect(await follow(access_token)).toBe(200)
})

test(`DELETE ${of}:link_id/ returns 204, and the link stops working`, async () => {
  const { id, access_token } = await create({})
  expect((await service.request('DELETE', `${path}links/${id}/`)).status).toBe(204)
  expect(await follow(access_token)).toBe(403)
  expect((await list()).count).toBe(0)
})

test.each([
  [{ start: 30, end: 20 }, 'end'],
  [{ start: 61 }, 'start'],
  [{ end: 0 }, 'end'],
  [{ start: -1 }, 'start'],
  [{ masks: [{ kind: 'selector', selector: 'p:hover' }] }, 'masks__0__selector'],
  [{ masks: [{ kind: 'selector', selector: '[[' }] }, 'masks__0__selector'],
  [{ masks: [{ kind: 'selector', selector: 'a b c d e f g' }] }, 'masks__0__selector'],
  [{ expires_at: '2026-03-04T10:30:00Z' }, 'expires_at'],
  [{ highlights: 20 }, 'highlights'],
  [{ colour: 'red' }, 'colour'],
])('a link with %j is refused', async (body, attr) => {
  const response = await service.request('POST', `${path}links/`, { body })
  expect([response.status, problemOf(response).attr]).toEqual([400, attr])
})

test('a recording has at most 100 links besides the default one', async () => {
  await Promise.all(Array.from({ length: 100 }, () => insertLink(service, { recording_id: recording.id })))
  expect((await service.request('POST', `${path}links/`, { body: {} })).status).toBe(409)
})

test('SessionRecording says whether a link opens the recording', async () => {
  const isShared = async () => bodyOf(SessionRecording, await service.request('GET', path)).shared
  expect(await isShared()).toBe(false)
  const { id } = await create({ expires_at: '2026-03-05T10:30:00Z' })
  expect(await isShared()).toBe(true)
  await change(id, { enabled: false })
  expect(await isShared()).toBe(false)
  bodyOf(SharingConfiguration, await service.request('PATCH', `${path}sharing/`, { body: { enabled: true } }))
  expect(await isShared()).toBe(true)
})

const page = (texts: string[], tagName = 'p') => ({
  type: 0,
  id: 1,
  childNodes: [
    {
      type: 2,
      id: 2,
      tagName: 'html',
      attributes: {},
      childNodes: texts.map((text, index) => ({
        type: 2,
        id: 10 + 2 * index,
        tagName,
        attributes: { class: `text-${index}`, title: `hint ${index}` },
        childNodes: [{ type: 3, id: 11 + 2 * index, textContent: text }],
      })),
    },
  ],
})
const at = (seconds: number, type: number, data: object) =>
  ['window', { type, timestamp: start + seconds * 1000, data }] as const
const text = (seconds: number, id: number, value: string) =>
  at(seconds, EventType.IncrementalSnapshot, {
    source: IncrementalSource.Mutation,
    texts: [{ id, value }],
    adds: [],
    removes: [],
    attributes: [],
  })

/** A recording of a minute: two texts that change every ten seconds, console lines and requests. */
async function insertEvents(): Promise<void> {
  const meta = { href: 'https://shop.example/cart?token=secret#top', width: 800, height: 600 }
  await insertBlock(service, recording, 0, [
    at(0, EventType.Meta, meta),
    at(0, EventType.FullSnapshot, {
      node: page(['first 0', 'second 0']),
      initialOffset: { left: 0, top: 0 },
    }),
    text(10, 11, 'first 10'),
    at(12, EventType.Plugin, { plugin: consolePlugin, payload: { level: 'log', payload: ['"early line"'] } }),
  ])
  await insertBlock(service, recording, 1, [
    text(20, 13, 'second 20'),
    text(30, 11, 'first 30'),
    at(32, EventType.Plugin, { plugin: consolePlugin, payload: { level: 'log', payload: ['"a line"'] } }),
    at(33, EventType.Plugin, {
      plugin: networkPlugin,
      payload: { requests: [{ name: 'https://api.example/x' }] },
    }),
    at(34, EventType.Custom, { tag: '$session_options', payload: { api: 'private' } }),
  ])
  await insertBlock(service, recording, 2, [text(50, 13, 'second 50')])
}

test('an event within the range does not report requests from before its start', async () => {
  await insertBlock(service, recording, 0, [
    at(0, EventType.Meta, { href: 'https://shop.example/', width: 800, height: 600 }),
    at(0, EventType.FullSnapshot, { node: page(['text']), initialOffset: { left: 0, top: 0 } }),
    at(20, EventType.Plugin, {
      plugin: networkPlugin,
      payload: {
        requests: [
          { name: 'https://api.example/early', timestamp: start + 5000 },
          { name: 'https://api.example/within', timestamp: start + 19_000 },
        ],
      },
    }),
  ])
  const sent = await blocks(await create({ start: 15, shows: 'network' }), 0, 1)
  expect(sent).toContain('https://api.example/within')
  expect(sent).not.toContain('early')
})

test('a range is cut by the service: nothing from before its start or after its end is sent', async () => {
  await insertEvents()
  const link = await create({ start: 15, end: 40 })
  const opened = bodyOf(OpenedLink, await ask(`/api/shared/${link.access_token}/`))
  expect(opened).toMatchObject({
    start_time: '2026-03-04T10:20:15Z',
    end_time: '2026-03-04T10:20:40Z',
    recording_duration: 25,
    shows: 'picture',
  })
  const search = `?sharing_access_token=${link.access_token}`
  const { sources } = bodyOf(SnapshotSources, await ask(`${path}snapshots/${search}`))
  expect(sources.map(({ blob_key }) => blob_key)).toEqual(['0', '1'])
  const sent = await blocks(link, 0, 1)
  for (const shown of ['first 10', 'second 0', 'second 20', 'first 30', 'https://shop.example/cart"'])
    expect(sent).toContain(shown)
  for (const hidden of ['first 0', 'second 50', 'secret', '#top', 'line', 'api.example', 'private'])
    expect(sent).not.toContain(hidden)
  const times = sent
    .split('\n')
    .map((line) => (JSON.parse(line) as [string, { timestamp: number }])[1].timestamp)
  expect(times.every((time) => time >= start + 15_000 && time <= start + 40_000)).toBe(true)
  const beyond = `${path}snapshots/?source=blob_v2&start_blob_key=2&end_blob_key=2&sharing_access_token=${link.access_token}`
  expect((await ask(beyond)).status).toBe(404)
})

test.each([
  ['console', ['a line'], ['api.example', 'token=secret']],
  ['network', ['api.example', 'token=secret'], ['a line']],
  ['all', ['a line', 'api.example', 'private'], []],
] as const)('a link that shows %s sends it, and nothing else', async (shows, shown, hidden) => {
  await insertEvents()
  const sent = await blocks(await create({ shows }), 0, 2)
  for (const text of shown) expect(sent).toContain(text)
  for (const text of hidden) expect(sent).not.toContain(text)
  expect(sent).toContain('second 50')
})

test.each([
  ['a selector', [{ kind: 'selector', selector: '.text-1' }], ['first 0', 'first 30'], ['second', 'hint 1']],
  ['all text', [{ kind: 'text' }], ['text-1'], ['first', 'second', 'hint']],
] as const)('%s masks parts of the page in every block', async (_, masks, shown, hidden) => {
  await insertEvents()
  const link = await create({ masks })
  for (const [first, last] of [
    [0, 2],
    [1, 1],
    [2, 2],
  ] as const) {
    const sent = await blocks(link, first, last)
    for (const text of hidden) expect(sent).not.toContain(text)
    if (first === 0) for (const text of shown) expect(sent).toContain(text)
  }
})

test('a link lists only the files that its range shows', async () => {
  const image = (seconds: number, name: string) =>
    at(seconds, EventType.IncrementalSnapshot, {
      source: IncrementalSource.Mutation,
      adds: [],
      removes: [],
      texts: [],
      attributes: [{ id: 12, attributes: { src: `https://shop.example/${name}.png` } }],
    })
  const meta = { href: 'https://shop.example/', width: 800, height: 600 }
  await insertBlock(service, recording, 0, [
    at(0, EventType.Meta, meta),
    at(0, EventType.FullSnapshot, { node: page(['one', 'two'], 'img'), initialOffset: {} }),
    image(10, 'early'),
    image(20, 'shown'),
    image(50, 'late'),
  ])
  for (const name of ['early', 'shown', 'late'])
    await insertAsset(
      service,
      recording,
      { content: name, content_type: 'image/png' },
      {
        url: `https://shop.example/${name}.png`,
      },
    )
  const urls = async (body: object) => {
    const { access_token } = await create(body)
    const response = await ask(`${path}assets/?sharing_access_token=${access_token}`)
    return bodyOf(RecordedAssets, response).results.map(({ url }) => url)
  }
  expect(await urls({})).toHaveLength(3)
  expect(await urls({ start: 15, end: 40 })).toEqual([
    'https://shop.example/early.png',
    'https://shop.example/shown.png',
  ])
  expect(await urls({ start: 25, end: 40 })).toEqual(['https://shop.example/shown.png'])
  expect(await urls({ masks: [{ kind: 'selector', selector: '.text-1' }] })).toEqual([])
  expect(await urls({ masks: [{ kind: 'images' }] })).toEqual([])
})

test('a link to the recording of an app can be limited to a range and mask texts, but no elements', async () => {
  recording = await insertRecording(service, { snapshot_source: 'mobile' })
  path = `/api/projects/${service.own.project_id}/session_recordings/${recording.session_id}/`
  const masks = [{ kind: 'text' }, { kind: 'selector', selector: '.address' }]
  const refused = await service.request('POST', `${path}links/`, { body: { masks } })
  expect([refused.status, refused.body]).toEqual([
    400,
    expect.objectContaining({
      detail: 'Elements of an app have no selectors: mask its text, inputs or images.',
      attr: 'masks__1__selector',
    }),
  ])
  expect(await create({ start: 3, masks: [{ kind: 'text' }] })).toMatchObject({ start: 3 })
})
