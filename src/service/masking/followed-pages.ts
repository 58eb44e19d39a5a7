import {
  defaultSize,
  EventType,
  IncrementalSource,
  isObject,
  mutation,
  nodesIn,
  NodeType,
  objectsIn,
  sourceOf,
  type ReplayEvent,
} from '../../replay/recorded/rrweb.ts'
import type { PageNode } from '../../replay/page-nodes.ts'
import { applyEvent, openPage } from '../../replay/page.ts'
import { idOf, isDocument, tagOf, type Data, type Page } from '../../replay/page-tree.ts'
import { isWireframeMutation, isWireframeSnapshot } from '../../replay/screen.ts'
import { mapTree, maskEvent } from './mask-event.ts'
import type { Masked } from './masked-nodes.ts'
import { attributesIn, selectorMatcher } from './mask-selectors.ts'

/** Windows whose pages are followed, and estimated bytes of these pages; the one that was used longest ago is forgotten first. */
const windowsMax = 2000
const sizeMax = 200_000_000
/** Bytes that a node takes besides its attributes. */
const nodeSize = 300

type MaskOf = (id: unknown) => Masked | undefined

/** The pages that a thread follows while they are recorded. What it does not know of a page is masked as a whole. */
export class FollowedPages {
  readonly #pages = new Map<string, FollowedPage>()

  /** Returns the page of the window with this name; `selectors` choose the elements to mask. */
  of(window: string, selectors: readonly string[]): FollowedPage {
    const known = this.#pages.get(window)
    const page = known?.hasSelectors(selectors) ? known : new FollowedPage(selectors)
    // The last one used comes last.
    this.#pages.delete(window)
    this.#pages.set(window, page)
    this.#makeRoom()
    return page
  }

  /** Forgets the windows whose names begin with a text. */
  forget(prefix: string): void {
    for (const window of this.#pages.keys()) if (window.startsWith(prefix)) this.#pages.delete(window)
  }

  #makeRoom(): void {
    let total = this.#pages.values().reduce((sum, { size }) => sum + size, 0)
    for (const [window, { size }] of this.#pages) {
      if (this.#pages.size <= windowsMax && total <= sizeMax) return
      this.#pages.delete(window)
      total -= size
    }
  }
}

/** The page of one browser window, followed as far as selectors need it. */
export class FollowedPage {
  /** Estimated bytes of the page, including nodes that were removed since its snapshot. */
  size = 0
  readonly #selectors: readonly string[]
  readonly #attributes: ReadonlySet<string>
  #page: Page | null = null
  /** Time of the event that began the page. */
  #since = -Infinity
  #matches: (node: PageNode) => boolean = () => true

  constructor(selectors: readonly string[]) {
    this.#selectors = selectors
    this.#attributes = attributesIn(selectors)
  }

  hasSelectors(selectors: readonly string[]): boolean {
    return this.#selectors.join('\n') === selectors.join('\n')
  }

  /** Follows an unpacked event, and returns it without what chosen elements contain; without a known page, all are chosen. */
  mask(event: ReplayEvent): ReplayEvent {
    const { type, timestamp, data } = event
    if (isWireframeSnapshot(event) || isWireframeMutation(event)) return event
    const source = sourceOf(event)
    const isMutation = source === IncrementalSource.Mutation
    const beginsPage = type === EventType.Meta || type === EventType.FullSnapshot
    if (!beginsPage && !isMutation && source !== IncrementalSource.Input) return event
    // Older events are of another page.
    const isOld = timestamp < this.#since
    if (isOld || beginsPage) this.#drop()
    if (beginsPage && !isOld) this.#since = timestamp
    if (type === EventType.Meta) return event
    if (type === EventType.FullSnapshot && !isOld) {
      this.#page = openPage(blankMeta, { ...event, data: { node: this.#lean(data['node']) } })
      this.#matches = selectorMatcher(this.#page, this.#selectors)
    }
    if (source === IncrementalSource.Input && !this.#canBeInput(data['id'])) this.#drop()
    if (!isMutation) return blanked(event, this.#masks())
    // A text that changes together with the attribute that chose it is masked, too.
    const before = this.#masks()
    const named = [...objectsIn(data['texts']), ...objectsIn(data['attributes'])].map(({ id }) => id)
    const chosen = new Map(named.map((id) => [id, before(id)]))
    if (this.#page && !this.#follow(this.#page, data)) this.#drop()
    const after = this.#masks()
    return blanked(event, (id) => chosen.get(id) ?? after(id))
  }

  #drop(): void {
    this.#page = null
    this.size = 0
  }

  #canBeInput(id: unknown): boolean {
    // A field that a script fills before it is on the page.
    if (id === -1) return true
    const node = typeof id === 'number' ? this.#page?.nodes.get(id) : undefined
    return node !== undefined && /^(input|textarea|select)$/.test(tagOf(node))
  }

  /**
   * Applies a mutation; returns false if it is of another page. rrweb's ids start again with each page, whose snapshot may be lost
   * or have gone to another process.
   */
  #follow(page: Page, data: Data): boolean {
    const { nodes } = page
    const [removes, added, texts, changes] = [
      data['removes'],
      data['adds'],
      data['texts'],
      data['attributes'],
    ]
    const adds = objectsIn(added).map((add) => ({ ...add, node: this.#lean(add['node']) }))
    const attributes = objectsIn(changes).map((change) => {
      const needed = this.#needed(change['attributes'])
      this.size += JSON.stringify(needed).length
      return { ...change, attributes: needed }
    })
    const find = ({ id }: Data) => (typeof id === 'number' ? nodes.get(id) : undefined)
    const hasRemoved = objectsIn(removes).every(find)
    applyEvent(page, mutation(0, { removes: objectsIn(removes) }))
    const areNew = adds.every(({ node, parentId }: Data) => {
      const known = isObject(node) ? find(node) : undefined
      // The document of a frame can be sent again.
      return !known || (isDocument(known) && known.parent === parentId)
    })
    applyEvent(page, mutation(0, { adds, attributes }))
    return (
      hasRemoved &&
      areNew &&
      adds.every(({ node, parentId }: Data) => isPlaced(page, node, parentId)) &&
      objectsIn(texts).every((change) => find(change) && !isElement(find(change))) &&
      attributes.every((change) => isElement(find(change)))
    )
  }

  #masks(): MaskOf {
    const known = new Map<number, boolean>()
    return (id) => {
      if (typeof id === 'number' && !this.#isChosen(id, known)) return undefined
      const node = typeof id === 'number' ? this.#page?.nodes.get(id) : undefined
      const parent = node && this.#page?.nodes.get(node.parent)
      const isCode = parent !== undefined && tagOf(parent) === 'style'
      const tag = node ? tagOf(node) : ''
      return { tag, text: true, input: true, image: false, pictures: false, isCode }
    }
  }

  /** Whether a node or one that contains it is chosen, or the node is unknown. */
  #isChosen(id: number, known: Map<number, boolean>): boolean {
    const above: number[] = []
    let isChosen = this.#page?.nodes.has(id) !== true
    for (const node of this.#page?.nodes.upwards(id) ?? []) {
      const found = known.get(node.id) ?? ((tagOf(node) !== '' && this.#matches(node)) || undefined)
      above.push(node.id)
      if (found === undefined) continue
      isChosen = found
      break
    }
    for (const each of above) known.set(each, isChosen)
    return isChosen
  }

  /** Returns a tree without what no selector can name, such as texts and style sheets, which take most of the memory. */
  #lean(tree: unknown): Data {
    if (!isObject(tree)) return {}
    return mapTree(tree, 'childNodes', ({ type, id, tagName, isShadow, attributes, childNodes }) => {
      const kept = {
        type,
        id,
        tagName,
        isShadow,
        attributes: isObject(attributes) && this.#needed(attributes),
      }
      this.size += nodeSize + JSON.stringify(kept).length
      return { ...kept, childNodes }
    })
  }

  #needed(attributes: unknown): Data {
    const entries = Object.entries(isObject(attributes) ? attributes : {})
    return Object.fromEntries(entries.filter(([name]) => this.#attributes.has(name)))
  }
}

function isElement(node: PageNode | undefined): boolean {
  return node?.own['type'] === NodeType.Element
}

/** Whether the page has an added node where its event puts it, and no descendant elsewhere because its id is taken. */
function isPlaced({ nodes }: Page, tree: unknown, parentId: unknown): boolean {
  if (!isObject(tree) || nodes.get(idOf(tree))?.parent !== parentId) return false
  return nodesIn(tree).every(({ id, childNodes }) =>
    objectsIn(childNodes).every((child) => (nodes.get(idOf(child))?.parent ?? id) === id),
  )
}

/** Returns an event with the content of chosen nodes blank; the event itself if none is. */
function blanked(event: ReplayEvent, maskOf: MaskOf): ReplayEvent {
  let isAny = false
  const get: MaskOf = (id) => {
    const mask = maskOf(id)
    isAny ||= mask !== undefined
    return mask
  }
  const masked = maskEvent(event, { get, hasSeen: () => true, hasPlaced: () => true })
  return masked && isAny ? { ...masked, data: { ...event.data, ...masked.data } } : event
}

const blankMeta: ReplayEvent = {
  type: EventType.Meta,
  timestamp: 0,
  data: { href: '', ...defaultSize },
}
