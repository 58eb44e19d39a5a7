import { assetUrl } from './asset-url.ts'
import {
  EventType,
  IncrementalSource,
  isObject,
  nodesIn,
  objectsIn,
  pageAddress,
  sourceOf,
  type ReplayEvent,
} from './rrweb.ts'

/** Largest number of base elements, and longest address (characters), that are followed. */
const elementsMax = 20
const addressLengthMax = 4096

/** What is known about a window's page between its events, without characters that PostgreSQL's JSON rejects. */
export type BaseState = {
  /** URL of the page; "" if unknown. */
  address: string
  /** Id of the page's document; null if unknown. */
  document: number | null
  /** The page's `<base>` elements that have an address, in order. */
  elements: [id: number, href: string][]
}

/**
 * Follows the URL against which the references of a window's page resolve: the page's, or that of its first `<base href>`.
 * The vault and the player both use it, so that they resolve references alike.
 */
export class PageBase {
  /** The base URL; "" if unknown. */
  url = ''
  #address: string
  #document: number | null
  readonly #elements: Map<number, string>

  constructor(state: BaseState = { address: '', document: null, elements: [] }) {
    this.#address = state.address
    this.#document = state.document
    this.#elements = new Map(state.elements)
    this.#update()
  }

  get state(): BaseState {
    return { address: this.#address, document: this.#document, elements: [...this.#elements] }
  }

  /** Reads an event, which must be as recorded. */
  follow(event: ReplayEvent): void {
    const { type, data } = event
    const address = pageAddress(event)
    if (address !== '') this.#address = URL.canParse(address) ? new URL(address).href : ''
    if (this.#address.length > addressLengthMax) this.#address = ''
    if (type === EventType.FullSnapshot) this.#startPage(data['node'])
    else if (sourceOf(event) === IncrementalSource.Mutation) this.#change(data)
    else if (address === '') return
    this.#update()
  }

  #startPage(document: unknown): void {
    this.#document = isObject(document) ? idOf(document) : null
    this.#elements.clear()
    this.#add(document)
  }

  #change({ removes, adds, attributes }: Record<string, unknown>): void {
    for (const removed of objectsIn(removes)) this.#elements.delete(idOf(removed))
    for (const { node } of objectsIn(adds)) this.#add(node)
    for (const { id, attributes: changed } of objectsIn(attributes))
      if (this.#elements.has(Number(id)) && isObject(changed) && 'href' in changed)
        this.#set(Number(id), changed['href'])
  }

  /** Adds the base elements of a tree, unless they are in a frame. */
  #add(root: unknown): void {
    for (const node of nodesIn(root)) {
      const { tagName, rootId, attributes } = node
      const isOfPage = rootId === undefined || rootId === this.#document
      if (tagName === 'base' && isOfPage && this.#elements.size < elementsMax)
        this.#set(idOf(node), isObject(attributes) ? attributes['href'] : null)
    }
  }

  #set(id: number, href: unknown): void {
    const text = typeof href === 'string' ? href.slice(0, addressLengthMax) : ''
    this.#elements.set(id, text.toWellFormed().replaceAll('\0', ''))
  }

  #update(): void {
    const href = this.#elements.values().find((text) => text !== '') ?? ''
    this.url = assetUrl(href, this.#address) ?? this.#address
  }
}

/** Returns a node's id; -1 if it has none. */
function idOf({ id }: Record<string, unknown>): number {
  return typeof id === 'number' ? id : -1
}
