import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createKeyframes } from '../../../replay/keyframes.ts'
import { eventsShowing } from '../../../replay/page-changes.ts'
import {
  EventType,
  incremental,
  IncrementalSource,
  isObject,
  mutation,
  NodeType,
  type ReplayEvent,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import { cutAt, cutScenes } from '../../../replay/scenes.ts'
import { PageMaker } from './page-maker.ts'

/** Bytes of a block, so that a page is stored after three of them. */
const bytes = 600_000
const [body, feed, field] = [3, 4, 5]

function element(id: number, tagName: string, childNodes: object[] = [], attributes = {}) {
  return { type: NodeType.Element, id, tagName, attributes, childNodes }
}

function snapshot(timestamp: number, href = 'https://shop.example/'): ReplayEvent[] {
  const content = element(body, 'body', [element(feed, 'ul'), element(field, 'input')])
  const node = { type: NodeType.Document, id: 1, childNodes: [element(2, 'html', [content])] }
  return [
    { type: EventType.Meta, timestamp, data: { href, width: 800, height: 600 } },
    { type: EventType.FullSnapshot, timestamp, data: { node, initialOffset: { left: 0, top: 0 } } },
  ]
}

/** Returns what happens in the second after a time: the list changes, the visitor types and scrolls. */
function second(timestamp: number): ReplayEvent[] {
  const item = 1_000_000 + timestamp
  const text = { type: NodeType.Text, id: item + 1, textContent: `Item at ${timestamp}` }
  const added = [
    { parentId: feed, nextId: null, node: element(item, 'li', [], { class: 'new' }) },
    { parentId: item, nextId: null, node: text },
  ]
  const old = { parentId: feed, id: item - 5_000 }
  const source = IncrementalSource.Input
  return [
    mutation(timestamp + 100, { adds: added, removes: [old] }),
    mutation(timestamp + 200, { attributes: [{ id: item, attributes: { class: null, title: 'x' } }] }),
    incremental(timestamp + 300, { source, id: field, text: `typed ${timestamp}`, isChecked: false }),
    incremental(timestamp + 400, { source: IncrementalSource.Scroll, id: 1, x: 0, y: timestamp / 100 }),
    incremental(timestamp + 500, { source: IncrementalSource.ViewportResize, width: 700, height: 500 }),
    {
      type: EventType.Custom,
      timestamp: timestamp + 600,
      data: { tag: '$url_changed', payload: { href: `https://shop.example/${timestamp}` } },
    },
  ]
}

/** Blocks of a second each from 0 on, whose first begins with a full snapshot. */
function blocksOf(count: number, eventsOf = second): ReplayEvent[][] {
  return Array.from({ length: count }, (_, number) => [
    ...(number === 0 ? snapshot(0) : []),
    ...eventsOf(number * 1000),
  ])
}

function made(blocks: readonly ReplayEvent[][], windowOf = (_number: number) => 'a', size = bytes) {
  const maker = new PageMaker()
  for (const [number, events] of blocks.entries()) {
    const recorded = events.map((event) => ({ window: windowOf(number), ...structuredClone(event) }))
    maker.addBlock({ number, start: events[0]?.timestamp ?? 0, bytes: size }, recorded)
  }
  return maker.pages.map(({ lines, ...page }) => {
    const text = zstdDecompressSync(lines).toString()
    expect(page.bytes).toBe(Buffer.byteLength(text))
    const events = text.split('\n').map((line): WindowEvent => {
      const [window, event]: [string, ReplayEvent] = JSON.parse(line)
      return { window, event }
    })
    return { ...page, events }
  })
}

const numbersOf = (pages: readonly { number: number }[]) => pages.map(({ number }) => number)

/** Returns the events that show the page at a time, in an order that does not depend on how it came about. */
function shown(events: readonly WindowEvent[], time: number): string[] {
  const scene = cutAt(cutScenes(events, 0), time)?.scene
  const page = scene && createKeyframes().pageAt(scene, time + 1)
  if (!page) throw new Error('there is no page')
  return eventsShowing(page, time)
    .map(({ data }) => JSON.stringify(data, sorted))
    .toSorted()
}

function sorted(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

test('a page and the blocks from there on show the same as all blocks, at every later time', () => {
  const blocks = blocksOf(12)
  const all = blocks.flat().map((event): WindowEvent => ({ window: 'a', event }))
  const pages = made(blocks)
  expect(numbersOf(pages)).toEqual([3, 6, 9])
  for (const { number, window_id, events } of pages) {
    expect(window_id).toBe('a')
    const rest = blocks
      .slice(number)
      .flat()
      .map((event): WindowEvent => ({ window: 'a', event }))
    for (const time of [number * 1000 + 100, number * 1000 + 250, 11_999])
      expect(shown([...events, ...rest], time)).toEqual(shown(all, time))
  }
})

test('a page has the addresses that resolve its references, and its window’s size', () => {
  const [page] = made(blocksOf(4))
  const [meta, address] = page?.events ?? []
  expect(meta?.event).toEqual({
    type: EventType.Meta,
    timestamp: 3100,
    data: { href: 'https://shop.example/', width: 700, height: 500 },
  })
  expect(address?.event).toMatchObject({
    timestamp: 3100,
    data: { payload: { href: 'https://shop.example/2000' } },
  })
})

test('counts from the newest full snapshot, and makes no page of a page whose snapshot is missing', () => {
  const blocks = blocksOf(9)
  blocks[2] = [...snapshot(2000), ...second(2000)]
  expect(numbersOf(made(blocks))).toEqual([5, 8])
  blocks[2] = [...snapshot(2000, 'https://shop.example/other').slice(0, 1), ...second(2000)]
  expect(numbersOf(made(blocks))).toEqual([])
})

test('makes no page that would replace little more than itself', () => {
  const text = { type: NodeType.Text, id: 999, textContent: 'x'.repeat(1_500_000) }
  const large = (timestamp: number) =>
    timestamp === 0
      ? [mutation(1, { adds: [{ parentId: body, nextId: null, node: text }] })]
      : second(timestamp)
  expect(numbersOf(made(blocksOf(13, large)))).toEqual([6, 12])
})

test('stops at damaged data, which a player leaves out, and keeps the pages before', () => {
  const blocks = blocksOf(9)
  const damaged = [
    { type: EventType.FullSnapshot, timestamp: 5000, data: 'no gzip' },
    { type: EventType.FullSnapshot, timestamp: 5000, data: {} },
    mutation(5000, { adds: 'no gzip' as never }),
  ] as ReplayEvent[]
  for (const event of damaged) expect(numbersOf(made(blocks.with(5, [event, ...second(5000)])))).toEqual([3])
})

test('stops after five seconds of a forged recording, and keeps the pages before', { tags: 'slow' }, () => {
  const { StyleSheetRule: source } = IncrementalSource
  const rules = Array.from({ length: 60_000 }, (_, index) =>
    incremental(5000, { source, id: feed, adds: [{ rule: 'a { color: red }', index }] }),
  )
  expect(numbersOf(made(blocksOf(9).with(5, rules)))).toEqual([3])
})

test('stops where a second window is used, blocks overlap or one is missing, not where blocks touch', () => {
  const blocks = blocksOf(9)
  expect(numbersOf(made(blocks, (number) => (number < 5 ? 'a' : 'b')))).toEqual([3])
  const touching = blocks.with(2, [...second(2000), ...second(3000).slice(0, 1)])
  expect(numbersOf(made(touching))).toEqual([4, 7])
  const overlapping = blocks.with(4, [...second(4000), ...second(5000)])
  expect(numbersOf(made(overlapping))).toEqual([3])
  const maker = new PageMaker()
  for (const [number, events] of blocks.entries())
    if (number !== 1)
      maker.addBlock(
        { number, start: number * 1000, bytes },
        events.map((event) => ({ window: 'a', ...event })),
      )
  expect(maker.pages).toEqual([])
})
