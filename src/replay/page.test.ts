import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  EventType,
  IncrementalSource,
  MouseInteractions,
  NodeType,
  objectsIn,
  type ReplayEvent,
} from './recorded/rrweb.ts'
import { stateTags } from './recorded/page-state.ts'
import { createKeyframes } from './keyframes.ts'
import { applyEvent, copyPage, openPage } from './page.ts'
import { eventsBetween, eventsShowing } from './page-changes.ts'
import { partsOf } from './page-parts.ts'
import { treeOf, type Data, type Page } from './page-tree.ts'

const sized = { type: EventType.Meta, timestamp: 0, data: { href: '', width: 800, height: 600 } }
const snapshot: ReplayEvent = {
  type: EventType.FullSnapshot,
  timestamp: 0,
  data: {
    node: {
      type: NodeType.Document,
      id: 1,
      childNodes: [element(2, 'html', [element(3, 'head', [element(4, 'style')]), element(5, 'body')])],
    },
    initialOffset: { left: 0, top: 0 },
  },
}

function element(id: number, tagName: string, childNodes: Data[] = []): Data {
  return { type: NodeType.Element, id, tagName, attributes: {}, childNodes }
}

function incremental(timestamp: number, data: Data): ReplayEvent {
  return { type: EventType.IncrementalSnapshot, timestamp, data }
}

function mutation(timestamp: number, parts: Data): ReplayEvent {
  const none = { texts: [], attributes: [], removes: [], adds: [] }
  return incremental(timestamp, { source: IncrementalSource.Mutation, ...none, ...parts })
}

/** What a visitor or a script does; the numbers choose a node, a place and a value. */
type Action = {
  kind:
    | 'add'
    | 'move'
    | 'remove'
    | 'text'
    | 'attribute'
    | 'style'
    | 'input'
    | 'scroll'
    | 'rule'
    | 'pointer'
    | 'state'
  a: number
  b: number
  c: number
}

const kinds = [
  'add',
  'add',
  'add',
  'move',
  'remove',
  'text',
  'attribute',
  'style',
  'input',
  'scroll',
  'rule',
  'pointer',
  'state',
] as const
const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), a: fc.nat(1000), b: fc.nat(1000), c: fc.nat(1000) }),
  { maxLength: 40 },
)

/** Returns the event that rrweb records for an action on a page, or null if the page has no suitable node. */
function eventOf(page: Page, { kind, a, b, c }: Action, timestamp: number): ReplayEvent | null {
  const pick = <Item>(ids: Item[], index: number) => ids[index % Math.max(ids.length, 1)]
  const inBody = Array.from(page.nodes.values(), ({ id }) => id).filter((id) => id > 5)
  const elements = [5, ...inBody.filter((id) => page.nodes.get(id)?.own['type'] === NodeType.Element)]
  const id = pick(inBody, a)
  const parentId = pick(elements, b) ?? 5
  const nextOf = (parent: number) => pick([...childIds(page, parent), 0], c) || null
  const attribute = (attributes: Data) =>
    id === undefined ? null : mutation(timestamp, { attributes: [{ id, attributes }] })
  switch (kind) {
    case 'add': {
      const added = 10 + timestamp
      const node =
        a % 3 === 0
          ? { type: NodeType.Text, id: added, textContent: `text ${a}` }
          : element(added, a % 2 === 0 ? 'div' : 'input')
      return mutation(timestamp, { adds: [{ parentId, nextId: nextOf(parentId), node }] })
    }
    case 'move': {
      if (id === undefined || isInside(page, parentId, id)) return null
      const removes = [{ parentId: page.nodes.get(id)?.parent, id }]
      const nextId = nextOf(parentId)
      return mutation(timestamp, { removes, adds: addsOf(page, id, parentId, nextId === id ? null : nextId) })
    }
    case 'remove':
      return id === undefined
        ? null
        : mutation(timestamp, { removes: [{ parentId: page.nodes.get(id)?.parent, id }] })
    case 'text':
      return id === undefined ? null : mutation(timestamp, { texts: [{ id, value: `changed ${b}` }] })
    case 'attribute':
      return attribute({ [`data-${b % 3}`]: c % 4 === 0 ? null : String(c) })
    case 'style':
      return attribute({
        style: b % 3 === 0 ? `color: ${c}` : { [`p${b % 4}`]: c % 3 === 0 ? false : String(c) },
      })
    case 'input':
      return id === undefined
        ? null
        : incremental(timestamp, { source: IncrementalSource.Input, id, text: String(c), isChecked: false })
    case 'scroll':
      return incremental(timestamp, {
        source: IncrementalSource.Scroll,
        id: a % 3 === 0 ? 1 : id,
        x: 0,
        y: c,
      })
    case 'rule':
      return incremental(timestamp, {
        source: IncrementalSource.StyleSheetRule,
        id: 4,
        adds: [{ rule: `p { top: ${c} }`, index: 0 }],
      })
    case 'pointer':
      return incremental(timestamp, {
        source: IncrementalSource.MouseMove,
        positions: [{ x: a, y: b, id: 5, timeOffset: 0 }],
      })
    case 'state': {
      const list = [{ node: c, keyframes: [], timing: {}, time: b, rate: 1 }]
      const payload = { scheme: c % 2 ? 'dark' : 'light', ids: [c + 1], id: c + 1, list }
      return { type: EventType.Custom, timestamp, data: { tag: pick(stateTags, a), payload } }
    }
  }
}

function isInside(page: Page, id: number, top: number): boolean {
  for (let node = page.nodes.get(id); node; node = page.nodes.get(node.parent ?? 0))
    if (node.id === top) return true
  return false
}

function childIds({ nodes }: Page, parent: number): number[] {
  const node = nodes.get(parent)
  return node ? Array.from(nodes.childrenOf(node), ({ id }) => id) : []
}

/** rrweb adds each node of a moved tree by itself. */
function addsOf(page: Page, id: number, parentId: number, nextId: number | null): Data[] {
  const node = page.nodes.get(id)
  const children = childIds(page, id)
  return [
    { parentId, nextId, node: node?.own },
    ...children
      .toReversed()
      .flatMap((child, index) => addsOf(page, child, id, children[children.length - index] ?? null)),
  ]
}

const opened = openPage(sized, snapshot)

function play(given: readonly Action[]): { page: Page; events: ReplayEvent[] } {
  const page = copyPage(opened)
  const events = given.flatMap((action, index) => {
    const event = eventOf(page, action, (index + 1) * 10_000)
    if (event) applyEvent(page, event)
    return event ? [event] : []
  })
  return { page, events }
}

/** What a viewer sees of a page. */
function seen(page: Page) {
  const later = [...page.nodes.values()].flatMap(({ id, later }) => {
    const { style, rules, input, scroll } = later
    const data = [style, rules, input].map((events = []) => events.map((event) => event.data))
    const { y = 0 } = scroll?.[0]?.data ?? {}
    return data.every((each) => each.length === 0) && y === 0 ? [] : [[id, data, y] as const]
  })
  const states = stateTags.map((tag) => page.latest.get(tag)?.data['payload'] ?? null)
  return { tree: treeOf(page, page.root), states, later: later.toSorted(([one], [other]) => one - other) }
}

test('a page from a keyframe is the page after all events, also when blocks arrive out of order', () => {
  fc.assert(
    fc.property(actions, fc.nat(40), fc.nat(40), (given, at, from) => {
      const { events } = play(given)
      const before = at * 10_000 + 1
      const { pageAt } = createKeyframes()
      const scene = (rest: readonly ReplayEvent[]) => ({
        window: 'a',
        start: 0,
        size: { width: 800, height: 600 },
        events: [sized, snapshot, ...rest],
      })
      // What is read first can lack events that come before it.
      pageAt(scene(events.slice(from)), Infinity)
      pageAt(scene(events), Infinity)
      const page = pageAt(scene(events), before)
      const expected = openPage(sized, snapshot)
      for (const event of events) if (event.timestamp < before) applyEvent(expected, event)
      expect(page && seen(page)).toEqual(seen(expected))
    }),
  )
})

test('the events between two pages turn one into the other, in either direction', () => {
  fc.assert(
    fc.property(actions, actions, (common, more) => {
      const one = play(common).page
      const other = play([...common, ...more]).page
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        const changed = copyPage(from)
        const events = eventsBetween(from, to, 7) ?? []
        fc.pre(events.length > 0)
        for (const event of events) applyEvent(changed, event)
        expect(seen(changed)).toEqual(seen(to))
      }
    }),
  )
})

test('the events between pages of different snapshots turn one into the other', () => {
  fc.assert(
    fc.property(actions, actions, fc.boolean(), (common, more, isShared) => {
      const one = play(common).page
      const { page } = play([...common, ...more])
      const data = { node: treeOf(page, page.root), initialOffset: snapshot.data['initialOffset'] }
      const other = openPage(sized, { ...snapshot, data }, isShared ? one : undefined)
      expect(treeOf(other, other.root)).toEqual(data.node)
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        const changed = copyPage(from)
        const events = eventsBetween(from, to, 7) ?? []
        fc.pre(events.length > 0)
        for (const event of events) applyEvent(changed, event)
        expect(seen(changed)).toEqual(seen(to))
      }
    }),
  )
})

test('a page shares the nodes of an earlier snapshot that are equal', () => {
  const later = openPage(sized, structuredClone(snapshot), opened)
  expect(later.nodes.get(5)).toBe(opened.nodes.get(5))
  expect(Array.from(later.nodes.comparedWith(opened.nodes))).toEqual([])
})

test('a page can be shown from nothing', () => {
  fc.assert(
    fc.property(actions, (given) => {
      const { page } = play(given)
      const [size, full, ...rest] = eventsShowing(page, 7)
      if (!size || !full) throw new Error('a page starts with its size and a full snapshot')
      const shown = openPage(size, full)
      for (const event of rest) applyEvent(shown, event)
      expect(seen(shown)).toEqual(seen(page))
    }),
  )
})

test('a page can be shown from nothing in parts of any size', () => {
  fc.assert(
    fc.property(actions, fc.integer({ min: 1, max: 5 }), (given, partSize) => {
      const { page } = play(given)
      const parts = partsOf(eventsShowing(page, 7), partSize)
      const [size, full, ...rest] = parts.flat()
      if (!size || !full) throw new Error('a page starts with its size and a full snapshot')
      const shown = openPage(size, full)
      for (const event of rest) applyEvent(shown, event)
      expect(seen(shown)).toEqual(seen(page))
      const sizes = parts.map(([first]) => objectsIn(first?.data['adds']).length)
      expect(Math.max(...sizes)).toBeLessThanOrEqual(partSize)
      expect(inBody(openPage(size, full))).toBe(Math.min(inBody(page), partSize))
    }),
  )
})

function inBody({ nodes }: Page): number {
  return [...nodes.values()].filter(({ id }) => id > 5).length
}

test('parts set the scroll positions of a snapshot after its last nodes, before later ones', () => {
  const list = { ...element(6, 'ul', [element(7, 'li')]), attributes: { rr_scrollTop: 40 } }
  const body = element(5, 'body', [list])
  const node = { type: NodeType.Document, id: 1, childNodes: [element(2, 'html', [body])] }
  const page = openPage(sized, { ...snapshot, data: { node, initialOffset: { left: 0, top: 90 } } })
  applyEvent(page, incremental(1, { source: IncrementalSource.Scroll, id: 1, x: 0, y: 10 }))
  const last = partsOf(eventsShowing(page, 7), 1).at(-1) ?? []
  expect(last.map(({ data: { adds, id, y } }) => (id === undefined ? adds : [id, y]))).toEqual([
    [{ parentId: 6, nextId: null, node: element(7, 'li') }],
    [1, 90],
    [6, 40],
    [],
    [1, 10],
  ])
})

test('a page with a style element that rrweb builds together with its children has one part', () => {
  const style = { ...element(7, 'style', [element(8, 'b')]), attributes: { _cssText: 'p { top: 0 }' } }
  const body = element(5, 'body', [element(6, 'p'), style])
  const page = openPage(sized, { ...snapshot, data: { node: { ...element(2, 'html', [body]), id: 2 } } })
  expect(partsOf(eventsShowing(page, 7), 1)).toHaveLength(1)
})

test('pages with little in common are not turned into each other', () => {
  const page = openPage(sized, snapshot)
  const other = copyPage(page)
  for (let id = 10; id < 50; id += 1)
    applyEvent(other, mutation(id, { adds: [{ parentId: 5, nextId: null, node: element(id, 'p') }] }))
  expect(eventsBetween(page, other, 7)).toBeNull()
  expect(eventsBetween(other, page, 7)).not.toBeNull()
})

test('a page whose document has another id is built again, because changes refer to the id', () => {
  const root = (id: number) => ({ type: NodeType.Document, id, childNodes: [element(2, 'html')] })
  const pageOf = (id: number) => openPage(sized, { ...snapshot, data: { node: root(id) } })
  expect(eventsBetween(pageOf(1), pageOf(1), 7)).not.toBeNull()
  expect(eventsBetween(pageOf(1), pageOf(9), 7)).toBeNull()
})

test('a style element keeps its rules when its text changes', () => {
  const style = (attributes: Data, childNodes: Data[]) => ({ ...element(4, 'style', childNodes), attributes })
  const text = { type: NodeType.Text, id: 5, textContent: '' }
  const open = (node: Data) =>
    openPage(sized, { ...snapshot, data: { node: { type: NodeType.Document, id: 1, childNodes: [node] } } })
  const page = open(style({ _cssText: 'p { top: 0 }' }, [text]))
  expect(treeOf(page, 5)).toMatchObject({ textContent: 'p { top: 0 }', isStyle: true })
  applyEvent(page, mutation(1, { texts: [{ id: 5, value: 'p { top: 1px }' }] }))
  expect(treeOf(page, 4)).toMatchObject({ attributes: {}, childNodes: [{ textContent: 'p { top: 1px }' }] })
  const empty = open(style({ _cssText: 'p { top: 0 }' }, []))
  applyEvent(empty, mutation(1, { adds: [{ parentId: 4, nextId: null, node: text }] }))
  expect(treeOf(empty, 4)).toMatchObject({ attributes: {}, childNodes: [{ textContent: 'p { top: 0 }' }] })
})

test('adds the documents of frames after the snapshot, outer ones first', () => {
  const page = openPage(sized, snapshot)
  const addFrame = (parentId: number, id: number) => {
    const frame = element(id, 'iframe')
    const content = { type: NodeType.Document, id: id + 1, childNodes: [element(id + 2, 'html')] }
    applyEvent(page, mutation(id, { adds: [{ parentId, nextId: null, node: frame }] }))
    applyEvent(page, mutation(id, { adds: [{ parentId: id, nextId: null, node: content }] }))
  }
  addFrame(5, 100)
  addFrame(102, 200)
  const [, shown, frames] = eventsShowing(page, 300)
  expect(JSON.stringify(shown)).not.toContain('"id":101')
  expect(frames?.data['adds']).toMatchObject([
    {
      parentId: 100,
      node: { id: 101, childNodes: [{ id: 102, childNodes: [{ id: 200, childNodes: [] }] }] },
    },
    { parentId: 200, node: { id: 201, childNodes: [{ id: 202 }] } },
  ])
})

test('a node cannot be moved below itself, and of two nodes with one id a page keeps one', () => {
  const inside = element(12, 'b', [element(9, 'p', [element(8, 'div')])])
  const root = {
    ...element(1, 'html', [element(8, 'div', [element(9, 'p'), inside])]),
    type: NodeType.Document,
  }
  const page = openPage(sized, { type: EventType.FullSnapshot, timestamp: 0, data: { node: root } })
  applyEvent(page, mutation(1, { adds: [{ parentId: 8, nextId: null, node: element(20, 'ul') }] }))
  applyEvent(page, mutation(2, { adds: [{ parentId: 20, nextId: null, node: element(21, 'li') }] }))
  applyEvent(page, mutation(3, { adds: [{ parentId: 21, nextId: 20, node: element(20, 'ul') }] }))
  applyEvent(page, mutation(4, { adds: [{ parentId: 20, nextId: null, node: element(20, 'ul') }] }))
  for (const node of page.nodes.values()) expect([...page.nodes.upwards(node.id)].at(-1)?.id).toBe(1)
  expect(childIds(page, 20)).toEqual([21])
})

test('remembers clicks from the one on that opens a popover, unless the recorder reports the top layer', () => {
  const button = { ...element(10, 'button', [element(11, 'b')]), attributes: { popovertarget: 'note' } }
  const add = mutation(1, {
    adds: [button, element(11, 'b'), element(12, 'p')].map((node, index) => ({
      parentId: index === 1 ? 10 : 5,
      nextId: null,
      node,
    })),
  })
  const click = (id: number) =>
    incremental(2, { source: IncrementalSource.MouseInteraction, type: MouseInteractions.Click, id })
  const clicksAfter = (...events: ReplayEvent[]) => {
    const page = copyPage(opened)
    for (const event of [add, ...events]) applyEvent(page, event)
    return page.latest.get('spool/popover-clicks')?.data['payload']
  }
  expect(clicksAfter(click(12))).toBeUndefined()
  expect(clicksAfter(click(12), click(11), click(12), click(99))).toEqual({ ids: [11, 12, 99] })
  const clicks = Array.from({ length: 200 }, () => click(10))
  expect(clicksAfter(...clicks)).toEqual({ ids: clicks.slice(0, 50).map(() => 10) })
  const told = {
    type: EventType.Custom,
    timestamp: 3,
    data: { tag: 'spool/top-layer', payload: { ids: [] } },
  }
  expect(clicksAfter(click(10), told, click(10))).toBeUndefined()
})

test('where a page is opened later, animations go on from the time of their report', () => {
  const page = openPage(sized, snapshot)
  const list = [{ node: 5, keyframes: [], timing: { iterations: 1 }, time: 0, rate: 1 }]
  const payload = { list }
  applyEvent(page, { type: EventType.Custom, timestamp: 50, data: { tag: 'spool/animations', payload } })
  const shown = eventsShowing(page, 9_000).find(({ data }) => data['tag'] === 'spool/animations')
  expect(shown).toMatchObject({ timestamp: 9_000, data: { payload: { list: [{ at: 50 }] } } })
})

test('a font is added to the list of its page, without a copy for each, but not to those of earlier copies', () => {
  const page = openPage(sized, snapshot)
  const { sheets } = page
  const copy = copyPage(page)
  const font = incremental(1, { source: IncrementalSource.Font, family: 'Lamp', fontSource: 'local(Lamp)' })
  applyEvent(page, font)
  expect(page.sheets).toBe(sheets)
  expect([sheets, copy.sheets]).toEqual([[font], []])
})
