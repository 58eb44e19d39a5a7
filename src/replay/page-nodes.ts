import { isObject, type ReplayEvent } from './recorded/rrweb.ts'

/** Kinds of events whose effect is visible but not part of a serialised node. */
export type LaterKind = 'style' | 'rules' | 'input' | 'media' | 'canvas' | 'scroll'

/** A node of a recorded page. Nodes are never changed, so pages can share equal nodes. */
export type PageNode = {
  id: number
  /** Id of the parent; null for the document. */
  parent: number | null
  /** The node as rrweb serialises it, with `childNodes` empty. */
  own: Readonly<Record<string, unknown>>
  /** Ids of its neighbours, and of its outer children: an insertion takes the same time however many siblings there are. */
  previous: number | null
  next: number | null
  /** Children include those in the shadow root. */
  first: number | null
  last: number | null
  later: Readonly<Partial<Record<LaterKind, readonly ReplayEvent[]>>>
}

/** Share of a snapshot's nodes that may differ from those of an earlier snapshot for both to share the others. */
const changedShareMax = 0.5

/**
 * The nodes of a page by their id: those of a full snapshot, which several pages share, and those changed since. Copying a
 * page, and comparing it with one that shares its snapshot, takes time for the changed nodes alone.
 */
export class PageNodes {
  readonly #snapshot: ReadonlyMap<number, PageNode>
  /** null for a node of the snapshot that the page lacks. */
  readonly #changed: Map<number, PageNode | null>

  constructor(
    snapshot: ReadonlyMap<number, PageNode> = new Map(),
    changed: Iterable<[number, PageNode | null]> = [],
  ) {
    this.#snapshot = snapshot
    this.#changed = new Map(changed)
  }

  get size(): number {
    let { size } = this.#snapshot
    for (const [id, node] of this.#changed) size += (node ? 1 : 0) - (this.#snapshot.has(id) ? 1 : 0)
    return size
  }

  get(id: number | null): PageNode | undefined {
    if (id === null) return undefined
    const changed = this.#changed.get(id)
    return changed === undefined ? this.#snapshot.get(id) : (changed ?? undefined)
  }

  has(id: number): boolean {
    return this.get(id) !== undefined
  }

  set(id: number, node: PageNode): void {
    this.#changed.set(id, node)
  }

  delete(id: number): void {
    if (this.#snapshot.has(id)) this.#changed.set(id, null)
    else this.#changed.delete(id)
  }

  *values(): Generator<PageNode> {
    for (const [id, node] of this.#snapshot) {
      const changed = this.#changed.get(id)
      if (changed !== null) yield changed ?? node
    }
    for (const [id, node] of this.#changed) if (node && !this.#snapshot.has(id)) yield node
  }

  *childrenOf({ first }: PageNode): Generator<PageNode> {
    for (let child = this.get(first); child; child = this.get(child.next)) yield child
  }

  /** Yields the node itself, then its ancestors. */
  *upwards(id: number | null): Generator<PageNode> {
    for (let node = this.get(id); node; node = this.get(node.parent)) yield node
  }

  /** Returns the nodes that were added or changed since the snapshot. */
  *changed(): Generator<PageNode> {
    for (const node of this.#changed.values()) if (node) yield node
  }

  /** Returns a copy that can be changed on its own. */
  copy(): PageNodes {
    return new PageNodes(this.#snapshot, this.#changed)
  }

  /** Returns those of these nodes that can differ from the other page's node of the same id. */
  comparedWith(other: PageNodes): Iterable<PageNode> {
    if (this.#snapshot !== other.#snapshot) return this.values()
    const ids = new Set([...this.#changed.keys(), ...other.#changed.keys()])
    return Array.from(ids, (id) => this.get(id)).filter((node) => node !== undefined)
  }

  /** Returns the nodes of a new snapshot; those equal to nodes of the earlier snapshot are shared with it. */
  static ofSnapshot(nodes: ReadonlyMap<number, PageNode>, earlier?: PageNodes): PageNodes {
    if (!earlier) return new PageNodes(nodes)
    const changed = new Map<number, PageNode | null>()
    for (const [id, node] of nodes) if (!isEqual(node, earlier.#snapshot.get(id))) changed.set(id, node)
    for (const id of earlier.#snapshot.keys()) if (!nodes.has(id)) changed.set(id, null)
    return changed.size > nodes.size * changedShareMax
      ? new PageNodes(nodes)
      : new PageNodes(earlier.#snapshot, changed)
  }
}

/** Whether two values of JSON are equal. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]))
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => isEqual(one[key], other[key]))
}
