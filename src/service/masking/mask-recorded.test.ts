import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { maskText } from '../../contract/privacy/mask-text.ts'
import {
  EventType,
  IncrementalSource,
  mutation,
  incremental,
  NodeType,
  type RecordedEvent,
} from '../../replay/recorded/rrweb.ts'
import { maskRecorded } from './mask-recorded.ts'
import { FollowedPage, FollowedPages } from './followed-pages.ts'

const mask = (text: string) =>
  maskText(text, { masked_texts: ['email'], masked_patterns: [String.raw`\bEMP-\d{4,6}\b`] })
const texts = { mask, page: null }
const chosen = () => ({ mask: null, page: new FollowedPage(['.name', '#total > b']) })

const pack = (value: unknown) => gzipSync(JSON.stringify(value)).toString('latin1')
const unpack = (text: unknown): unknown =>
  JSON.parse(gunzipSync(Buffer.from(String(text), 'latin1')).toString('utf8'))

let ids = 0
type Tree = Record<string, unknown> & { id: number }
const element = (tagName: string, attributes: object, ...childNodes: unknown[]): Tree => ({
  type: NodeType.Element,
  id: (ids += 1),
  tagName,
  attributes,
  childNodes,
})
const text = (textContent: string) => ({ type: NodeType.Text, id: (ids += 1), textContent })

const said = text('write to ada@example.com')
const name = text('Ada Lovelace')
const field = element('input', { value: 'Ada Lovelace', placeholder: 'Ada Lovelace' })
const box = element('div', { class: 'name', title: 'Ada Lovelace' }, name, field)
const other = element('p', { title: 'EMP-12345', 'data-of': 'ada@example.com' }, said)
const logo = element('img', { src: 'logo@2x.png', alt: 'of ada@example.com' })
const style = element('style', { _cssText: '.a{background:url(a@2x.png)}' })
const body = element('body', {}, box, other, logo, style)
const document = { type: NodeType.Document, id: (ids += 1), childNodes: [body] }
const snapshotData = { node: document, initialOffset: { top: 0, left: 0 } }
const snapshot: RecordedEvent = {
  type: EventType.FullSnapshot,
  timestamp: 1,
  data: pack(snapshotData),
  cv: '2024-10',
}
const change = (parts: Parameters<typeof mutation>[1]) => mutation(2, parts)
const shown = (value: unknown) => JSON.stringify(value)

test('texts and attributes of a compressed page are masked by patterns, and files of the site are not', () => {
  const { data, cv } = maskRecorded(snapshot, texts)
  const page = shown(unpack(data))
  expect([cv, page]).toEqual(['2024-10', expect.not.stringMatching(/ada@example|EMP-\d/)])
  for (const kept of [
    'Ada Lovelace',
    'write to [email]',
    'of [email]',
    'logo@2x.png',
    'a@2x.png',
    '*********',
  ])
    expect(page).toContain(kept)
})

const secret = 'ada@example.com has EMP-1234'
test.each<[string, RecordedEvent]>([
  ['a text', change({ texts: [{ id: 1, value: secret }] })],
  ['an attribute', change({ attributes: [{ id: 1, attributes: { 'aria-label': secret } }] })],
  ['an added node', change({ adds: [{ parentId: 1, nextId: null, node: text(secret) }] })],
  ['an input', incremental(2, { source: IncrementalSource.Input, id: 1, text: secret })],
  [
    'a canvas',
    incremental(2, {
      source: IncrementalSource.CanvasMutation,
      id: 1,
      commands: [{ args: [secret, { base64: secret }, `data:image/svg+xml,${secret}`] }],
    }),
  ],
  ['a console line', incremental(2, { source: IncrementalSource.Log, payload: [secret] })],
  [
    'an address',
    { type: EventType.Meta, timestamp: 1, data: { href: `/?of=${secret}`, width: 1, height: 1 } },
  ],
  [
    'a custom event',
    { type: EventType.Custom, timestamp: 1, data: { tag: 'note', payload: { deep: [secret] } } },
  ],
  [
    'a text like a picture',
    { type: EventType.Custom, timestamp: 1, data: { tag: `data: ${secret}`, payload: { base64: secret } } },
  ],
  [
    'a screen',
    { type: EventType.FullSnapshot, timestamp: 1, data: { wireframes: [{ id: 1, label: secret }] } },
  ],
  [
    'a change of a screen',
    incremental(2, {
      source: IncrementalSource.Mutation,
      updates: [{ wireframe: { id: 1, childWireframes: [{ id: 2, text: secret }] } }],
    }),
  ],
])('%s is masked by patterns, and stays as it is without a match', (_, event) => {
  expect(shown(maskRecorded(event, texts))).not.toMatch(/ada@example|EMP-\d/)
  const harmless = JSON.parse(shown(event).replaceAll(secret, 'Hello')) as RecordedEvent
  expect(maskRecorded(harmless, texts)).toBe(harmless)
})

test('pictures on a canvas stay as they are', () => {
  const args = [{ base64: 'AAEC1234' }, { src: 'data:image/webp;base64,UklGR1234w==' }]
  const event = incremental(2, { source: IncrementalSource.CanvasMutation, id: 1, commands: [{ args }] })
  expect(maskRecorded(event, { mask: (value) => value.replaceAll(/\d/g, '*'), page: null })).toBe(event)
})

test('a part that cannot be unpacked is left out', () => {
  const texts64 = pack([{ id: 1, value: 'ada@example.com' }]).slice(0, -9)
  const damaged = incremental(1, { source: IncrementalSource.Mutation, texts: texts64, adds: pack([]) })
  const masked = maskRecorded(damaged, texts)
  expect(masked.data).toEqual({ source: IncrementalSource.Mutation, adds: expect.any(String) })
  expect(maskRecorded({ ...snapshot, data: 'not gzip' }, texts).data).not.toBe('not gzip')
})

test('texts, inputs and describing attributes of chosen elements are blank, also after changes', () => {
  const rules = chosen()
  const follow = (event: RecordedEvent) => maskRecorded(event, rules).data
  const page = shown(unpack(follow(snapshot)))
  expect(page).not.toContain('Lovelace')
  expect(page).toContain('write to ada@example.com')

  const value = 'Grace Hopper'
  const inside = follow(
    change({
      texts: [{ id: name.id, value }],
      attributes: [{ id: box.id, attributes: { title: value, 'aria-label': value } }],
      adds: [{ parentId: box.id, nextId: null, node: element('span', { 'data-x': value }, text(value)) }],
    }),
  )
  expect(shown(inside)).not.toContain('Grace')
  expect(
    shown(follow(incremental(3, { source: IncrementalSource.Input, id: field.id, text: value }))),
  ).not.toContain('Grace')
  const outside = change({ texts: [{ id: said.id, value }] })
  expect(shown(follow(outside))).toContain(value)

  // A text that changes together with the class that chose its element, then one after it.
  const unchosen = { id: box.id, attributes: { class: '' } }
  expect(shown(follow(change({ attributes: [unchosen], texts: [{ id: name.id, value }] })))).not.toContain(
    'Grace',
  )
  expect(shown(follow(change({ texts: [{ id: name.id, value }] })))).toContain(value)
  const packedChange = incremental(4, {
    source: IncrementalSource.Mutation,
    attributes: pack([{ id: other.id, attributes: { class: 'name' } }]),
    texts: pack([{ id: said.id, value }]),
  })
  const { texts: packedTexts } = Object(follow(packedChange)) as { texts: string }
  expect(unpack(packedTexts)).toEqual([{ id: said.id, value: '***** ******' }])
})

test('of a page that is not known, all is blank until its next snapshot', () => {
  const pages = new FollowedPages()
  const follow = (event: RecordedEvent) =>
    shown(maskRecorded(event, { mask: null, page: pages.of('window', ['.name']) }).data)
  const said2 = change({ texts: [{ id: said.id, value: 'Hello' }] })
  expect(follow(said2)).not.toContain('Hello')
  expect(follow(incremental(1, { source: IncrementalSource.Input, id: 1, text: 'Hello' }))).not.toContain(
    'Hello',
  )
  follow(snapshot)
  expect(follow(said2)).toContain('Hello')
  pages.forget('win')
  expect(follow(said2)).not.toContain('Hello')
  follow(snapshot)
  // Other selectors need the page anew.
  expect(shown(maskRecorded(said2, { mask: null, page: pages.of('window', ['.other']) }).data)).not.toContain(
    'Hello',
  )
})

const hello = change({ texts: [{ id: said.id, value: 'Hello' }] })
const taken = { type: NodeType.Text, id: name.id, textContent: '' }
const inBody = { parentId: body.id, nextId: null }
test.each<[string, RecordedEvent]>([
  ['a page begins', { type: EventType.Meta, timestamp: 3, data: { href: '/', width: 1, height: 1 } }],
  ['an event is older', { ...hello, timestamp: 0 }],
  ['a snapshot is older', { ...snapshot, timestamp: 0 }],
  ['an id is taken', change({ adds: [{ ...inBody, node: taken }] })],
  ['a parent is unknown', change({ adds: [{ ...inBody, parentId: 999, node: text('') }] })],
  ['a removed node is unknown', change({ removes: [{ parentId: body.id, id: 999 }] })],
  ['a text is an element', change({ texts: [{ id: other.id, value: '' }] })],
  ['an element is unknown', change({ attributes: [{ id: 999, attributes: {} }] })],
  ['a field is none', incremental(2, { source: IncrementalSource.Input, id: other.id, text: '' })],
])(
  'when %s, all is blank until the next snapshot, since ids of another page name other nodes',
  (_, event) => {
    const rules = chosen()
    const follow = (each: RecordedEvent) => shown(maskRecorded(each, rules).data)
    follow(snapshot)
    expect(follow(hello)).toContain('Hello')
    follow(event)
    expect(follow({ ...hello, timestamp: 4 })).not.toContain('Hello')
    follow({ ...snapshot, timestamp: 4 })
    expect(follow({ ...hello, timestamp: 4 })).toContain('Hello')
  },
)

test('a page stays known when nodes move, and when a frame sends its document again', () => {
  const rules = chosen()
  const follow = (event: RecordedEvent) => shown(maskRecorded(event, rules).data)
  follow(snapshot)
  const frame = element('iframe', {})
  const inFrame = { type: NodeType.Document, id: (ids += 1), childNodes: [element('html', {})] }
  follow(change({ adds: [{ ...inBody, node: { ...frame, childNodes: [] } }] }))
  for (let times = 0; times < 2; times += 1)
    follow(change({ adds: [{ parentId: frame.id, nextId: null, node: inFrame }] }))
  const moved = { parentId: body.id, nextId: null, node: { ...other, childNodes: [] } }
  const inside = { parentId: other.id, nextId: null, node: said }
  follow(change({ removes: [{ parentId: body.id, id: other.id }], adds: [moved, inside] }))
  follow(incremental(2, { source: IncrementalSource.Input, id: -1, text: '' }))
  expect(follow(hello)).toContain('Hello')
})

test('the size of a followed page includes the attributes that selectors name, also after changes', () => {
  const page = new FollowedPage(['.name'])
  const sizeAfter = (event: RecordedEvent) => {
    maskRecorded(event, { mask: null, page })
    return page.size
  }
  const empty = sizeAfter(snapshot)
  const long = 'a'.repeat(10_000)
  const changed = (attributes: object) => change({ attributes: [{ id: other.id, attributes }] })
  expect(sizeAfter(changed({ title: long })) - empty).toBeLessThan(100)
  expect(sizeAfter(changed({ class: long })) - empty).toBeGreaterThan(10_000)
  expect(sizeAfter(snapshot)).toBe(empty)
})
