import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  EventType,
  IncrementalSource,
  MouseInteractions,
  type ReplayEvent,
} from '../../../replay/recorded/rrweb.ts'
import { gapsIn } from '../reader/gaps.ts'
import { createNeutralizer } from '../reader/neutralize.ts'
import { openPage } from '../../../replay/page.ts'
import { eventsBetween } from '../../../replay/page-changes.ts'
import { applyToScreen, eventsShowingScreen, openScreen } from '../../../replay/screen.ts'
import { createPlaceholders } from '../reader/placeholders.ts'
import { createMobileScreen } from './mobile-screen.ts'
import { fixedIds } from './screen-document.ts'

const png = 'iVBORw0KGgo='
const place = { x: 10, y: 20, width: 100, height: 40 }

function snapshot(timestamp: number, ...wireframes: object[]): ReplayEvent {
  return { type: EventType.FullSnapshot, timestamp, data: { wireframes, initialOffset: { top: 0, left: 0 } } }
}

function meta(timestamp: number, href: string): ReplayEvent {
  return { type: EventType.Meta, timestamp, data: { href, width: 390, height: 844 } }
}

function changed(timestamp: number, data: object): ReplayEvent {
  return {
    type: EventType.IncrementalSnapshot,
    timestamp,
    data: { source: IncrementalSource.Mutation, ...data },
  }
}

function touched(timestamp: number, type: number): ReplayEvent {
  const data = { source: IncrementalSource.MouseInteraction, type, id: 1, x: 5, y: 6, pointerType: 2 }
  return { type: EventType.IncrementalSnapshot, timestamp, data }
}

/** Returns the events as a player receives them. */
function drawn(...events: ReplayEvent[]): ReplayEvent[] {
  const draw = createMobileScreen()
  const neutralize = createNeutralizer(createPlaceholders())
  return events
    .flatMap((event) => draw({ window: 'w', event }))
    .filter((event) => neutralize({ window: 'w', event }))
}

/** Builds the document that rrweb would build, with the nodes' ids as `id`. */
function played(...events: ReplayEvent[]): Screen {
  const screen = new Screen()
  for (const event of drawn(...events)) screen.apply(event)
  return screen
}

/** Plays the events that show the screen as it is after these events. */
function cut(first: ReplayEvent, ...others: ReplayEvent[]): Screen {
  const screen = openScreen(first)
  for (const event of others) applyToScreen(screen, event)
  return played(...eventsShowingScreen(screen, 9))
}

type PlayedNode = {
  id: number
  tagName: string
  attributes: Record<string, string | null>
  textContent: string
  childNodes: PlayedNode[]
}

/** Applies snapshots and mutations as rrweb does: removes, then adds one node each, then attributes. */
class Screen {
  nodes = new Map<number, PlayedNode>()

  apply({ type, data }: ReplayEvent): void {
    if (type === EventType.FullSnapshot) {
      this.nodes.clear()
      this.keep(data['node'] as PlayedNode)
    }
    if (type !== EventType.IncrementalSnapshot || data['source'] !== IncrementalSource.Mutation) return
    for (const { id, parentId } of data['removes'] as { id: number; parentId: number }[]) {
      const children = this.nodes.get(parentId)?.childNodes
      const index = children?.findIndex((child) => child.id === id) ?? -1
      if (index >= 0) children?.splice(index, 1)
    }
    for (const { parentId, node } of data['adds'] as { parentId: number; node: PlayedNode }[]) {
      this.keep(node)
      this.nodes.get(parentId)?.childNodes.push(node)
    }
    for (const { id, attributes } of data['attributes'] as { id: number; attributes: object }[])
      Object.assign(this.nodes.get(id)?.attributes ?? {}, attributes)
  }

  node(id: number): PlayedNode {
    const node = this.nodes.get(id)
    if (!node) throw new Error(`no node ${id}`)
    return node
  }

  /** Text of a view or of the whole screen, in the order of painting. */
  text(id: number = fixedIds.screen): string {
    return textsIn(this.node(id)).join(' ')
  }

  get screenshot() {
    return this.node(fixedIds.screenshot).attributes
  }

  private keep(node: PlayedNode): void {
    this.nodes.set(node.id, node)
    for (const child of node.childNodes ?? []) this.keep(child)
  }
}

/** A tree of views that changes as a recorder reports it; each view's text is unique. */
class ViewTree {
  #root: View = { id: 0, text: '', children: [] }
  #lastId = 3
  #lastText = 0

  constructor() {
    const [one, two, three] = [1, 2, 3].map((id) => ({ id, text: `start ${id}`, children: [] as View[] }))
    if (!one || !two || !three) throw new Error('there are three views')
    one.children.push(two)
    this.#root.children.push(one, three)
  }

  wireframes(): object[] {
    return this.#root.children.map(wireframeOf)
  }

  /** Changes the tree, and returns the data of the event that reports it. */
  change({ kind, of, to }: { kind: string; of: number; to: number }): object {
    const all = viewsBelow(this.#root)
    const view = all[of % Math.max(1, all.length)]
    this.#lastText += 1
    if (kind === 'add' || !view) {
      this.#lastId += 1
      const added = { id: this.#lastId, text: `added ${this.#lastId}`, children: [] }
      const parent = [this.#root, ...all][to % (all.length + 1)] ?? this.#root
      parent.children.push(added)
      return { adds: [{ ...parentIdOf(parent), wireframe: wireframeOf(added) }] }
    }
    const parent = [this.#root, ...all].find(({ children }) => children.includes(view)) ?? this.#root
    if (kind === 'remove') {
      parent.children = parent.children.filter((child) => child !== view)
      return { removes: [{ ...parentIdOf(parent), id: view.id }] }
    }
    view.text = `changed ${this.#lastText}`
    const others = all.filter((other) => other !== view && !viewsBelow(view).includes(other))
    const target = kind === 'move' ? others[to % Math.max(1, others.length)] : undefined
    if (target && target !== parent) {
      parent.children = parent.children.filter((child) => child !== view)
      target.children.push(view)
    }
    return { updates: [{ ...parentIdOf(target ?? parent), wireframe: wireframeOf(view) }] }
  }
}

type View = { id: number; text: string; children: View[] }

function wireframeOf({ id, text, children }: View): object {
  return { ...place, id, type: 'text', text, childWireframes: children.map(wireframeOf) }
}

function viewsBelow({ children }: View): View[] {
  return children.flatMap((child) => [child, ...viewsBelow(child)])
}

/** A recorder names no parent for an outermost view. */
function parentIdOf({ id }: View): object {
  return id === 0 ? {} : { parentId: id }
}

/** Returns what a screen shows, without the ids of nodes that no event refers to. */
function shapeOf(screen: Screen): unknown {
  const shape = (node: PlayedNode): unknown =>
    node.textContent ?? [node.tagName, node.attributes, node.childNodes.map(shape)]
  return shape(screen.node(fixedIds.body))
}

function textsIn(node: PlayedNode): string[] {
  return node.textContent === undefined ? node.childNodes.flatMap(textsIn) : [node.textContent]
}

describe('a recording of screenshots', () => {
  const screenshot = (id: number, base64: string) => ({ ...place, id, type: 'screenshot', base64 })

  test('shows each screenshot in one document, so that the picture does not flicker', () => {
    const events = [0, 1000, 2000].map((at) => snapshot(at, screenshot(7, `data:image/webp;base64,AAA${at}`)))
    const [size, document, ...later] = drawn(...events)
    expect(size).toMatchObject({ type: EventType.Meta, data: { width: 100, height: 40 } })
    expect(document?.type).toBe(EventType.FullSnapshot)
    expect(later.map(({ type }) => type)).toEqual([3, 3])
    expect(played(...events).screenshot['src']).toBe('data:image/webp;base64,AAA2000')
    expect(played(...events).screenshot['style']).toContain(
      'left: 10px; top: 20px; width: 100px; height: 40px',
    )
  })

  test('starts a new document after ten seconds, after a turn of the phone, and after a seek back', () => {
    const types = drawn(
      meta(0, 'Home'),
      snapshot(1, screenshot(7, png)),
      snapshot(9000, screenshot(7, png)),
      snapshot(10_001, screenshot(7, png)),
      meta(10_002, 'Home'),
      snapshot(10_003, screenshot(7, png)),
      snapshot(500, screenshot(7, png)),
    ).map(({ type }) => type)
    expect(types).toEqual([4, 2, 3, 2, 4, 2, 2])
  })

  test('needs no new element for the next document, so that a seek does not flicker either', () => {
    const [size, one, , other] = drawn(
      ...[0, 10_000].flatMap((at) => [meta(at, 'Home'), snapshot(at, screenshot(7, `${png}${at}`))]),
    )
    if (!size || !one || !other) throw new Error('a document is missing')
    const changes = eventsBetween(openPage(size, one), openPage(size, other), 0)
    expect(changes?.[0]?.data).toMatchObject({
      adds: [],
      removes: [],
      texts: [],
      attributes: [{ id: fixedIds.screenshot }],
    })
  })

  test('is cut with the newest screenshot and the open keyboard', () => {
    const shot = (base64: string) => ({ id: 1, type: 'screenshot', base64, ...place })
    const update = changed(1, { updates: [{ wireframe: shot(`${png}=`) }] })
    const opened = {
      type: EventType.Custom,
      timestamp: 2,
      data: { tag: 'keyboard', payload: { open: true, height: 260 } },
    }
    const screen = cut(snapshot(0, shot(png)), update, opened)
    expect(screen.screenshot['src']).toBe(`data:image/png;base64,${png}=`)
    expect(screen.node(fixedIds.keyboard).attributes['class']).toBe('keyboard open')
  })

  test('shows a screenshot that an update brings', () => {
    const update = { parentId: null, wireframe: screenshot(7, 'BBBB') }
    const screen = played(snapshot(0, screenshot(7, png)), changed(1, { updates: [update] }))
    expect(screen.screenshot['src']).toBe('data:image/png;base64,BBBB')
  })

  test('replaces a screenshot by wireframes, and shows a screenshot without a picture as a placeholder', () => {
    const screen = played(
      snapshot(0, screenshot(7, png)),
      snapshot(1, { ...place, id: 8, type: 'text', text: 'Hello' }, { ...place, type: 'screenshot' }),
    )
    expect(screen.screenshot).toMatchObject({ src: null })
    expect(screen.text()).toBe('Hello screenshot')
  })
})

describe('a wireframe', () => {
  test.each<[object, string, string]>([
    [{ type: 'text', text: '<b>Hi</b>' }, 'view text', '<b>Hi</b>'],
    [{ type: 'rectangle' }, 'view ', ''],
    [{}, 'view ', ''],
    [{ type: 'image', base64: 'not base64!' }, 'view placeholder', 'image'],
    [{ type: 'placeholder', label: 'A map' }, 'view placeholder', 'A map'],
    [{ type: 'web_view', url: 'javascript:alert(1)' }, 'view placeholder', 'javascript:alert(1)'],
    [{ type: 'hologram' }, 'view placeholder', 'hologram'],
    [{ type: 'navigation_bar' }, 'view navigation-bar', '◁ ○ □'],
    [{ type: 'input', inputType: 'text', value: 'Ada' }, 'view field', 'Ada'],
    [{ type: 'input', inputType: 'password', value: 'secret' }, 'view field', '••••••'],
    [{ type: 'input', inputType: 'text_area', value: 'a\nb' }, 'view field area', 'a\nb'],
    [{ type: 'input', inputType: 'button', value: 'Pay', disabled: true }, 'view button off', 'Pay'],
    [{ type: 'input', inputType: 'checkbox', checked: true, label: 'Agree' }, 'view choice', 'Agree'],
    [{ type: 'input', inputType: 'radio', label: 'One' }, 'view choice', 'One'],
    [{ type: 'input', inputType: 'toggle', label: 'Wi-Fi' }, 'view choice spread', 'Wi-Fi'],
    [{ type: 'input', inputType: 'select', options: ['A', 'B'] }, 'view field spread', 'A ▾'],
    [
      { type: 'input', inputType: 'progress', value: 3, max: 5, style: { bar: 'rating' } },
      'view rating',
      '★★★☆☆',
    ],
  ])('%j is drawn', (wireframe, look, text) => {
    const screen = played(snapshot(0, { ...place, id: 5, ...wireframe }))
    expect(screen.node(5).attributes['class']).toBe(look)
    expect(screen.text(5)).toBe(text)
  })

  test('draws the share of a progress bar, and marks those that are on', () => {
    const progress = { ...place, type: 'input', inputType: 'progress', value: 30, max: 120 }
    const box = { ...place, type: 'input', inputType: 'checkbox', checked: true }
    const screen = played(snapshot(0, { ...progress, id: 5 }, { ...box, id: 6 }))
    const marks = [...screen.nodes.values()].filter(({ tagName }) => tagName === 'i')
    expect(marks.map(({ attributes }) => attributes)).toEqual([
      { style: '--share: 25%' },
      { class: 'checkbox on' },
    ])
  })

  test('is placed and styled by validated values only', () => {
    const style = {
      color: '#ff0000',
      backgroundColor: 'red; background: url(https://evil.example/a.png)',
      backgroundImage: 'AAAA',
      backgroundSize: 'cover',
      borderWidth: '2px',
      borderColor: 'rgb(1, 2, 3)',
      borderRadius: 4,
      fontFamily: 'Fira Sans, x"} body { color: red',
      fontSize: '1e9',
      horizontalAlign: 'center',
      verticalAlign: 'url(https://evil.example)',
      paddingLeft: 1e300,
    }
    const screen = played(snapshot(0, { id: 5, x: '3px', y: -1e12, width: '100vw', height: -7, style }))
    expect(screen.node(5).attributes['style']).toBe(
      'left: 3px; top: -20000px; width: 100vw; height: 0px; color: #ff0000; background-image: url("data:image/png;base64,AAAA"); background-size: cover; border: 2px solid rgb(1, 2, 3); border-radius: 4px; font-family: "Fira Sans", system-ui, sans-serif; justify-content: center; padding-left: 20000px',
    )
  })

  test('contains its children, and shows a second view with the same id as well', () => {
    const child = { ...place, id: 6, type: 'text', text: 'Child' }
    const screen = played(snapshot(0, { ...place, id: 5, childWireframes: [child, child] }))
    expect(screen.text(5)).toBe('Child Child')
    expect(screen.text(6)).toBe('Child')
  })
})

describe('a change', () => {
  const label = (id: number, text: string, more = {}) => ({ ...place, id, type: 'text', text, ...more })
  const group = (id: number, ...childWireframes: object[]) => ({ ...place, id, type: 'div', childWireframes })
  const first = snapshot(0, group(1, label(2, 'Two'), label(3, 'Three')), label(4, 'Four'))

  test('updates a view in place, so that views over it stay over it', () => {
    const data = { updates: [{ parentId: 1, wireframe: label(2, 'New', { x: 99 }) }] }
    const screen = played(first, changed(1, data))
    expect(screen.text()).toBe('New Three Four')
    expect(screen.node(2).attributes['style']).toContain('left: 99px')
  })

  test('adds views to a view or the screen, and removes them', () => {
    const data = {
      adds: [{ parentId: 1, wireframe: label(5, 'Five') }, { wireframe: label(6, 'Six') }],
      removes: [{ parentId: 1, id: 2 }, { id: 4 }],
    }
    expect(played(first, changed(1, data)).text()).toBe('Three Five Six')
    expect(played(first, changed(1, { removes: [{ parentId: 1, id: 3 }] })).text()).toBe('Two Four')
  })

  test('shows a view once if it is listed by itself and inside its parent', () => {
    const child = label(8, 'Eight')
    const adds = [{ parentId: 7, wireframe: child }, { wireframe: group(7, child) }]
    expect(played(first, changed(1, { adds })).text()).toBe('Two Three Four Eight')
  })

  test('moves a view to another parent, and removes it from there', () => {
    const move = changed(1, { updates: [{ parentId: 1, wireframe: label(4, 'Four') }] })
    expect(played(first, move).text(1)).toBe('Two Three Four')
    expect(played(first, move).text()).toBe('Two Three Four')
    expect(played(first, move, changed(2, { removes: [{ parentId: 1, id: 4 }] })).text()).toBe('Two Three')
    expect(played(first, move, changed(2, { removes: [{ id: 4 }] })).text()).toBe('Two Three')
  })

  test('does not move a view into itself', () => {
    const updates = [1, 2].map((parentId) => ({ parentId, wireframe: group(1, label(2, 'New')) }))
    expect(played(first, ...updates.map((update) => changed(1, { updates: [update] }))).text()).toBe(
      'New Four',
    )
  })

  test('builds a large screen as a new document, whose nodes are added at once', () => {
    const many = Array.from({ length: 501 }, (_, index) => label(index + 1, 'x'))
    for (const views of [many, [group(600, ...many)]])
      expect(drawn(first, snapshot(1, ...views)).map(({ type }) => type)).toEqual([
        EventType.Meta,
        EventType.FullSnapshot,
        EventType.Meta,
        EventType.FullSnapshot,
      ])
  })

  test('draws a view once that an update lists inside another parent', () => {
    const updates = [{ wireframe: group(1, label(2, 'Two'), label(4, 'Four')) }]
    expect(played(first, changed(1, { updates })).text()).toBe('Two Four')
  })

  test('is cut like it is drawn', () => {
    const child = label(8, 'Eight')
    const changes = [
      { adds: [{ parentId: 7, wireframe: child }, { wireframe: group(7, child) }] },
      { updates: [{ wireframe: group(1, label(2, 'Two'), label(4, 'Four')) }] },
      { updates: [{ parentId: 2, wireframe: group(1, label(2, 'New')) }] },
      { updates: [{ parentId: 1, wireframe: label(4, 'Four') }], removes: [{ parentId: 1, id: 2 }] },
      { adds: [{ parentId: 99, wireframe: label(9, 'Nowhere') }, { wireframe: label(10, 'Ten') }] },
    ]
    for (const data of changes)
      expect(cut(first, changed(1, data)).text()).toBe(played(first, changed(1, data)).text())
  })

  test('of any kind leads to the document that a snapshot of the same tree draws', () => {
    const step = fc.record({
      kind: fc.constantFrom('add', 'update', 'move', 'remove'),
      of: fc.nat(),
      to: fc.nat(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const tree = new ViewTree()
        const start = snapshot(0, ...tree.wireframes())
        const changes = steps.map((given, index) => changed(index + 1, tree.change(given)))
        const screen = played(start, ...changes)
        expect(shapeOf(screen)).toEqual(shapeOf(played(snapshot(0, ...tree.wireframes()))))
        expect(shapeOf(cut(start, ...changes))).toEqual(shapeOf(screen))
      }),
    )
  })

  test('opens and closes the keyboard', () => {
    const event = (at: number, payload: object) => ({
      type: EventType.Custom,
      timestamp: at,
      data: { tag: 'keyboard', payload },
    })
    const open = event(1, { open: true, height: 260 })
    const { attributes } = played(first, open).node(fixedIds.keyboard)
    expect(attributes).toEqual({
      class: 'keyboard open',
      style: 'left: 0px; top: 0px; width: 100vw; height: 260px; top: auto; bottom: 0',
    })
    expect(played(first, open, event(2, { open: false })).node(fixedIds.keyboard).attributes).toEqual({
      class: 'keyboard',
      style: null,
    })
  })
})

test('touches belong to the whole screen, whichever finger made them', () => {
  const move = {
    type: EventType.IncrementalSnapshot,
    timestamp: 3,
    data: { source: IncrementalSource.TouchMove, positions: [{ x: 1, y: 2, id: 0, timeOffset: 0 }] },
  }
  const events = drawn(
    snapshot(0, place),
    touched(1, MouseInteractions.TouchStart),
    touched(2, MouseInteractions.TouchEnd),
    move,
  )
  expect(events.slice(2).map(({ data }) => data)).toMatchObject([
    { type: MouseInteractions.TouchStart, id: fixedIds.body, x: 5, y: 6 },
    { type: MouseInteractions.TouchEnd, id: fixedIds.body },
    { positions: [{ x: 1, y: 2, id: fixedIds.body, timeOffset: 0 }] },
  ])
})

test('screenshots and changes of views leave no gaps', () => {
  const box = { ...place, id: 5, childWireframes: [{ ...place, id: 6 }] }
  const update = {
    updates: [{ wireframe: { ...box, x: 1 } }],
    adds: [{ parentId: 6, wireframe: { ...place, id: 7 } }],
  }
  const events = drawn(
    ...[0, 1000, 2000, 15_000].map((at) =>
      snapshot(at, { ...place, id: 9, type: 'screenshot', base64: png }),
    ),
    touched(16_000, MouseInteractions.TouchEnd),
    snapshot(17_000, box),
    changed(18_000, update),
    changed(19_000, { removes: [{ id: 5 }, { parentId: 5, id: 6 }] }),
    touched(30_000, MouseInteractions.TouchEnd),
  ).map((event) => ({ window: 'w', event }))
  expect(gapsIn({ events, start: 0, end: 30_000, actions: [], blocks: [] })).toEqual([])
})

test('events of a web page stay as they are', () => {
  const events = [
    meta(0, 'https://shop.example/'),
    { type: EventType.FullSnapshot, timestamp: 1, data: { node: { id: 1, type: 0, childNodes: [] } } },
    changed(2, { texts: [], attributes: [], adds: [], removes: [{ id: 3, parentId: 2 }] }),
    touched(3, MouseInteractions.TouchEnd),
    { type: EventType.Custom, timestamp: 4, data: { tag: '$pageview', payload: {} } },
    { type: EventType.Custom, timestamp: 5, data: { tag: 'keyboard', payload: { open: true } } },
  ]
  expect(drawn(...structuredClone(events))).toEqual(events)
})

describe('a forged recording', () => {
  test('draws at most 50,000 wireframes, and 200 levels of nesting', () => {
    const many = Array.from({ length: 60_000 }, (_, index) => ({
      ...place,
      id: index + 1,
      type: 'text',
      text: 'x',
    }))
    expect(played(snapshot(0, ...many)).node(fixedIds.screen).childNodes).toHaveLength(50_000)
    let deep: object = place
    for (let level = 0; level < 5000; level += 1) deep = { id: 1, childWireframes: [deep] }
    expect(() => played(snapshot(0, deep))).not.toThrow()
  })

  test('keeps and draws 200 levels of views, however they are nested: by a snapshot, by additions or by moves', () => {
    const view = (id: number) => ({ ...place, id, type: 'text', text: `${id}` })
    const chain = (first: number, count: number): object =>
      count === 1 ? view(first) : { ...view(first), childWireframes: [chain(first + 1, count - 1)] }
    const added = Array.from({ length: 20_000 }, (_, index) => ({
      parentId: index + 1,
      wireframe: view(index + 2),
    }))
    const moved = [
      { parentId: 150, wireframe: chain(301, 100) },
      { parentId: 200, wireframe: view(500) },
    ]
    const shown = Array.from({ length: 200 }, (_, index) => index + 1).join(' ')
    for (const [first, ...others] of [
      [snapshot(0, chain(1, 300))],
      [snapshot(0, view(1)), changed(1, { adds: added })],
    ] as const) {
      expect(played(first, ...others).text()).toBe(shown)
      expect(cut(first, ...others).text()).toBe(shown)
    }
    const first = snapshot(0, chain(1, 200), chain(301, 100), view(500))
    const move = changed(1, { updates: moved })
    expect(played(first, move).text(301).split(' ')).toHaveLength(50)
    expect(cut(first, move).text()).toBe(played(first, move).text())
    const screen = openScreen(snapshot(0, view(1)))
    applyToScreen(screen, changed(1, { adds: added }))
    expect(() => structuredClone(screen)).not.toThrow()
  })

  test('draws 20,000 wireframes, and updates them', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      ...place,
      id: index + 1,
      type: 'text',
      text: 'x',
    }))
    const updates = many.map((wireframe) => ({ parentId: 1, wireframe: { ...wireframe, text: 'y' } }))
    const screen = played(snapshot(0, ...many), changed(1, { updates }))
    expect(screen.text().replaceAll(' ', '')).toBe('y'.repeat(20_000))
  })

  test('of any JSON yields events that rrweb can apply, with images and no other reference', () => {
    const word = fc.constantFrom(
      'javascript:alert(1)',
      'https://evil.example/a',
      'url(x)',
      '"><script>',
      'input',
      'image',
    )
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        word,
        fc.double(),
        fc.jsonValue(),
        tie('wireframe'),
        fc.array(tie('value')),
      ),
      wireframe: fc.dictionary(
        fc.constantFrom(
          'id',
          'type',
          'inputType',
          'style',
          'base64',
          'text',
          'value',
          'max',
          'childWireframes',
          'wireframe',
          'x',
          'url',
          'backgroundImage',
          'color',
          'options',
          'label',
        ),
        tie('value'),
      ),
    }))
    const list = fc.array(value.wireframe)
    fc.assert(
      fc.property(list, list, list, value.value, (wireframes, adds, updates, payload) => {
        const events = drawn(
          snapshot(0, ...(wireframes as object[])),
          changed(1, { adds, updates, removes: adds }),
          { type: EventType.Custom, timestamp: 2, data: { tag: 'keyboard', payload } },
        )
        const screen = new Screen()
        for (const event of events) screen.apply(event)
        const [start, ...later] = [
          snapshot(0, ...(wireframes as object[])),
          changed(1, { adds, updates, removes: adds }),
        ]
        if (start) expect(() => cut(start, ...later)).not.toThrow()
        for (const { tagName, attributes } of screen.nodes.values()) {
          if (tagName !== undefined)
            expect(['html', 'head', 'style', 'body', 'div', 'img', 'i']).toContain(tagName)
          for (const [name, value] of Object.entries(attributes ?? {})) {
            expect(['class', 'style', 'src', 'alt', 'data-phone']).toContain(name)
            expect(value ?? '').not.toMatch(/evil|javascript|script>/)
          }
        }
      }),
    )
  })
})
