import { applyMutation } from '../../../replay/page-mutation.ts'
import { PageNodes, type PageNode } from '../../../replay/page-nodes.ts'
import { addTree, attributesOf, tagOf } from '../../../replay/page-tree.ts'
import { EventType, isObject, NodeType } from '../../../replay/recorded/rrweb.ts'
import { textOf, type JsonObject } from '../../snapshots/json-value.ts'
import { mutationNodes, snapshotNodes, type Box } from './wireframe-nodes.ts'

const keptNames = new Set(
  'id name type value placeholder aria-label aria-labelledby title alt for href role target download contenteditable'.split(
    ' ',
  ),
)
const textLengthMax = 300
const visibleTextLengthMax = 200_000
/** Levels of nesting read. Real pages are flatter; a forged one must not overflow the stack. */
const depthMax = 500
const visualTags = new Set(['img', 'canvas', 'video', 'iframe', 'svg'])
const hiddenTags = new Set(['head', 'title', 'style', 'script', 'noscript', 'template'])

/** Nodes of a page or of an app's screen, with what names its elements. */
export class NodeTable extends PageNodes {
  /** Amount of visible content: letters, with each image counting as 20. */
  content = 0
  readonly #weights = new Map<number, number>()
  readonly #titles = new Set<number>()

  /** `snapshot` is the data of a full snapshot. */
  constructor(snapshot: JsonObject = {}) {
    super()
    const { node } = snapshotNodes(snapshot)
    if (isObject(node)) addTree(this, node, null)
  }

  /** Applies the data of a mutation. */
  mutate(data: JsonObject): void {
    const event = { type: EventType.IncrementalSnapshot, timestamp: 0, data: mutationNodes(this, data) }
    applyMutation({ nodes: this }, event)
  }

  override set(id: number, node: PageNode): void {
    const isKnown = this.get(id)?.own === node.own
    super.set(id, isKnown ? node : { ...node, own: keptOf(node.own) })
    this.#weigh(id, this.#weightOf(node))
    if (tagOf(node) === 'title') this.#titles.add(id)
  }

  override delete(id: number): void {
    super.delete(id)
    this.#weigh(id, 0)
    this.#titles.delete(id)
  }

  /** Returns the id of the smallest node at a point of an app's screen; null for a point between a group's nodes. */
  at(x: number, y: number): number | null {
    let smallest: PageNode | undefined
    let smallestArea = Infinity
    for (const node of this.values()) {
      const box = boxOf(node)
      if (!box || x < box.x || y < box.y || x > box.x + box.width || y > box.y + box.height) continue
      const area = box.width * box.height
      if (area <= smallestArea) [smallest, smallestArea] = [node, area]
    }
    if (!smallest) return null
    const isGroup = tagOf(smallest) === 'div' && this.childrenOf(smallest).some((child) => boxOf(child))
    return isGroup ? null : smallest.id
  }

  /** Returns the nearest element with this tag among a node and its ancestors. */
  closest(id: number | null, tag: string): PageNode | undefined {
    return this.upwards(id)
      .take(depthMax)
      .find((node) => tagOf(node) === tag)
  }

  find(matches: (node: PageNode) => boolean): PageNode | undefined {
    return this.values().find(matches)
  }

  /** Returns the text in a node and its descendants, except in the node `without` among its children. */
  textIn(node: PageNode, without: number | null = null, depth = 0): string {
    if (node.own['type'] === NodeType.Text) return ownText(node)
    if (depth > depthMax) return ''
    let text = ''
    for (const child of this.childrenOf(node)) {
      const tag = tagOf(child)
      if (child.id === without || (hiddenTags.has(tag) && tag !== 'title')) continue
      text += ` ${attributeOf(child, 'alt') ?? ''}${this.textIn(child, null, depth + 1)}`
      if (text.length > textLengthMax) break
    }
    return text.slice(0, textLengthMax)
  }

  /** All visible text of the page, in lower case. */
  get visibleText(): string {
    let visible = ''
    for (const node of this.values()) {
      if (this.#isVisibleText(node)) visible += ` ${ownText(node)}`
      if (visible.length > visibleTextLengthMax) break
    }
    return visible.toLowerCase()
  }

  get title(): string {
    const [id = null] = this.#titles
    const node = this.get(id)
    return node ? this.textIn(node).replaceAll(/\s+/g, ' ').trim() : ''
  }

  #weigh(id: number, weight: number): void {
    this.content += weight - (this.#weights.get(id) ?? 0)
    if (weight > 0) this.#weights.set(id, weight)
    else this.#weights.delete(id)
  }

  #weightOf(node: PageNode): number {
    if (visualTags.has(tagOf(node))) return 20
    return this.#isVisibleText(node) ? ownText(node).trim().length : 0
  }

  #isVisibleText({ own, parent }: PageNode): boolean {
    const above = this.get(parent)
    return own['type'] === NodeType.Text && !(above && hiddenTags.has(tagOf(above)))
  }
}

/** Returns an attribute's text; undefined without the attribute. */
export function attributeOf(node: PageNode, name: string): string | undefined {
  const value = attributesOf(node)[name]
  return value === undefined ? undefined : textOf(value).slice(0, textLengthMax)
}

function ownText({ own }: PageNode): string {
  return textOf(own['textContent']).slice(0, textLengthMax)
}

/** Returns a node's place on an app's screen; null on a page, whose events name their element. */
function boxOf({ own }: PageNode): Box | null {
  return (own['box'] as Box | undefined) ?? null
}

/** Leaves out what may be large and names nothing. */
function keptOf(own: JsonObject): JsonObject {
  const { attributes, textContent } = own
  const kept = isObject(attributes) && Object.entries(attributes).filter(([name]) => keptNames.has(name))
  return {
    ...own,
    ...(kept && { attributes: Object.fromEntries(kept) }),
    ...(typeof textContent === 'string' && { textContent: textContent.slice(0, textLengthMax) }),
  }
}
