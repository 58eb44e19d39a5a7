const minuteMs = 60_000
const hourMs = 3_600_000

/** Largest number of concurrent fetches, and of fetches in a minute. */
export type Limit = { atOnce: number; perMinute: number }

/** Counts fetches by name, such as a host, and returns the names that have reached their limit. */
export class FetchLimits<Name> {
  readonly #limit: Limit
  readonly #now: () => number
  readonly #running = new Map<Name, number>()
  #started = new Map<Name, number>()
  #minute = -1

  constructor(limit: Limit, now: () => number) {
    this.#limit = limit
    this.#now = now
  }

  /** Call `end` once for each call. */
  begin(name: Name): void {
    this.#startMinute()
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1)
    this.#started.set(name, (this.#started.get(name) ?? 0) + 1)
  }

  /** Removes a fetch that needs no request from the minute's count. */
  uncount(name: Name): void {
    this.#startMinute()
    this.#started.set(name, (this.#started.get(name) ?? 0) - 1)
  }

  end(name: Name): void {
    const left = (this.#running.get(name) ?? 0) - 1
    if (left > 0) this.#running.set(name, left)
    else this.#running.delete(name)
  }

  /** Names for which no fetch may begin now. */
  full(): Name[] {
    this.#startMinute()
    const { atOnce, perMinute } = this.#limit
    const reached = (counts: ReadonlyMap<Name, number>, max: number) =>
      [...counts].flatMap(([name, count]) => (count >= max ? [name] : []))
    return [...reached(this.#running, atOnce), ...reached(this.#started, perMinute)]
  }

  #startMinute(): void {
    const minute = Math.floor(this.#now() / minuteMs)
    if (minute !== this.#minute) this.#started = new Map()
    this.#minute = minute
  }
}

/** Counts the bytes fetched by name in an hour, and tells which names have reached their limit. */
export class ByteLimit<Name> {
  readonly #max: number
  readonly #now: () => number
  #bytes = new Map<Name, number>()
  #hour = -1

  constructor(max: number, now: () => number) {
    this.#max = max
    this.#now = now
  }

  add(name: Name, bytes: number): void {
    this.#startHour()
    this.#bytes.set(name, (this.#bytes.get(name) ?? 0) + bytes)
  }

  /** Names for which no fetch may begin now. */
  full(): Name[] {
    this.#startHour()
    return [...this.#bytes].flatMap(([name, bytes]) => (bytes >= this.#max ? [name] : []))
  }

  #startHour(): void {
    const hour = Math.floor(this.#now() / hourMs)
    if (hour !== this.#hour) this.#bytes = new Map()
    this.#hour = hour
  }
}
