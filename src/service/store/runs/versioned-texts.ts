const textsMax = 5000

/**
 * JSON of objects in UTF-8, by their id, each valid for one version of what it shows: reading, judging and serialising a thousand
 * exports takes many times as long as reading their versions. The text stored first is dropped first.
 */
export class VersionedTexts {
  readonly #texts = new Map<string, { version: string; text: Buffer }>()

  /** Returns the text of an object in this version. */
  find(id: string, version: string): Buffer | undefined {
    const known = this.#texts.get(id)
    return known?.version === version ? known.text : undefined
  }

  /** Stores a text that was read after its version: it may be newer (and is then read again), but never older. */
  add(id: string, version: string, text: Buffer): void {
    this.#texts.delete(id)
    this.#texts.set(id, { version, text })
    const [oldest] = this.#texts.keys()
    if (this.#texts.size > textsMax && oldest !== undefined) this.#texts.delete(oldest)
  }
}
