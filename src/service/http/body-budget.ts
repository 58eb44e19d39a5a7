/** Overhead (bytes) counted per chunk, so that many tiny chunks cannot take more memory than the budget. */
const chunkBytes = 256

/** The part of a budget that one body holds. */
export type Holding = {
  /** Counts a received chunk; may evict a body that is still being received, possibly this one. */
  add(bytes: number): void
  /** Exempts a complete body from eviction. */
  complete(): void
  release(): void
}

type Held = { bytes: number; evict: () => void }

/**
 * Limits the bytes of request bodies held at the same time, over all connections. Above the limit, the largest body still
 * being received is evicted, so that many large bodies cannot keep out the small ones.
 */
export class BodyBudget {
  readonly #bytesMax: number
  readonly #receiving = new Set<Held>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** `evict` must release the holding. */
  open(evict: () => void): Holding {
    const held = { bytes: 0, evict }
    this.#receiving.add(held)
    return {
      add: (bytes) => {
        held.bytes += bytes + chunkBytes
        this.#bytes += bytes + chunkBytes
        while (this.#bytes > this.#bytesMax && this.#receiving.size > 0) this.#evictLargest()
      },
      complete: () => void this.#receiving.delete(held),
      release: () => {
        this.#receiving.delete(held)
        this.#bytes -= held.bytes
        held.bytes = 0
      },
    }
  }

  #evictLargest(): void {
    const [first, ...others] = this.#receiving
    if (!first) return
    const largest = others.reduce((one, other) => (other.bytes > one.bytes ? other : one), first)
    largest.evict()
  }
}
