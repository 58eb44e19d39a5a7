import {
  IncrementalSource,
  isObject,
  nodesIn,
  objectsIn,
  sourceOf,
  type ReplayEvent,
} from '../../replay/recorded/rrweb.ts'
import type { LinkMask } from '../../contract/recordings/sharing.ts'
import type { PageNode } from '../../replay/page-nodes.ts'
import { idOf, tagOf, type Data, type Page } from '../../replay/page-tree.ts'
import { attributesIn, selectorMatcher } from './mask-selectors.ts'

/** Which parts of a node visitors see blank. */
export type Masked = {
  tag: string
  text: boolean
  input: boolean
  image: boolean
  /** Whether the pictures that any element can show, such as a background, are blank. */
  pictures: boolean
  /** Whether the node is text of a style sheet, which no visitor reads. */
  isCode: boolean
}

const inputTags = /^(input|textarea|select)$/
const imageTags = /^(img|picture|video|canvas|svg|image|object|embed)$/

/** The masked nodes of the pages that one full snapshot of a window begins. A node that was masked once stays masked. */
export class MaskedNodes {
  readonly #page: Page
  readonly #kinds: ReadonlySet<LinkMask['kind']>
  readonly #matches: (node: PageNode) => boolean
  readonly #attributes: ReadonlySet<string>
  readonly #masked = new Map<number, Masked>()
  readonly #seen = new Set<unknown>()

  /** Serialised nodes that the page does not have where an event puts them, for example because their ids are taken. */
  readonly #misplaced = new WeakSet<Data>()

  /** `snapshot` is the tree of the full snapshot that opened the page. */
  constructor(page: Page, snapshot: unknown, masks: readonly LinkMask[]) {
    const selectors = masks.flatMap((mask) => (mask.kind === 'selector' ? [mask.selector] : []))
    this.#page = page
    this.#kinds = new Set(masks.map(({ kind }) => kind))
    this.#matches = selectorMatcher(page, selectors)
    this.#attributes = attributesIn(selectors)
    this.#cover(page.root)
    this.#findMisplaced(snapshot, null)
  }

  get(id: unknown): Masked | undefined {
    return typeof id === 'number' ? this.#masked.get(id) : undefined
  }

  /** Whether the page contained a node at some time; whether to mask any other node is unknown. */
  hasSeen(id: unknown): boolean {
    return this.#seen.has(id)
  }

  /** Whether the page had a serialised node where its event puts it, so that its mask is known. */
  hasPlaced(node: Data): boolean {
    return this.#seen.has(node['id']) && !this.#misplaced.has(node)
  }

  /** Follows a mutation that has been applied to the page. */
  follow(event: ReplayEvent): void {
    if (sourceOf(event) !== IncrementalSource.Mutation) return
    for (const { node, parentId } of objectsIn(event.data['adds'])) {
      if (isObject(node)) this.#cover(idOf(node), node)
      this.#findMisplaced(node, parentId)
    }
    for (const { id, attributes } of objectsIn(event.data['attributes']))
      if (isObject(attributes) && Object.keys(attributes).some((name) => this.#attributes.has(name)))
        this.#cover(Number(id))
  }

  /**
   * Finds the masked nodes among a node and its descendants. `added` is the node as an event adds it: the page keeps the
   * attributes of a node that is moved.
   */
  #cover(top: number, added?: Data): void {
    const pending = [top]
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const node = this.#page.nodes.get(id)
      if (!node) continue
      this.#seen.add(id)
      const masked = this.#of(id === top && added ? { ...node, own: added } : node)
      if (masked.text || masked.input || masked.pictures) this.#masked.set(id, masked)
      for (const child of this.#page.nodes.childrenOf(node)) pending.push(child.id)
    }
  }

  #findMisplaced(tree: unknown, parentId: unknown): void {
    if (isObject(tree) && this.#page.nodes.get(idOf(tree))?.parent !== parentId) this.#misplaced.add(tree)
    for (const { id, childNodes } of nodesIn(tree))
      for (const child of objectsIn(childNodes))
        if (this.#page.nodes.get(idOf(child))?.parent !== id) this.#misplaced.add(child)
  }

  #of(node: PageNode): Masked {
    const tag = tagOf(node)
    const parent = this.#page.nodes.get(node.parent)
    const isMatch = tag !== '' && this.#matches(node)
    const isText = this.#kinds.has('text')
    const isInput = this.#kinds.has('inputs') && inputTags.test(tag)
    const isImage = this.#kinds.has('images') && imageTags.test(tag)
    const known = [this.#masked.get(node.id), this.#masked.get(node.parent ?? -1)]
    const image = isMatch || isImage || known.some((one) => one?.image)
    return {
      tag,
      text: isMatch || isText || isInput || isImage || known.some((one) => one?.text),
      input: isMatch || isText || isInput || known.some((one) => one?.input),
      image,
      pictures: image || this.#kinds.has('images'),
      isCode: parent !== undefined && tagOf(parent) === 'style',
    }
  }
}
