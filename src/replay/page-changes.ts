import {
  EventType,
  incremental,
  IncrementalSource,
  isObject,
  isSize,
  MouseInteractions,
  mutation,
  type mutationParts,
  type ReplayEvent,
} from './recorded/rrweb.ts'
import { stateEvent, stateTags } from './recorded/page-state.ts'
import { mediaAt } from './media-state.ts'
import type { PageNode } from './page-nodes.ts'
import { attributesOf, documentsBelow, isDocument, treeOf, type Data, type Page } from './page-tree.ts'

/** Attributes that the player applies only when it builds an element. */
const builtAttribute = /^(rr_|_cssText$)/
/** Share of a page's nodes above which building a new page is faster than changing the old one. */
const addedShareMax = 0.5

/** Returns the events that show a page in an empty document: its size, a full snapshot, and what follows. */
export function eventsShowing(page: Page, timestamp: number): ReplayEvent[] {
  const size = page.latest.get('size')?.data
  const node = treeOf(page, page.root)
  const { initialOffset } = page
  return at(timestamp, [
    { type: EventType.Meta, timestamp, data: { href: '', ...(size && isSize(size) && sizeOf(size)) } },
    { type: EventType.FullSnapshot, timestamp, data: { node, initialOffset } },
    mutation(0, { adds: frameAdds(page, page.root) }),
    ...[...page.nodes.changed()].flatMap((added) => laterEvents(added)),
    ...page.sheets,
    ...latestEvents(page),
    ...scrollEvents(page),
  ])
}

/**
 * Returns the events that turn one page into another, or null if they have too little in common: other roots, or a larger share
 * of added nodes than `shareMax`.
 */
export function eventsBetween(
  from: Page,
  to: Page,
  timestamp: number,
  shareMax = addedShareMax,
): ReplayEvent[] | null {
  const [fromRoot, toRoot] = [from.nodes.get(from.root), to.nodes.get(to.root)]
  if (!fromRoot || !toRoot || from.root !== to.root || !isSame(fromRoot, toRoot)) return null
  const changes: Changes = { removes: [], adds: [], texts: [], attributes: [], later: [] }
  const { differing, parents } = differences(from, to)
  const isKept = keptNodes(from, to, parents, changes)
  for (const node of differing) {
    const before = from.nodes.get(node.id)
    if (before && isKept(node.id)) compareNodes(changes, before, node)
  }
  if (changes.adds.length > to.nodes.size * shareMax) return null
  const { later, ...parts } = changes
  return at(timestamp, [
    mutation(0, parts),
    ...later,
    ...sheetEvents(from, to),
    ...sizeEvents(from, to),
    ...latestEvents(to, from),
    ...scrollResets(from, to, differing),
    ...scrollEvents(to),
  ])
}

/** Returns the nodes of `to` that differ in `from`, and the nodes whose children have to be compared. */
function differences(from: Page, to: Page): { differing: PageNode[]; parents: Set<number> } {
  const differing: PageNode[] = []
  const parents = new Set<number>()
  for (const node of to.nodes.comparedWith(from.nodes)) {
    const before = from.nodes.get(node.id)
    if (!before || before === node) continue
    differing.push(node)
    if (before.first !== node.first || before.last !== node.last) parents.add(node.id)
    if (node.parent !== null && (before.next !== node.next || !isSame(before, node))) parents.add(node.parent)
  }
  return { differing, parents }
}

/** Adds and removes children of `parents` where they differ. Returns `isKept`: whether a node stays in its place. */
function keptNodes(from: Page, to: Page, parents: ReadonlySet<number>, changes: Changes) {
  const known = new Map([[to.root, true]])
  const keptChildren = new Map<number, ReadonlySet<number>>()
  const childrenKept = (parentId: number): ReadonlySet<number> => {
    const [before, after] = [from.nodes.get(parentId), to.nodes.get(parentId)]
    const kept =
      keptChildren.get(parentId) ??
      (before && after ? compareChildren(changes, from, to, before, after) : nothing)
    keptChildren.set(parentId, kept)
    return kept
  }
  const isKeptBelow = (parentId: number, id: number) =>
    from.nodes.get(id)?.parent === parentId && (!parents.has(parentId) || childrenKept(parentId).has(id))
  const isKept = (id: number): boolean => {
    const path: [number, number][] = []
    for (let at = id; !known.has(at);) {
      const parent = to.nodes.get(at)?.parent ?? null
      if (parent === null) return false
      path.push([at, parent])
      at = parent
    }
    for (const [at, parent] of path.toReversed())
      known.set(at, known.get(parent) === true && isKeptBelow(parent, at))
    return known.get(id) === true
  }
  for (const id of parents) if (isKept(id)) childrenKept(id)
  return isKept
}

type Changes = Record<(typeof mutationParts)[number], Data[]> & { later: ReplayEvent[] }

/** Whether mutations can turn an element of one page into the element of the other. */
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

/** Adds and removes children; returns those that remain. */
function compareChildren(changes: Changes, from: Page, to: Page, before: PageNode, after: PageNode) {
  const parentId = after.id
  const children = [...from.nodes.childrenOf(before)]
  const places = new Map(children.map(({ id }, place) => [id, place]))
  const kept = new Set<number>()
  let last = -1
  for (const child of to.nodes.childrenOf(after)) {
    const place = places.get(child.id)
    const earlier = place === undefined ? undefined : children[place]
    if (place === undefined || place < last || !earlier || !isSame(earlier, child)) continue
    last = place
    kept.add(child.id)
  }
  for (const { id, own } of children)
    if (!kept.has(id))
      changes.removes.push({ parentId, id, ...(own['isShadow'] === true && { isShadow: true }) })
  addChildren(changes, to, parentId, kept)
  return kept
}

/** Adds the children that are not in `kept`, from last to first, so that each finds its next sibling. */
function addChildren(changes: Changes, to: Page, top: number, keptOfTop: ReadonlySet<number>): void {
  const pending: [number, ReadonlySet<number>][] = [[top, keptOfTop]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [parentId, kept] = next
    const following = new Map<boolean, number>()
    const outer = to.nodes.get(to.nodes.get(parentId)?.last ?? null)
    for (let node = outer; node; node = to.nodes.get(node.previous)) {
      const { id } = node
      const isShadow = node.own['isShadow'] === true
      if (!kept.has(id)) {
        const added = isDocument(node) ? treeOf(to, id) : node.own
        changes.adds.push({ parentId, nextId: following.get(isShadow) ?? null, node: added })
        changes.later.push(...laterEvents(node))
        if (isDocument(node)) changes.adds.push(...frameAdds(to, id))
        else pending.push([id, nothing])
      }
      following.set(isShadow, id)
    }
  }
}

/** Returns additions of the documents of the frames below a node; rrweb adds these separately from the node's tree. */
function frameAdds(page: Page, top: number): Data[] {
  return documentsBelow(page, top).map(({ id, parent }) => ({
    parentId: parent,
    nextId: null,
    node: treeOf(page, id),
  }))
}

const nothing: ReadonlySet<number> = new Set()

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
  return [...Array.from(hosts, (id) => incremental(0, { source, id, styleIds: [] })), ...to.sheets]
}

function sizeEvents(from: Page, to: Page): ReplayEvent[] {
  const size = to.latest.get('size')
  if (!size || size === from.latest.get('size') || !isSize(size.data)) return []
  return [incremental(0, { source: IncrementalSource.ViewportResize, ...sizeOf(size.data) })]
}

function latestEvents(page: Page, from?: Page): ReplayEvent[] {
  const { latest } = page
  const focused = from?.latest.get('focus')?.data['id']
  const blur = { source: IncrementalSource.MouseInteraction, type: MouseInteractions.Blur, id: focused }
  return [
    ...(focused === undefined || latest.has('focus') ? [] : [incremental(0, blur)]),
    ...(['touch', 'focus', 'pointer', 'selection'] as const).flatMap((kind) => latest.get(kind) ?? []),
    ...stateTags.flatMap((tag) =>
      from?.latest.has(tag) && !latest.has(tag) ? stateEvent(0, { tag, payload: null }) : [],
    ),
    ...stateTags.flatMap((tag) => latest.get(tag) ?? []),
  ]
}

/** Returns the scroll positions of a page, which are applied last, when all elements have their sizes. */
function scrollEvents({ nodes }: Page): ReplayEvent[] {
  return [...nodes.changed()].flatMap(({ later }) => later.scroll ?? [])
}

/** Returns events that scroll back the elements that are scrolled in `from` alone. */
function scrollResets(from: Page, to: Page, differing: readonly PageNode[]): ReplayEvent[] {
  return differing
    .filter(({ id, later }) => !later.scroll && from.nodes.get(id)?.later.scroll)
    .map((node) =>
      incremental(0, { source: IncrementalSource.Scroll, id: node.id, ...initialScroll(to, node) }),
    )
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

function sizeOf({ width, height }: { width: number; height: number }) {
  return { width, height }
}

/** Returns the events with another time. */
function at(timestamp: number, events: readonly ReplayEvent[]): ReplayEvent[] {
  return events.map((event) => ({ ...mediaAt(event, timestamp), timestamp }))
}
