import { IncrementalSource, NodeType, isObject, objectsIn, type ReplayEvent } from './recorded/rrweb.ts'
import {
  addTree,
  attributesOf,
  changeNode,
  idOf,
  removeTree,
  setLater,
  tagOf,
  type Data,
  type Page,
} from './page-tree.ts'

/** Applies a mutation as rrweb does: removals, additions, texts, attributes. */
export function applyMutation(page: Page, event: ReplayEvent): void {
  const { removes, adds, texts, attributes } = event.data
  for (const { id, parentId } of objectsIn(removes))
    if (typeof id === 'number' && page.nodes.get(id)?.parent === parentId) removeTree(page, id)
  addAll(page, objectsIn(adds))
  for (const { id, value } of objectsIn(texts)) if (typeof id === 'number') changeText(page, id, value)
  for (const { id, attributes: changed } of objectsIn(attributes))
    if (typeof id === 'number' && isObject(changed)) changeAttributes(page, id, changed, event)
}

/** Adds nodes; a node waits until its parent and next sibling exist. */
function addAll(page: Page, adds: readonly Data[]): void {
  for (let waiting = adds; waiting.length > 0;) {
    const remaining = waiting.filter((add) => !addNode(page, add))
    if (remaining.length === waiting.length) return
    waiting = remaining
  }
}

/** Adds a node; returns false while its parent or its next sibling is missing. */
function addNode(page: Page, { parentId, nextId, previousId, node: tree }: Data): boolean {
  const parent = typeof parentId === 'number' ? page.nodes.get(parentId) : undefined
  if (!isObject(tree) || !parent) return false
  if (typeof nextId === 'number' && nextId !== -1 && !page.nodes.has(nextId)) return false
  const id = idOf(tree)
  if (tagOf(parent) === 'iframe') {
    for (const child of parent.children) removeTree(page, child)
    addTree(page.nodes, tree, parent.id)
    changeNode(page, parent.id, { children: [id] })
    return true
  }
  const moved = page.nodes.get(id)
  const isSame = moved?.own['type'] === tree['type'] && moved?.own['tagName'] === tree['tagName']
  if (moved && isSame) detach(page, id)
  else if (moved) removeTree(page, id)
  clearPlace(page, parent.id, tree)
  if (moved && isSame) page.nodes.set(id, { ...moved, parent: parent.id })
  else addTree(page.nodes, withoutChildren(page, tree, parent.id), parent.id)
  const siblings = page.nodes.get(parent.id)?.children ?? []
  const after = typeof previousId === 'number' ? siblings.indexOf(previousId) : -1
  const before = typeof nextId === 'number' ? siblings.indexOf(nextId) : -1
  const place = after !== -1 ? after + 1 : before !== -1 ? before : siblings.length
  changeNode(page, parent.id, {
    children: siblings.toSpliced(place, 0, id),
    ...(tree['isShadow'] === true && { own: { ...parent.own, isShadowHost: true } }),
  })
  return true
}

function detach(page: Page, id: number): void {
  const parent = page.nodes.get(id)?.parent ?? null
  const siblings = parent === null ? undefined : page.nodes.get(parent)?.children
  if (parent !== null && siblings)
    changeNode(page, parent, { children: siblings.filter((child) => child !== id) })
}

/** Removes what an added node replaces: the text of a text area, a document's type or element. */
function clearPlace(page: Page, parentId: number, { type }: Data): void {
  const parent = page.nodes.get(parentId)
  if (!parent) return
  const replaces =
    parent.own['type'] === NodeType.Document
      ? type === NodeType.DocumentType || type === NodeType.Element
      : tagOf(parent) === 'textarea' && type === NodeType.Text
  if (!replaces) return
  for (const child of parent.children)
    if (page.nodes.get(child)?.own['type'] === type) removeTree(page, child)
}

/** Returns an added node without children, as rrweb builds it. The first text of a style element receives its rules. */
function withoutChildren(page: Page, tree: Data, parentId: number): Data {
  const { childNodes, ...rest } = tree
  const own = childNodes === undefined ? rest : { ...rest, childNodes: [] }
  const parent = page.nodes.get(parentId)
  if (!parent || tagOf(parent) !== 'style' || rest['type'] !== NodeType.Text) return own
  setLater(page, parentId, 'rules', undefined)
  const { _cssText: rules, ...attributes } = attributesOf(parent)
  if (typeof rules !== 'string' || parent.children.length > 0) return own
  changeNode(page, parentId, { own: { ...parent.own, attributes } })
  return { ...own, textContent: rules, isStyle: true }
}

function changeText(page: Page, id: number, value: unknown): void {
  const node = page.nodes.get(id)
  if (!node || !('textContent' in node.own)) return
  const parent = node.parent === null ? undefined : page.nodes.get(node.parent)
  const isStyle = parent !== undefined && tagOf(parent) === 'style'
  const textContent = typeof value === 'string' ? value : ''
  changeNode(page, id, { own: { ...node.own, textContent, ...(isStyle && { isStyle }) } })
  if (!isStyle) return
  setLater(page, parent.id, 'rules', undefined)
  const { _cssText: _, ...attributes } = attributesOf(parent)
  changeNode(page, parent.id, { own: { ...parent.own, attributes } })
}

function changeAttributes(page: Page, id: number, changed: Data, event: ReplayEvent): void {
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
  if (replacesText) for (const child of node.children) removeTree(page, child)
  if (typeof changed['_cssText'] === 'string') setLater(page, id, 'rules', undefined)
  changeNode(page, id, { own: { ...node.own, attributes } })
}

/** Remembers changed properties of an inline style, the last value of each; only a browser can parse the attribute. */
function changeStyle(page: Page, id: number, changed: Data, event: ReplayEvent): void {
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
