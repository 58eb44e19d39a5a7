import {
  EventType,
  IncrementalSource,
  isObject,
  isSize,
  MouseInteractions,
  NodeType,
  type ReplayEvent,
} from '../../../contract/rrweb.ts'
import { mediaAt } from './media-state.ts'
import { attributesOf, treeOf, type Data, type Page, type PageNode } from './page-tree.ts'

/** Attributes that the player applies only when it builds an element. */
const builtAttribute = /^(rr_|_cssText$)/
/** Share of a page's nodes above which building the page is faster than changing another one. */
const addedShareMax = 0.5

/** Returns the events that show a page in an empty document: its size, a full snapshot, and what follows. */
export function eventsShowing(page: Page, timestamp: number): ReplayEvent[] {
  const size = page.latest.get('size')?.data
  const node = treeOf(page, page.root)
  const { initialOffset } = page
  return at(timestamp, [
    { type: EventType.Meta, timestamp, data: { href: '', ...(size && isSize(size) && sizeOf(size)) } },
    { type: EventType.FullSnapshot, timestamp, data: { node, initialOffset } },
    ...[...page.nodes.values()].flatMap((added) => laterEvents(added)),
    ...page.sheets,
    ...latestEvents(page),
    ...scrollEvents(page, page),
  ])
}

/** Returns the events that turn one page into another, or null if they have too little in common. */
export function eventsBetween(from: Page, to: Page, timestamp: number): ReplayEvent[] | null {
  const [fromRoot, toRoot] = [from.nodes.get(from.root), to.nodes.get(to.root)]
  if (!fromRoot || !toRoot || from.root !== to.root || !isSame(fromRoot, toRoot)) return null
  const changes: Changes = { removes: [], adds: [], texts: [], attributes: [], later: [] }
  const pending: [PageNode, PageNode][] = [[fromRoot, toRoot]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    compareNodes(changes, ...next)
    pending.push(...compareChildren(changes, from, to, ...next))
    if (changes.adds.length > to.nodes.size * addedShareMax) return null
  }
  const { later, ...mutation } = changes
  return at(timestamp, [
    mutationEvent(mutation),
    ...later,
    ...sheetEvents(from, to),
    ...sizeEvents(from, to),
    ...latestEvents(to, from),
    ...scrollEvents(from, to),
  ])
}

type Changes = { removes: Data[]; adds: Data[]; texts: Data[]; attributes: Data[]; later: ReplayEvent[] }

/** Whether an element of one page can become that of the other without being built again. */
function isSame(from: PageNode, to: PageNode): boolean {
  if (from === to) return true
  if (from.own !== to.own) {
    for (const key of ['type', 'tagName', 'isSVG', 'isShadow', 'isShadowHost', 'isCustom', 'rootId', 'name'])
      if (from.own[key] !== to.own[key]) return false
    const [before, after] = [attributesOf(from), attributesOf(to)]
    for (const name of Object.keys({ ...before, ...after }))
      if (builtAttribute.test(name) && before[name] !== after[name]) return false
  }
  if (from.later === to.later) return true
  const { rules = [] } = from.later
  return (
    rules.every((event, index) => event === to.later.rules?.[index]) &&
    (['input', 'media', 'canvas'] as const).every((kind) => !from.later[kind] || to.later[kind])
  )
}

function compareNodes(changes: Changes, from: PageNode, to: PageNode): void {
  const { id } = to
  if (from.own['textContent'] !== to.own['textContent'])
    changes.texts.push({ id, value: to.own['textContent'] ?? '' })
  const [before, after] = [attributesOf(from), attributesOf(to)]
  const hasOtherStyle = from.later.style !== to.later.style
  const attributes: Data = {}
  if (before !== after || hasOtherStyle)
    for (const name of Object.keys({ ...before, ...after }))
      if (before[name] !== after[name] || (name === 'style' && hasOtherStyle))
        attributes[name] = attributeText(after[name])
  if (hasOtherStyle && !('style' in attributes)) attributes['style'] = null
  if (Object.keys(attributes).length > 0) changes.attributes.push({ id, attributes })
  if (from.later !== to.later || 'style' in attributes)
    changes.later.push(...laterEvents(to, from, 'style' in attributes))
}

/** Adds and removes children; returns the pairs of those that remain. */
function compareChildren(
  changes: Changes,
  from: Page,
  to: Page,
  parent: PageNode,
  { id: parentId, children }: PageNode,
): [PageNode, PageNode][] {
  const pairs = parent.children === children ? remaining(from, to, children) : null
  if (pairs) return pairs
  const places = new Map(parent.children.map((child, place) => [child, place]))
  const kept = new Map<number, [PageNode, PageNode]>()
  let last = -1
  for (const child of children) {
    const [before, after] = [from.nodes.get(child), to.nodes.get(child)]
    const place = places.get(child) ?? -1
    if (!before || !after || place < last || place === -1 || !isSame(before, after)) continue
    last = place
    kept.set(child, [before, after])
  }
  for (const id of parent.children) {
    const isShadow = from.nodes.get(id)?.own['isShadow'] === true
    if (!kept.has(id)) changes.removes.push({ parentId, id, ...(isShadow && { isShadow }) })
  }
  addChildren(changes, to, parentId, kept)
  return [...kept.values()]
}

/** Returns the pairs of a list of children that no node left; null if a child has to be built again. */
function remaining(from: Page, to: Page, children: readonly number[]): [PageNode, PageNode][] | null {
  const pairs: [PageNode, PageNode][] = []
  for (const child of children) {
    const [before, after] = [from.nodes.get(child), to.nodes.get(child)]
    if (!before || !after || !isSame(before, after)) return null
    pairs.push([before, after])
  }
  return pairs
}

/** Adds the children that are not in `kept`, from last to first, so that each finds its next sibling. */
function addChildren(changes: Changes, to: Page, top: number, keptOfTop: ReadonlyMap<number, unknown>): void {
  const pending: [number, ReadonlyMap<number, unknown>][] = [[top, keptOfTop]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [parentId, kept] = next
    const following = new Map<boolean, number>()
    for (const id of to.nodes.get(parentId)?.children.toReversed() ?? []) {
      const node = to.nodes.get(id)
      if (!node) continue
      const isShadow = node.own['isShadow'] === true
      const isDocument = node.own['type'] === NodeType.Document
      if (!kept.has(id)) {
        const added = isDocument ? treeOf(to, id) : node.own
        changes.adds.push({ parentId, nextId: following.get(isShadow) ?? null, node: added })
        changes.later.push(...laterEvents(node))
        if (!isDocument) pending.push([id, nothing])
      }
      following.set(isShadow, id)
    }
  }
}

const nothing: ReadonlyMap<number, unknown> = new Map()

/** Returns the events after those of `from` that a node needs; scrolling comes last, for the whole page. */
function laterEvents({ later }: PageNode, from?: PageNode, isStyleReset = false): ReplayEvent[] {
  const { style = [], rules = [], input = [], media = [], canvas = [] } = later
  const known = from?.later ?? {}
  return [
    ...(isStyleReset || !from ? style : []),
    ...rules.slice(known.rules?.length ?? 0),
    ...[...input, ...media, ...canvas].filter(
      (event) => ![known.input, known.media, known.canvas].some((events) => events?.includes(event)),
    ),
  ]
}

function sheetEvents(from: Page, to: Page): ReplayEvent[] {
  if (from.sheets.every((event, index) => event === to.sheets[index]))
    return to.sheets.slice(from.sheets.length)
  const hosts = new Set(from.sheets.map(({ data }) => data['id']).filter((id) => typeof id === 'number'))
  const source = IncrementalSource.AdoptedStyleSheet
  return [...Array.from(hosts, (id) => incremental({ source, id, styleIds: [] })), ...to.sheets]
}

function sizeEvents(from: Page, to: Page): ReplayEvent[] {
  const size = to.latest.get('size')
  if (!size || size === from.latest.get('size') || !isSize(size.data)) return []
  return [incremental({ source: IncrementalSource.ViewportResize, ...sizeOf(size.data) })]
}

function latestEvents(page: Page, from?: Page): ReplayEvent[] {
  const { latest } = page
  const focused = from?.latest.get('focus')?.data['id']
  const blur = { source: IncrementalSource.MouseInteraction, type: MouseInteractions.Blur, id: focused }
  return [
    ...(focused === undefined || latest.has('focus') ? [] : [incremental(blur)]),
    ...(['touch', 'focus', 'pointer', 'selection'] as const).flatMap((kind) => latest.get(kind) ?? []),
  ]
}

/** Returns the scroll positions of a page; what is scrolled in `from` alone returns to its initial position. */
function scrollEvents(from: Page, to: Page): ReplayEvent[] {
  const events: ReplayEvent[] = []
  for (const [id, { later }] of to.nodes) {
    const scrolled = later.scroll ?? []
    events.push(...scrolled)
    const node = to.nodes.get(id)
    if (scrolled.length > 0 || !node || !from.nodes.get(id)?.later.scroll) continue
    events.push(incremental({ source: IncrementalSource.Scroll, id, ...initialScroll(to, node) }))
  }
  return events
}

function initialScroll(page: Page, node: PageNode): { x: unknown; y: unknown } {
  const offset = isObject(page.initialOffset) ? page.initialOffset : {}
  if (node.id === page.root) return { x: offset['left'] ?? 0, y: offset['top'] ?? 0 }
  const { rr_scrollLeft: x = 0, rr_scrollTop: y = 0 } = attributesOf(node)
  return { x, y }
}

/** Returns an attribute's value as a mutation sets it; rrweb ignores other types there. */
function attributeText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (value === true) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function mutationEvent(parts: Omit<Changes, 'later'>): ReplayEvent {
  return incremental({ source: IncrementalSource.Mutation, ...parts })
}

function incremental(data: Data): ReplayEvent {
  return { type: EventType.IncrementalSnapshot, timestamp: 0, data }
}

function sizeOf({ width, height }: { width: number; height: number }) {
  return { width, height }
}

/** Returns the events with another time. */
function at(timestamp: number, events: readonly ReplayEvent[]): ReplayEvent[] {
  return events.map((event) => ({ ...mediaAt(event, timestamp), timestamp }))
}
