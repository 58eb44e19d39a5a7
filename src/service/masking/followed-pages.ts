import {
  EventType,
  IncrementalSource,
  isObject,
  objectsIn,
  sourceOf,
  type ReplayEvent,
} from '../../replay/recorded/rrweb.ts'
import type { PageNode } from '../../replay/page-nodes.ts'
import { applyEvent, openPage } from '../../replay/page.ts'
import { tagOf, type Data, type Page } from '../../replay/page-tree.ts'
import { isWireframeMutation, isWireframeSnapshot } from '../../replay/screen.ts'
import { mapTree, maskEvent } from './mask-event.ts'
import type { Masked } from './masked-nodes.ts'
import { attributesIn, selectorMatcher } from './mask-selectors.ts'

/** Windows, and nodes of all their pages, that are followed; the window that was used longest ago is forgotten first. */
const windowsMax = 2000
const nodesMax = 500_000

type MaskOf = (id: unknown) => Masked | undefined

/** The windows that a thread follows while they are recorded. What it does not know of a page is masked as a whole. */
export class RuledWindows {
  readonly #windows = new Map<string, RuledWindow>()

  /** Returns the window with this name; `selectors` choose the elements to mask. */
  of(name: string, selectors: readonly string[]): RuledWindow {
    const known = this.#windows.get(name)
    const window = known?.hasSelectors(selectors) ? known : new RuledWindow(selectors)
    // The last one used comes last.
    this.#windows.delete(name)
    this.#windows.set(name, window)
    this.#forget()
    return window
  }

  #forget(): void {
    let nodes = this.#windows.values().reduce((sum, { size }) => sum + size, 0)
    for (const [name, { size }] of this.#windows) {
      if (this.#windows.size <= windowsMax && nodes <= nodesMax) return
      this.#windows.delete(name)
      nodes -= size
    }
  }
}

/** The page of a window, as far as selectors need it. */
export class RuledWindow {
  /** Nodes of the page. */
  size = 0
  readonly #selectors: readonly string[]
  readonly #attributes: ReadonlySet<string>
  #href: unknown
  #page: Page | null = null
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
    const masked = this.#mask(event)
    this.size = this.#page?.nodes.size ?? 0
    return masked
  }

  #mask(event: ReplayEvent): ReplayEvent {
    const { type, data } = event
    if (isWireframeSnapshot(event) || isWireframeMutation(event)) return event
    if (type === EventType.Meta) {
      // Another page follows; events before its snapshot must not be compared with the old page.
      if (data['href'] !== this.#href) this.#page = null
      this.#href = data['href']
      return event
    }
    const source = sourceOf(event)
    if (type === EventType.FullSnapshot) {
      this.#page = openPage(blankMeta, { ...event, data: { node: this.#lean(data['node']) } })
      this.#matches = selectorMatcher(this.#page, this.#selectors)
      return blanked(event, this.#masks())
    }
    if (source === IncrementalSource.Input) return blanked(event, this.#masks())
    if (source !== IncrementalSource.Mutation) return event
    // A text that changes together with the attribute that chose it is masked, too.
    const before = this.#masks()
    const named = [...objectsIn(data['texts']), ...objectsIn(data['attributes'])].map(({ id }) => id)
    const chosen = new Map(named.map((id) => [id, before(id)]))
    if (this.#page) applyEvent(this.#page, this.#leanMutation(event))
    const after = this.#masks()
    return blanked(event, (id) => chosen.get(id) ?? after(id))
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

  #leanMutation({ data, ...event }: ReplayEvent): ReplayEvent {
    const adds = objectsIn(data['adds']).map((add) => ({ ...add, node: this.#lean(add['node']) }))
    const attributes = objectsIn(data['attributes']).map((change) => ({
      ...change,
      attributes: this.#needed(change['attributes']),
    }))
    return {
      ...event,
      data: { source: IncrementalSource.Mutation, removes: data['removes'], adds, attributes, texts: [] },
    }
  }

  /** Returns a tree without what no selector can name, such as texts and style sheets, which take most of the memory. */
  #lean(tree: unknown): Data {
    if (!isObject(tree)) return {}
    return mapTree(tree, 'childNodes', ({ textContent: _, attributes, ...node }) => ({
      ...node,
      ...(isObject(attributes) && { attributes: this.#needed(attributes) }),
    }))
  }

  #needed(attributes: unknown): Data {
    const entries = Object.entries(isObject(attributes) ? attributes : {})
    return Object.fromEntries(entries.filter(([name]) => this.#attributes.has(name)))
  }
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
  data: { href: '', width: 1280, height: 720 },
}
