import {
  EventType,
  incremental,
  IncrementalSource,
  isObject,
  mutation,
  objectsIn,
  type ReplayEvent,
} from './recorded/rrweb.ts'
import type { Data } from './page-tree.ts'

/** Number of nodes that a slow browser builds in less than 50 ms. */
const partSize = 1_200

/**
 * Splits the events that show a page in an empty document into parts, so that no task builds the whole page: a snapshot of the
 * page's beginning, then the other nodes in document order, then all other events.
 */
export function partsOf(events: readonly ReplayEvent[], size = partSize): ReplayEvent[][] {
  const at = events.findIndex(({ type }) => type === EventType.FullSnapshot)
  const snapshot = events[at]
  if (!snapshot || !isObject(snapshot.data['node'])) return [[...events]]
  const { timestamp, data } = snapshot
  const { beginning, adds, scrolls } = split(snapshot.data['node'], data['initialOffset'], size)
  if (adds.length === 0 || adds.some(needsChildren)) return [[...events]]
  const source = IncrementalSource.Scroll
  const scrollEvents = scrolls.map((scroll) => incremental(timestamp, { source, ...scroll }))
  const parts = [[...events.slice(0, at), { ...snapshot, data: { ...data, node: beginning } }]]
  for (let from = 0; from < adds.length; from += size)
    parts.push([mutation(timestamp, { adds: adds.slice(from, from + size) })])
  parts.at(-1)?.push(...scrollEvents, ...events.slice(at + 1))
  return parts
}

/** Returns a tree with the first `size` nodes of the body, the additions of the others, and the scroll positions of all. */
function split(top: Data, initialOffset: unknown, size: number) {
  const beginning = { ...top, childNodes: [] }
  const adds: { parentId: unknown; nextId: null; node: Data }[] = []
  const scrolls: Data[] = []
  let count = 0
  const scroll = (id: unknown, x: unknown, y: unknown) => {
    if (x || y) scrolls.push({ id, x: x ?? 0, y: y ?? 0 })
  }
  if (isObject(initialOffset)) scroll(top['id'], initialOffset['left'], initialOffset['top'])
  const pending = childrenOf(top, beginning, false)
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { tree, parent, isInBody } = next
    const node: Data = 'childNodes' in tree ? { ...tree, childNodes: [] } : tree
    if (isInBody) count += 1
    if (count > size && isInBody) adds.push({ parentId: parent['id'], nextId: null, node })
    else objectsOf(parent).push(node)
    const attributes = isObject(tree['attributes']) ? tree['attributes'] : {}
    scroll(tree['id'], attributes['rr_scrollLeft'], attributes['rr_scrollTop'])
    pending.push(...childrenOf(tree, node, isInBody || tree['tagName'] === 'body'))
  }
  return { beginning, adds, scrolls }
}

/** Returns the children of a tree from last to first; `parent` is the tree's copy without children. */
function childrenOf(tree: Data, parent: Data, isInBody: boolean) {
  return objectsIn(tree['childNodes'])
    .toReversed()
    .map((child) => ({ tree: child, parent, isInBody }))
}

function objectsOf(parent: Data): unknown[] {
  return Array.isArray(parent['childNodes']) ? parent['childNodes'] : []
}

/** Whether rrweb builds an element correctly only together with its children. */
function needsChildren({ node }: { node: Data }): boolean {
  return isObject(node['attributes']) && '_cssText' in node['attributes'] && node['tagName'] === 'style'
}
