import { IncrementalSource, NodeType, isObject, objectsIn, type ReplayEvent } from './recorded/rrweb.ts'
import {
  addTree,
  attributesOf,
  changeNode,
  idOf,
  link,
  removeChildren,
  removeTree,
  setLater,
  tagOf,
  unlink,
  withoutChildren,
  type Data,
  type NodesOf,
} from './page-tree.ts'
import type { PageNode } from './page-nodes.ts'

/** Levels of nesting within which a node is moved; browsers build no deeper pages from HTML. */
const depthMax = 1000

/** Applies a mutation as rrweb does: removals, additions, texts, attributes. */
export function applyMutation(page: NodesOf, event: ReplayEvent): void {
  const { removes, adds, texts, attributes } = event.data
  for (const { id, parentId } of objectsIn(removes))
    if (typeof id === 'number' && page.nodes.get(id)?.parent === parentId) removeTree(page, id)
  addAll(page, objectsIn(adds))
  for (const { id, value } of objectsIn(texts)) if (typeof id === 'number') changeText(page, id, value)
  for (const { id, attributes: changed } of objectsIn(attributes))
    if (typeof id === 'number' && isObject(changed)) changeAttributes(page, id, changed, event)
}

/** Adds nodes in any order; a node waits until its parent and next sibling exist. */
function addAll(page: NodesOf, adds: readonly Data[]): void {
  const ready = [...adds]
  const waiting = new Map<unknown, Data[]>()
  for (const add of ready) {
    const missing = missingFor(page, add)
    const others = waiting.get(missing)
    if (others) others.push(add)
    else if (missing !== undefined) waiting.set(missing, [add])
    else if (isObject(add['node']) && addNode(page, add, add['node'])) {
      const id = idOf(add['node'])
      for (const next of waiting.get(id) ?? []) ready.push(next)
      waiting.delete(id)
    }
  }
}

/** Returns the id that an addition lacks, of its parent or its next sibling; undefined if it lacks none. */
function missingFor(page: NodesOf, { parentId, nextId }: Data): unknown {
  if (typeof parentId !== 'number' || !page.nodes.has(parentId)) return parentId ?? null
  return typeof nextId === 'number' && nextId !== -1 && !page.nodes.has(nextId) ? nextId : undefined
}

/** Adds a node to its parent, or moves it there; returns false if its parent cannot contain it. */
function addNode(page: NodesOf, { parentId, nextId, previousId }: Data, tree: Data): boolean {
  const parent = page.nodes.get(Number(parentId))
  const id = idOf(tree)
  if (!parent || id === parent.id || isBelow(page, parent, id)) return false
  const isFrame = tagOf(parent) === 'iframe'
  if (isFrame) removeChildren(page, parent)
  else clearPlace(page, parent, tree)
  const known = page.nodes.get(id)
  if (known && !isFrame && known.own['type'] === tree['type'] && known.own['tagName'] === tree['tagName'])
    unlink(page, id)
  else {
    removeTree(page, id)
    addTree(page.nodes, isFrame ? tree : builtAlone(page, tree, parent.id), parent.id)
  }
  if (tree['isShadow'] === true) changeNode(page, parent.id, { own: { ...parent.own, isShadowHost: true } })
  const sibling = (given: unknown) => {
    const node = typeof given === 'number' && given !== id ? page.nodes.get(given) : undefined
    return node?.parent === parent.id ? node : undefined
  }
  const previous = sibling(previousId)
  link(page, id, parent.id, previous ? page.nodes.get(previous.next) : sibling(nextId))
  return true
}

/** Whether a node is below the node `id`, or too deep to tell. A node without children has none below it. */
function isBelow({ nodes }: NodesOf, node: PageNode, id: number): boolean {
  if (nodes.get(id)?.first == null) return false
  let level = 0
  for (const above of nodes.upwards(node.id)) if (above.id === id || (level += 1) > depthMax) return true
  return false
}

/** Removes what an added node replaces: the text of a text area, a document's type or element. */
function clearPlace(page: NodesOf, parent: PageNode, { type }: Data): void {
  const replaces =
    parent.own['type'] === NodeType.Document
      ? type === NodeType.DocumentType || type === NodeType.Element
      : tagOf(parent) === 'textarea' && type === NodeType.Text
  if (replaces) removeChildren(page, parent, ({ own }) => own['type'] === type)
}

/** Returns an added node without children, as rrweb builds it. The first text of a style element receives its rules. */
function builtAlone(page: NodesOf, tree: Data, parentId: number): Data {
  const own = withoutChildren(tree)
  const parent = page.nodes.get(parentId)
  if (!parent || tagOf(parent) !== 'style' || own['type'] !== NodeType.Text) return own
  setLater(page, parentId, 'rules', undefined)
  const { _cssText: rules, ...attributes } = attributesOf(parent)
  if (typeof rules !== 'string' || parent.first !== null) return own
  changeNode(page, parentId, { own: { ...parent.own, attributes } })
  return { ...own, textContent: rules, isStyle: true }
}

function changeText(page: NodesOf, id: number, value: unknown): void {
  const node = page.nodes.get(id)
  if (!node || !('textContent' in node.own)) return
  const parent = page.nodes.get(node.parent)
  const isStyle = parent !== undefined && tagOf(parent) === 'style'
  const textContent = typeof value === 'string' ? value : ''
  changeNode(page, id, { own: { ...node.own, textContent, ...(isStyle && { isStyle }) } })
  if (!isStyle) return
  setLater(page, parent.id, 'rules', undefined)
  const { _cssText: _, ...attributes } = attributesOf(parent)
  changeNode(page, parent.id, { own: { ...parent.own, attributes } })
}

function changeAttributes(page: NodesOf, id: number, changed: Data, event: ReplayEvent): void {
  const node = page.nodes.get(id)
  if (!node || !isObject(node.own['attributes'])) return
  const attributes: Data = { ...attributesOf(node) }
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) delete attributes[name]
    else if (typeof value === 'string') attributes[name] = value
    else if (name === 'style' && isObject(value)) changeStyle(page, id, value, event)
    if (name === 'style' && !isObject(value)) setLater(page, id, 'style', undefined)
  }
  const replacesText =
    (tagOf(node) === 'textarea' && typeof changed['value'] === 'string') ||
    typeof changed['_cssText'] === 'string'
  if (replacesText) removeChildren(page, node)
  if (typeof changed['_cssText'] === 'string') setLater(page, id, 'rules', undefined)
  changeNode(page, id, { own: { ...node.own, attributes } })
}

/** Remembers changed properties of an inline style, the last value of each; only a browser can parse the attribute. */
function changeStyle(page: NodesOf, id: number, changed: Data, event: ReplayEvent): void {
  const [before] = page.nodes.get(id)?.later.style ?? []
  const [entry] = objectsIn(before?.data['attributes'])
  const known = isObject(entry?.['attributes']) ? entry['attributes']['style'] : null
  const style = new Map(Object.entries(isObject(known) ? known : {}))
  for (const [property, value] of Object.entries(changed)) {
    // A property set again comes last, because it can override a shorthand.
    style.delete(property)
    style.set(property, value)
  }
  const attributes = [{ id, attributes: { style: Object.fromEntries(style) } }]
  const data = { source: IncrementalSource.Mutation, texts: [], removes: [], adds: [], attributes }
  setLater(page, id, 'style', [{ ...event, data }])
}
