import { NodeType } from '../../../replay/recorded/rrweb.ts'
import { listOf, numberOf, objectOf, textOf, type JsonObject } from './json-value.ts'

export type PageNode = {
  id: number
  /** Tag in lower case; `#text` or `#document` for those nodes. */
  tag: string
  attributes: Record<string, string>
  text: string
  parent: number | null
  /** Neighbours and outer children: an insertion takes the same time however many siblings there are. */
  previous: number | null
  next: number | null
  first: number | null
  last: number | null
  childCount: number
  /** Place on an app's screen; null on a page, whose events name their element. */
  box: Box | null
}

type Box = { x: number; y: number; width: number; height: number }

const keptNames = new Set(
  'id name type placeholder aria-label aria-labelledby title alt for href role value target download contenteditable'.split(
    ' ',
  ),
)
const unlinked = { previous: null, next: null, first: null, last: null, childCount: 0 }
const textLengthMax = 300
const visibleTextLengthMax = 200_000
/** Levels of nesting read. Real pages are flatter; a forged one must not overflow the stack. */
const depthMax = 500
const visualTags = new Set(['img', 'canvas', 'video', 'iframe', 'svg'])
const hiddenTags = new Set(['head', 'title', 'style', 'script', 'noscript', 'template'])

/** Nodes of a page, with the data needed to name elements, updated by full snapshots and mutations. */
export class NodeTable {
  private nodes = new Map<number, PageNode>()
  /** Additions of a mutation: those to perform, and those that wait for a parent, by its id. */
  private ready: JsonObject[] = []
  private readonly waiting = new Map<number | null, JsonObject[]>()
  private titleId: number | null = null
  /** Amount of visible content: letters, with each image counting as 20. */
  content = 0

  /** Replaces all nodes by those of a full snapshot. */
  replace(data: JsonObject): void {
    this.nodes.clear()
    this.titleId = null
    this.content = 0
    this.add(data['node'], null, null)
  }

  /** Applies the data of a mutation. */
  mutate(data: JsonObject): void {
    for (const removed of listOf(data['removes'])) this.remove(numberOf(objectOf(removed)['id']))
    this.addAll(listOf(data['adds']).map(objectOf))
    for (const given of listOf(data['texts'])) {
      const { id, value } = objectOf(given)
      const node = this.get(numberOf(id))
      if (node) node.text = textOf(value).slice(0, textLengthMax)
    }
    for (const given of listOf(data['attributes'])) {
      const { id, attributes } = objectOf(given)
      const node = this.get(numberOf(id))
      if (node) Object.assign(node.attributes, keptAttributes(objectOf(attributes)))
    }
  }

  get(id: number | null): PageNode | undefined {
    return id === null ? undefined : this.nodes.get(id)
  }

  /** Returns the id of the smallest node at a point of an app's screen; null for a point between a group's nodes. */
  at(x: number, y: number): number | null {
    let smallest: PageNode | undefined
    for (const node of this.nodes.values()) {
      const { box } = node
      if (!box || x < box.x || y < box.y || x > box.x + box.width || y > box.y + box.height) continue
      if (!smallest || area(box) <= area(smallest.box)) smallest = node
    }
    const isGroup = smallest?.tag === 'div' && this.childrenOf(smallest).some(({ box }) => box)
    return isGroup ? null : (smallest?.id ?? null)
  }

  /** Yields the node itself, then its ancestors. */
  *upwards(id: number | null): Generator<PageNode> {
    for (let node = this.get(id); node; node = this.get(node.parent)) yield node
  }

  *childrenOf(node: PageNode): Generator<PageNode> {
    for (let child = this.get(node.first); child; child = this.get(child.next)) yield child
  }

  find(matches: (node: PageNode) => boolean): PageNode | undefined {
    return this.nodes.values().find(matches)
  }

  /** Returns the text in a node and its descendants, except in the node `without` among its children. */
  textIn(node: PageNode, without: number | null = null, depth = 0): string {
    if (node.tag === '#text') return node.text
    if (depth > depthMax) return ''
    let text = ''
    for (const child of this.childrenOf(node)) {
      if (child.id === without || (hiddenTags.has(child.tag) && child.tag !== 'title')) continue
      text += ` ${child.attributes['alt'] ?? ''}${this.textIn(child, null, depth + 1)}`
      if (text.length > textLengthMax) break
    }
    return text.slice(0, textLengthMax)
  }

  /** All visible text of the page, in lower case. */
  get visibleText(): string {
    let visible = ''
    for (const node of this.nodes.values()) {
      if (node.tag === '#text' && !hiddenTags.has(this.get(node.parent)?.tag ?? ''))
        visible += ` ${node.text}`
      if (visible.length > visibleTextLengthMax) break
    }
    return visible.toLowerCase()
  }

  get title(): string {
    const node = this.get(this.titleId)
    return node ? this.textIn(node).replaceAll(/\s+/g, ' ').trim() : ''
  }

  /** Adds nodes in any order; a node that precedes its parent in the list waits for it. */
  private addAll(adds: readonly JsonObject[]): void {
    this.ready = [...adds]
    this.waiting.clear()
    for (const given of this.ready) {
      const parent = numberOf(given['parentId'])
      const waiting = this.waiting.get(parent)
      if (this.get(parent)) this.add(given['node'], parent, numberOf(given['nextId']))
      else if (waiting) waiting.push(given)
      else this.waiting.set(parent, [given])
    }
  }

  private add(given: unknown, parentId: number | null, next: number | null, depth = 0): void {
    const node = objectOf(given)
    const id = numberOf(node['id'])
    if (id === null || depth > depthMax) return
    this.remove(id)
    // `remove` also removes a parent that is below the node, so no node becomes its own ancestor.
    const parent = this.get(parentId)?.id ?? null
    const tag = tagOf(node)
    if (tag === null) return
    const attributes = keptAttributes(objectOf(node['attributes']))
    const text = textOf(node['textContent']).slice(0, textLengthMax)
    const added: PageNode = { id, tag, attributes, text, parent, ...unlinked, box: boxOf(node['box']) }
    this.nodes.set(id, added)
    this.link(added, next)
    for (const waiting of this.waiting.get(id) ?? []) this.ready.push(waiting)
    this.waiting.delete(id)
    if (tag === 'title') this.titleId ??= id
    this.content += this.weight(id)
    if (tag === 'style' || tag === 'script') return
    for (const child of listOf(node['childNodes'])) this.add(child, id, null, depth + 1)
  }

  /** Links a node before the given sibling, or as the last child. */
  private link(node: PageNode, next: number | null): void {
    const parent = this.get(node.parent)
    if (!parent) return
    const following = this.get(next)
    const after = following?.parent === parent.id ? following : undefined
    const before = this.get(after ? after.previous : parent.last)
    node.previous = before?.id ?? null
    node.next = after?.id ?? null
    if (before) before.next = node.id
    else parent.first = node.id
    if (after) after.previous = node.id
    else parent.last = node.id
    parent.childCount += 1
  }

  private remove(id: number | null): void {
    const node = this.get(id)
    if (!node) return
    const [parent, before, after] = [this.get(node.parent), this.get(node.previous), this.get(node.next)]
    if (before) before.next = node.next
    else if (parent) parent.first = node.next
    if (after) after.previous = node.previous
    else if (parent) parent.last = node.previous
    if (parent) parent.childCount -= 1
    this.forget(node)
  }

  private forget(top: PageNode): void {
    const leaving = [top]
    for (let node = leaving.pop(); node; node = leaving.pop()) {
      for (const child of this.childrenOf(node)) leaving.push(child)
      this.content -= this.weight(node.id)
      this.nodes.delete(node.id)
      if (this.titleId === node.id) this.titleId = null
    }
  }

  private weight(id: number): number {
    const node = this.get(id)
    if (!node) return 0
    if (visualTags.has(node.tag)) return 20
    const isVisible = node.tag === '#text' && !hiddenTags.has(this.get(node.parent)?.tag ?? '')
    return isVisible ? node.text.trim().length : 0
  }
}

function tagOf({ type, tagName }: JsonObject): string | null {
  if (type === NodeType.Element) return textOf(tagName).toLowerCase()
  if (type === NodeType.Text) return '#text'
  return type === NodeType.Document ? '#document' : null
}

function area(box: Box | null): number {
  return box ? box.width * box.height : 0
}

function boxOf(given: unknown): Box | null {
  const { x, y, width, height } = objectOf(given)
  const [w, h] = [numberOf(width), numberOf(height)]
  return w === null || h === null ? null : { x: numberOf(x) ?? 0, y: numberOf(y) ?? 0, width: w, height: h }
}

function keptAttributes(attributes: JsonObject): Record<string, string> {
  const texts = Object.entries(attributes).filter(([name]) => keptNames.has(name))
  return Object.fromEntries(texts.map(([name, value]) => [name, textOf(value).slice(0, textLengthMax)]))
}
