import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EventType, IncrementalSource, networkPlugin, consolePlugin } from '../../../replay/recorded/rrweb.ts'
import { OpenedLink } from '../../../contract/recordings/sharing.ts'
import { SnapshotSources } from '../../../contract/recordings/snapshot.ts'
import { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { insertAsset, insertBlock } from '../../testing/test-recordings.ts'
import { bodyOf } from '../../testing/test-service.ts'
import {
  service,
  recording,
  path,
  openLinks,
  createRecording,
  create,
  ask,
} from '../../testing/recordings/test-recording-links.ts'

beforeAll(openLinks)
afterAll(() => service.stop())
beforeEach(() => createRecording())

const start = Date.parse('2026-03-04T10:20:00Z')

/** Requests the blocks from `first` to `last` with a link. */
const blocks = async ({ access_token }: { access_token: string }, first: number, last: number) =>
  (
    await ask(
      `${path}snapshots/?source=blob_v2&start_blob_key=${first}&end_blob_key=${last}&sharing_access_token=${access_token}`,
    )
  ).text

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
  await createRecording({ snapshot_source: 'mobile' })
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
