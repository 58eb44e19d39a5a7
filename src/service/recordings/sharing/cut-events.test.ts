import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  consolePlugin,
  EventType,
  IncrementalSource,
  isActive,
  mutation,
  NodeType,
  parseSnapshotLine,
  type ReplayEvent,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import { linkShows } from '../../../contract/recordings/recording-rules.ts'
import type { LinkMask } from '../../../contract/recordings/sharing.ts'
import type { WindowTime } from '../../../contract/recordings/snapshot.ts'
import { applyEvent, openPage } from '../../../replay/page.ts'
import { eventsShowing } from '../../../replay/page-changes.ts'
import { treeOf, type Data, type Page } from '../../../replay/page-tree.ts'
import { cutAt, cutScenes } from '../../../replay/scenes.ts'
import { cutEvents, type LinkLimits } from './cut-events.ts'
import { SharedPart, type SharedBlock } from './shared-part.ts'

/** What happens next; the numbers choose a window, a node and a value. */
type Action = { kind: (typeof kinds)[number]; window: number; a: number; b: number; wait: number }
const kinds = [
  'add',
  'add',
  'private',
  'text',
  'text',
  'attribute',
  'remove',
  'input',
  'scroll',
  'click',
  'line',
  'snapshot',
  'open',
] as const
const recordings = fc.record({
  actions: fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      window: fc.nat(1),
      a: fc.nat(1000),
      b: fc.nat(1000),
      wait: fc.integer({ min: 1, max: 5 }),
    }),
    { minLength: 1, maxLength: 60 },
  ),
  blockLength: fc.integer({ min: 1, max: 12 }),
})

/** Returns the events of windows in which these actions happen. Texts below an element of the class "private" say so. */
function record(actions: readonly Action[]): WindowEvent[] {
  const events: WindowEvent[] = []
  const pages = new Map<string, Page>()
  let nextId = 100
  let time = 0
  const push = (window: string, event: ReplayEvent) => {
    events.push({ window, event: structuredClone(event) })
    const page = pages.get(window)
    if (page) applyEvent(page, structuredClone(event))
  }
  const snapshot = (window: string, node: Data) => {
    const sized = {
      type: EventType.Meta,
      timestamp: time,
      data: { href: `https://${window}.example/?key=1`, width: 800, height: 600 },
    }
    const full = {
      type: EventType.FullSnapshot,
      timestamp: time,
      data: { node, initialOffset: { left: 0, top: 0 } },
    }
    pages.delete(window)
    push(window, sized)
    push(window, full)
    pages.set(window, openPage(structuredClone(sized), structuredClone(full)))
  }
  for (const { kind, window: number, a, b, wait } of actions) {
    time += wait
    const window = `window-${number}`
    const page = pages.get(window)
    const elements = [...(page?.nodes.values() ?? [])].filter(({ own }) => own['type'] === NodeType.Element)
    const element = elements[a % Math.max(1, elements.length)]
    if (!page || !element || kind === 'open') {
      snapshot(window, emptyPage())
      continue
    }
    const isPrivate = (id: number | null): boolean => {
      const node = id === null ? undefined : page.nodes.get(id)
      const attributes = node?.own['attributes'] as Data | undefined
      return node !== undefined && (attributes?.['class'] === 'private' || isPrivate(node.parent))
    }
    const words = (id: number, text: string) => `${isPrivate(id) ? 'PRIVATE' : 'public'} ${text}`
    switch (kind) {
      case 'snapshot':
        snapshot(window, structuredClone(treeOf(page, page.root)))
        break
      case 'add':
      case 'private': {
        const id = (nextId += 2)
        const attributes: Data =
          kind === 'private'
            ? { class: 'private', title: 'PRIVATE title' }
            : { title: words(element.id, 'title') }
        const text = kind === 'private' ? 'PRIVATE text' : words(element.id, `text ${b}`)
        const node = {
          type: NodeType.Element,
          id,
          tagName: b % 3 === 0 ? 'input' : 'p',
          attributes: { ...attributes, value: text },
          childNodes: [{ type: NodeType.Text, id: id + 1, textContent: text }],
        }
        push(window, mutation(time, { adds: [{ parentId: element.id, nextId: null, node }] }))
        break
      }
      case 'text': {
        const texts = [...page.nodes.values()].filter(({ own }) => own['type'] === NodeType.Text)
        const text = texts[b % Math.max(1, texts.length)]
        if (text)
          push(window, mutation(time, { texts: [{ id: text.id, value: words(text.id, `changed ${a}`) }] }))
        break
      }
      case 'attribute':
        push(
          window,
          mutation(time, {
            attributes: [{ id: element.id, attributes: { alt: words(element.id, `alt ${b}`) } }],
          }),
        )
        break
      case 'remove':
        if (element.id > 4)
          push(window, mutation(time, { removes: [{ id: element.id, parentId: element.parent }] }))
        break
      case 'input':
        push(
          window,
          incremental(time, {
            source: IncrementalSource.Input,
            id: element.id,
            text: words(element.id, `typed ${b}`),
            isChecked: false,
          }),
        )
        break
      case 'scroll':
        push(window, incremental(time, { source: IncrementalSource.Scroll, id: element.id, x: 0, y: b }))
        break
      case 'click':
        push(
          window,
          incremental(time, {
            source: IncrementalSource.MouseInteraction,
            type: 2,
            id: element.id,
            x: a,
            y: b,
          }),
        )
        break
      case 'line':
        push(window, {
          type: EventType.Plugin,
          timestamp: time,
          data: { plugin: consolePlugin, payload: { level: 'log', payload: ['"PRIVATE line"'] } },
        })
    }
  }
  return events
}

function emptyPage(): Data {
  const element = (id: number, tagName: string, childNodes: Data[] = []): Data => ({
    type: NodeType.Element,
    id,
    tagName,
    attributes: {},
    childNodes,
  })
  return {
    type: NodeType.Document,
    id: 1,
    childNodes: [element(2, 'html', [element(3, 'head'), element(4, 'body')])],
  }
}

function incremental(timestamp: number, data: Data): ReplayEvent {
  return { type: EventType.IncrementalSnapshot, timestamp, data }
}

type Stored = { block: SharedBlock; lines: Buffer }

/** Stores the events in blocks, as capture does. */
function store(events: readonly WindowEvent[], length: number): Stored[] {
  const count = Math.ceil(events.length / length)
  return Array.from({ length: count }, (_, number) => {
    const part = events.slice(number * length, (number + 1) * length)
    const times = part.map(({ event }) => event.timestamp)
    const lines = part.map(({ window, event }) => JSON.stringify([window, event])).join('\n')
    const active = new Map(
      part.filter(({ event }) => isActive(event)).map(({ window, event }) => [window, event.timestamp]),
    )
    const snapshots = part.filter(({ event }) => event.type === EventType.FullSnapshot)
    return {
      lines: Buffer.from(lines),
      block: {
        number,
        object_key: String(number),
        start_time: new Date(Math.min(...times)),
        end_time: new Date(Math.max(...times)),
        bytes: lines.length,
        full_snapshots: snapshots.map(({ window, event }): WindowTime => [window, event.timestamp]),
        active_windows: [...active],
      },
    }
  })
}

/** Returns all lines that a link shows, each block requested on its own. */
function served(stored: readonly Stored[], limits: LinkLimits): string[] {
  const part = new SharedPart(
    stored.map(({ block }) => block),
    limits,
  )
  return part.sources().flatMap((_, number) => {
    const { blocks, withStart, uses } = part.reading(number, number)
    const read = blocks.map(({ key, isWanted }) => ({
      isWanted,
      lines: stored[Number(key)]?.lines ?? Buffer.alloc(0),
    }))
    return cutEvents({ limits, blocks: read, withStart, uses })
  })
}

/** Returns the page that the player shows at a time, as the events that show it; null without a page. */
function shownAt(events: readonly WindowEvent[], start: number, time: number): unknown {
  const scene = cutAt(cutScenes(events, start), time)?.scene
  const [sized, snapshot, ...rest] = scene?.events ?? []
  if (!scene || !sized || !snapshot) return null
  const page = openPage(sized, snapshot)
  for (const event of rest) if (event.timestamp <= time) applyEvent(page, event)
  const [size, full, ...others] = eventsShowing(page, time)
  return [scene.window, size, full, others.map((event) => JSON.stringify(event)).toSorted()]
}

function parsed(lines: readonly string[]): WindowEvent[] {
  return lines
    .map((line) => parseSnapshotLine(line) as WindowEvent)
    .toSorted((one, other) => one.event.timestamp - other.event.timestamp)
}

test('any range replays to the pages of the whole recording, and contains no event outside the range', () => {
  const range = fc.record({ start: fc.nat(100), length: fc.nat(100) })
  fc.assert(
    fc.property(recordings, range, ({ actions, blockLength }, { start: share, length }) => {
      const events = record(actions)
      const first = events[0]?.event.timestamp ?? 0
      const last = events.at(-1)?.event.timestamp ?? 0
      const start = first + Math.floor((share / 100) * (last - first))
      const end = start + Math.floor((length / 100) * (last - start))
      const lines = served(store(events, blockLength), { start, end, shows: 'all', masks: [] })
      const shown = parsed(lines)
      for (const { event } of shown) expect(event.timestamp >= start && event.timestamp <= end).toBe(true)
      for (let time = start; time <= end; time += 1)
        expect(shownAt(shown, start, time)).toEqual(shownAt(events, first, time))
    }),
    { numRuns: 200 },
  )
})

test('a range of the recording of an app begins with the screen at its start, and contains nothing from before', () => {
  const wireframe = (id: number, text: string) => ({
    id,
    type: 'text',
    text,
    x: 0,
    y: 0,
    width: 9,
    height: 9,
  })
  const wireframes = [wireframe(1, 'Gone early'), wireframe(2, 'Kept'), wireframe(3, 'Changed early')]
  const events: ReplayEvent[] = [
    { type: EventType.Meta, timestamp: 1, data: { href: 'CartView', width: 390, height: 844 } },
    { type: EventType.FullSnapshot, timestamp: 2, data: { wireframes, initialOffset: { top: 0, left: 0 } } },
    incremental(10, {
      source: IncrementalSource.Mutation,
      removes: [{ id: 1 }],
      updates: [{ wireframe: wireframe(3, 'Now') }],
      adds: [{ wireframe: wireframe(4, 'Added') }],
    }),
    incremental(30, { source: IncrementalSource.Mutation, updates: [{ wireframe: wireframe(2, 'Within') }] }),
    incremental(60, { source: IncrementalSource.Mutation, adds: [{ wireframe: wireframe(5, 'Too late') }] }),
  ]
  const stored = store(
    events.map((event) => ({ window: 'w', event })),
    2,
  )
  const lines = served(stored, { start: 20, end: 50, shows: 'all', masks: [] })
  expect(lines.join()).not.toMatch(/early|Too late/)
  expect(parsed(lines).map(({ event }) => [event.type, event.timestamp])).toEqual([
    [EventType.Meta, 20],
    [EventType.FullSnapshot, 20],
    [EventType.IncrementalSnapshot, 30],
  ])
  expect(parsed(lines)[1]?.event.data['wireframes']).toEqual([
    wireframe(2, 'Kept'),
    wireframe(3, 'Now'),
    wireframe(4, 'Added'),
  ])
})

test('the first value of a repeated key, to which no limit was applied, is not sent', () => {
  const line =
    '["w",{"type":4,"timestamp":5,"data":{"href":"secret"},"data":{"href":"","width":9,"height":9}}]'
  const blocks = [{ isWanted: true, lines: Buffer.from(line) }]
  const shown = { start: 1, end: 9, shows: 'all', masks: [] } as const
  for (const limits of [shown, { ...shown, start: null, end: null, shows: 'network' as const }]) {
    const lines = cutEvents({ limits, blocks, withStart: false, uses: [] })
    expect(lines.map((each) => JSON.parse(each) as unknown)).toEqual([JSON.parse(line)])
    expect(lines.join()).not.toContain('secret')
  }
})

test('masked text is in no line that is sent, nor are console lines, whatever the link shows and blocks are requested', () => {
  const masks = fc.constantFrom<LinkMask[]>(
    [{ kind: 'selector', selector: '.private' }],
    [{ kind: 'text' }],
    [{ kind: 'text' }, { kind: 'selector', selector: 'body > .private' }],
  )
  const limits = fc.record({ masks, shows: fc.constantFrom(...linkShows), share: fc.option(fc.nat(100)) })
  fc.assert(
    fc.property(recordings, limits, ({ actions, blockLength }, { masks, shows, share }) => {
      const events = record(actions)
      const last = events.at(-1)?.event.timestamp ?? 0
      const start = share === null ? null : Math.floor((share / 100) * last)
      const lines = served(store(events, blockLength), { start, end: null, shows, masks })
      for (const line of lines) {
        expect(line).not.toContain('PRIVATE')
        expect(line).not.toContain('key=1')
        if (masks.some(({ kind }) => kind === 'text')) expect(line).not.toContain('public')
      }
    }),
    { numRuns: 200 },
  )
})

/** Returns what a link with these masks sends of a page with this body and what happens on it, without other events. */
function masked(masks: LinkMask[], body: Data[], later: (Data | ReplayEvent)[]): string {
  const [html = {}] = emptyPage()['childNodes'] as Data[]
  const [head, page] = html['childNodes'] as Data[]
  const node = {
    ...emptyPage(),
    childNodes: [{ ...html, childNodes: [head, { ...page, childNodes: body }] }],
  }
  const full = { type: EventType.FullSnapshot, timestamp: 1, data: { node } }
  const events = later.map((event) => ('data' in event ? (event as ReplayEvent) : incremental(2, event)))
  const stored = store(
    [full, ...events].map((event) => ({ window: 'window', event })),
    10,
  )
  return served(stored, { start: null, end: null, shows: 'all', masks }).join('\n')
}

function element(id: number, tagName: string, attributes: Data, childNodes: Data[] = []): Data {
  return { type: NodeType.Element, id, tagName, attributes, childNodes }
}

test('an element that matches only when it is moved is masked, with the texts added to it later', () => {
  const texts = [{ type: NodeType.Text, id: 11, textContent: 'PRIVATE text' }]
  const moved = element(10, 'p', { class: 'private', title: 'PRIVATE title' })
  const sent = masked(
    [{ kind: 'selector', selector: '.private' }],
    [element(10, 'p', {})],
    [
      mutation(2, { adds: [{ parentId: 3, nextId: null, node: moved }] }),
      mutation(3, { adds: texts.map((node) => ({ parentId: 10, nextId: null, node })) }),
    ],
  )
  expect(sent).not.toContain('PRIVATE')
})

test('with all texts masked, nothing else that contains text is sent', () => {
  const text = { type: NodeType.Text, id: 11, textContent: 'PRIVATE text' }
  const keyframes = [{ '--total': 'PRIVATE', counterReset: 'n PRIVATE', transform: 'rotate(1deg)' }]
  const list = [{ node: 14, keyframes, timing: {}, time: 0, rate: 1 }]
  const sent = masked(
    [{ kind: 'text' }],
    [
      element(10, 'noscript', {}, [text]),
      element(12, 'time', { datetime: 'PRIVATE' }),
      element(13, 'svg', { 'xlink:title': 'PRIVATE' }),
      element(14, 'p', { style: 'color: red; --name: "PRIVATE"' }),
    ],
    [
      mutation(2, { attributes: [{ id: 14, attributes: { style: { '--name': '"PRIVATE"' } } }] }),
      { source: IncrementalSource.CanvasMutation, id: 99, commands: [{ args: ['PRIVATE'] }] },
      { type: EventType.Asset, timestamp: 2, data: { payload: 'PRIVATE' } } as ReplayEvent,
      { type: EventType.Custom, timestamp: 2, data: { tag: 'spool/animations', payload: { list } } },
    ],
  )
  expect(sent).toContain('rotate(1deg)')
  expect(sent).not.toContain('PRIVATE')
  expect(sent).toContain('color: red')
})

test('with images masked, no element shows one by its style or as a button', () => {
  const url = 'data:image/png;base64,PRIVATE'
  const sent = masked(
    [{ kind: 'images' }],
    [
      element(10, 'div', { style: `color: red; background: url(${url})` }),
      element(11, 'input', { type: 'image', src: url }),
      element(12, 'table', { background: url }),
    ],
    [mutation(2, { attributes: [{ id: 10, attributes: { style: { background: `url(${url})` } } }] })],
  )
  expect(sent).not.toContain('PRIVATE')
})

test('a forged node that the page has elsewhere is not shown where its mask is unknown', () => {
  const node = (id: number, tagName: string, attributes: Data, childNodes: Data[]): Data => ({
    type: NodeType.Element,
    id,
    tagName,
    attributes,
    childNodes,
  })
  const text = (id: number, textContent: string): Data => ({ type: NodeType.Text, id, textContent })
  const masked = (id: number, childNodes: Data[]) => node(id, 'div', { class: 'private' }, childNodes)
  const body = node(4, 'body', {}, [
    text(10, 'public'),
    masked(11, [text(10, 'PRIVATE in the snapshot')]),
    node(12, 'iframe', {}, []),
  ])
  const tree = { ...emptyPage(), childNodes: [node(2, 'html', {}, [body])] }
  const frame = {
    type: NodeType.Document,
    id: 20,
    childNodes: [masked(21, [text(10, 'PRIVATE in a frame')])],
  }
  const deep = Array.from({ length: 1200 }, (_, level) => ({
    parentId: level === 0 ? 11 : 1000 + level - 1,
    nextId: null,
    node: node(1000 + level, 'div', {}, []),
  }))
  const moved = node(30, 'p', {}, [])
  const events: ReplayEvent[] = [
    { type: EventType.Meta, timestamp: 1, data: { href: '', width: 800, height: 600 } },
    { type: EventType.FullSnapshot, timestamp: 2, data: { node: tree, initialOffset: { left: 0, top: 0 } } },
    mutation(3, { adds: [{ parentId: 12, nextId: null, node: frame }] }),
    mutation(4, { adds: deep }),
    mutation(5, { adds: [{ parentId: 4, nextId: null, node: moved }] }),
    mutation(6, { adds: [{ parentId: 30, nextId: null, node: text(31, 'public') }] }),
    mutation(7, {
      adds: [{ parentId: 2199, nextId: null, node: { ...moved, attributes: { title: 'PRIVATE' } } }],
    }),
  ]
  const stored = store(
    events.map((event) => ({ window: 'w', event })),
    3,
  )
  const limits = {
    start: null,
    end: null,
    shows: 'all',
    masks: [{ kind: 'selector', selector: '.private' }],
  } as const
  const lines = served(stored, limits).join('\n')
  expect(lines).toContain('public')
  expect(lines).not.toContain('PRIVATE')
})
