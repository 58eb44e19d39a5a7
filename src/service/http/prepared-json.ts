import { Readable, type Writable } from 'node:stream'

/**
 * A response that is already serialised as JSON, so that cached parts are not serialised again; see `VersionedTexts`. It consists
 * of UTF-8 bytes, which are sent from where they are cached: copies of half a megabyte would soon start the garbage collector.
 */
export class PreparedJson {
  readonly parts: readonly Buffer[]

  private constructor(parts: readonly Buffer[]) {
    this.parts = parts
  }

  /** Serialises a non-empty object with one extra key, a list whose items are already JSON. */
  static of(object: object, key: string, items: readonly Buffer[]): PreparedJson {
    const start = Buffer.from(`${JSON.stringify(object).slice(0, -1)},${JSON.stringify(key)}:[`)
    const joined = items.flatMap((item, index) => (index === 0 ? [item] : [comma, item]))
    return new PreparedJson([start, ...joined, end])
  }
}

const comma = Buffer.from(',')
const end = Buffer.from(']}')

/** Sends prepared JSON in one write, without copying its parts. */
export class PreparedJsonStream extends Readable {
  readonly parts: readonly Buffer[]
  readonly byteLength: number

  constructor({ parts }: PreparedJson) {
    super()
    this.parts = parts
    this.byteLength = parts.reduce((sum, part) => sum + part.length, 0)
  }

  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    const target = destination as unknown as Writable
    target.cork()
    for (const part of this.parts) target.write(part)
    target.end()
    target.uncork()
    this.push(null)
    this.resume()
    return destination
  }

  override _read(): void {}
}
