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
  sheets: readonly ReplayEvent[]
  /** The latest event about the window's size, the pointer, the focus, a touch, and the selection. */
  latest: Map<'size' | 'pointer' | 'focus' | 'touch' | 'selection', ReplayEvent>
}

export const nothingLater: PageNode['later'] = {}

/** Adds a serialised node with its descendants; the caller adds its id to the parent's children. */
export function addTree(
  nodes: { set: (id: number, node: PageNode) => unknown },
  top: Data,
  topParent: number | null,
): void {
  const pending: [Data, number | null][] = [[top, topParent]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [{ childNodes, ...rest }, parent] = withTextOfStyle(next[0], next[1])
    const children = objectsIn(childNodes)
    const id = idOf(rest)
    nodes.set(id, {
      id,
      parent,
      own: childNodes === undefined ? rest : { ...rest, childNodes: [] },
      children: children.map(idOf),
      later: nothingLater,
    })
    for (const child of children) pending.push([child, id])
  }
}

/** Moves the rules of a style element from its attribute to its text, where later events change them. */
function withTextOfStyle(tree: Data, parent: number | null): [Data, number | null] {
  const { attributes, childNodes } = tree
  const [text, ...others] = objectsIn(childNodes)
  if (tree['tagName'] !== 'style' || !text || others.length > 0 || text['type'] !== NodeType.Text)
    return [tree, parent]
  if (!isObject(attributes) || typeof attributes['_cssText'] !== 'string') return [tree, parent]
  const { _cssText: rules, ...kept } = attributes
  const textContent = rules.replaceAll('/* rr_split */', '')
  return [{ ...tree, attributes: kept, childNodes: [{ ...text, textContent, isStyle: true }] }, parent]
}

/** Removes a node with its descendants. */
export function removeTree(page: Page, top: number): void {
  const parent = page.nodes.get(top)?.parent ?? null
  const siblings = parent === null ? undefined : page.nodes.get(parent)?.children
  if (parent !== null && siblings)
    changeNode(page, parent, { children: siblings.filter((child) => child !== top) })
  const pending = [top]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    pending.push(...(page.nodes.get(id)?.children ?? []))
    page.nodes.delete(id)
  }
}

export function changeNode(page: Page, id: number, change: Partial<PageNode>): void {
  const node = page.nodes.get(id)
  if (node) page.nodes.set(id, { ...node, ...change })
}

/** Replaces the later events of one kind; undefined removes them. */
export function setLater(
  page: Page,
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
export function treeOf({ nodes }: Page, top: number): Data {
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
    pending.push(...node.children.toReversed())
  }
  return trees.get(top) ?? {}
}

/** Returns the documents of the frames below a node, outer ones first. */
export function documentsBelow({ nodes }: Page, top: number): PageNode[] {
  const documents: PageNode[] = []
  const pending = [top]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = nodes.get(id)
    if (!node) continue
    if (id !== top && isDocument(node)) documents.push(node)
    pending.push(...node.children)
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
