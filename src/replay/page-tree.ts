import type { StateTag } from './recorded/page-state.ts'
import { NodeType, isObject, objectsIn, type ReplayEvent } from './recorded/rrweb.ts'
import type { LaterKind, PageNode, PageNodes } from './page-nodes.ts'

export type Data = Record<string, unknown>

/** A recorded page at one moment, computed without a document. */
export type Page = {
  /** Id of the document. */
  root: number
  nodes: PageNodes
  initialOffset: unknown
  /** Events about adopted style sheets and fonts, in chronological order. */
  sheets: ReplayEvent[]
  /** The latest event about the window's size, the pointer, the focus, a touch, the selection, and what our recorder reports. */
  latest: Map<'size' | 'pointer' | 'focus' | 'touch' | 'selection' | StateTag, ReplayEvent>
}

/** A page, of which a function reads and changes only the nodes. */
export type NodesOf = Pick<Page, 'nodes'>

const nothingLater: PageNode['later'] = {}

/** Adds a serialised node with its descendants, except those whose ids are taken; the caller links it with its parent. */
export function addTree(
  nodes: { has: (id: number) => boolean; set: (id: number, node: PageNode) => unknown },
  top: Data,
  topParent: number | null,
): void {
  const added = new Set([idOf(top)])
  type Place = Pick<PageNode, 'parent' | 'previous' | 'next'>
  const pending: [Data, Place][] = [[top, { parent: topParent, previous: null, next: null }]]
  for (let item = pending.pop(); item; item = pending.pop()) {
    const [given, { parent, previous, next }] = item
    const tree = withTextOfStyle(given)
    const children = objectsIn(tree['childNodes']).filter((child) => {
      const isNew = !nodes.has(idOf(child)) && !added.has(idOf(child))
      added.add(idOf(child))
      return isNew
    })
    const ids = children.map(idOf)
    const id = idOf(tree)
    nodes.set(id, {
      id,
      parent,
      previous,
      next,
      first: ids[0] ?? null,
      last: ids.at(-1) ?? null,
      own: withoutChildren(tree),
      later: nothingLater,
    })
    for (const [index, child] of children.entries())
      pending.push([child, { parent: id, previous: ids[index - 1] ?? null, next: ids[index + 1] ?? null }])
  }
}

/** Returns a serialised node as one without children, which is the same if it has none. */
export function withoutChildren(tree: Data): Data {
  const { childNodes } = tree
  const hasNone = childNodes === undefined || (Array.isArray(childNodes) && childNodes.length === 0)
  return hasNone ? tree : { ...tree, childNodes: [] }
}

/** Moves the rules of a style element from its attribute to its text, where later events change them. */
function withTextOfStyle(tree: Data): Data {
  if (tree['tagName'] !== 'style') return tree
  const { attributes, childNodes } = tree
  const [text, ...others] = objectsIn(childNodes)
  if (!text || others.length > 0 || text['type'] !== NodeType.Text) return tree
  if (!isObject(attributes) || typeof attributes['_cssText'] !== 'string') return tree
  const { _cssText: rules, ...kept } = attributes
  const textContent = rules.replaceAll('/* rr_split */', '')
  return { ...tree, attributes: kept, childNodes: [{ ...text, textContent, isStyle: true }] }
}

/** Removes a node with its descendants. */
export function removeTree(page: NodesOf, top: number): void {
  unlink(page, top)
  const pending = [top]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = page.nodes.get(id)
    if (node) for (const child of page.nodes.childrenOf(node)) pending.push(child.id)
    page.nodes.delete(id)
  }
}

/** Removes all children of a node that `matches` accepts. */
export function removeChildren(page: NodesOf, node: PageNode, matches = (_child: PageNode) => true): void {
  for (const child of page.nodes.childrenOf(node)) if (matches(child)) removeTree(page, child.id)
}

/** Takes a node out of its parent's children. */
export function unlink(page: NodesOf, id: number): void {
  const node = page.nodes.get(id)
  if (!node) return
  const { parent, previous, next } = node
  if (previous !== null) changeNode(page, previous, { next })
  else if (parent !== null) changeNode(page, parent, { first: next })
  if (next !== null) changeNode(page, next, { previous })
  else if (parent !== null) changeNode(page, parent, { last: previous })
}

/** Makes a node that is nobody's child a child of `parent`: before its child `next`, or as its last. */
export function link(page: NodesOf, id: number, parent: number, next: PageNode | undefined): void {
  const { nodes } = page
  const previous = next ? next.previous : (nodes.get(parent)?.last ?? null)
  const node = nodes.get(id)
  // Not `changeNode`: merging two objects takes several times as long, and building a page is mostly linking.
  if (node) nodes.set(id, { ...node, parent, previous, next: next?.id ?? null })
  const before = nodes.get(previous ?? parent)
  if (before) nodes.set(before.id, previous === null ? { ...before, first: id } : { ...before, next: id })
  const after = nodes.get(next?.id ?? parent)
  if (after) nodes.set(after.id, next ? { ...after, previous: id } : { ...after, last: id })
}

export function changeNode(page: NodesOf, id: number, change: Partial<PageNode>): void {
  const node = page.nodes.get(id)
  if (node) page.nodes.set(id, { ...node, ...change })
}

/** Replaces the later events of one kind; undefined removes them. */
export function setLater(
  page: NodesOf,
  id: number,
  kind: LaterKind,
  events: readonly ReplayEvent[] | undefined,
): void {
  const node = page.nodes.get(id)
  if (!node) return
  const { [kind]: _, ...others } = node.later
  page.nodes.set(id, { ...node, later: events ? { ...others, [kind]: events } : others })
}

/** Returns a node with its descendants as rrweb serialises them: without the documents of frames. */
export function treeOf({ nodes }: NodesOf, top: number): Data {
  const trees = new Map<number, Data>()
  const pending = [top]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = nodes.get(id)
    if (!node || (id !== top && isDocument(node))) continue
    const tree: Data = { ...node.own }
    if ('childNodes' in tree) tree['childNodes'] = []
    trees.set(id, tree)
    const siblings = id === top || node.parent === null ? null : trees.get(node.parent)?.['childNodes']
    if (Array.isArray(siblings)) siblings.push(tree)
    for (let child = nodes.get(node.last); child; child = nodes.get(child.previous)) pending.push(child.id)
  }
  return trees.get(top) ?? {}
}

/** Returns the documents of the frames below a node, outer ones first. */
export function documentsBelow({ nodes }: NodesOf, top: number): PageNode[] {
  const documents: PageNode[] = []
  const pending = [top]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = nodes.get(id)
    if (!node) continue
    if (id !== top && isDocument(node)) documents.push(node)
    for (const child of nodes.childrenOf(node)) pending.push(child.id)
  }
  return documents
}

export function isDocument({ own }: PageNode): boolean {
  return own['type'] === NodeType.Document
}

export function tagOf({ own }: PageNode): string {
  return typeof own['tagName'] === 'string' ? own['tagName'].toLowerCase() : ''
}

export function attributesOf({ own }: PageNode): Readonly<Data> {
  return isObject(own['attributes']) ? own['attributes'] : {}
}

export function idOf(tree: Data): number {
  return typeof tree['id'] === 'number' ? tree['id'] : -1
}
