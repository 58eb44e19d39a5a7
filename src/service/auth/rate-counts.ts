import type { Services } from '../services.ts'
import { addRateCounts, deleteRateCounts } from '../store/accounts/rate-counts.ts'

export const minuteMs = 60_000
const flushMs = 1000
/**
 * Names with counts of their own, per minute in this process. Further ones with the same limit share counts by a keyed hash, so
 * that none escapes; nobody can choose with whom to share.
 */
export const namesMax = 50_000
/**
 * A count is shared with the other processes once it reaches the limit divided by this. Below, even this many processes
 * together stay within the limit, and most clients cause no statement.
 */
const sharingDivisor = 16

type Needs = Pick<Services, 'store' | 'clock' | 'logger' | 'secrets'>

type Count = {
  /** Total of all processes at the last flush, and what this process has added since. */
  known: number
  added: number
  limit: number
}

/**
 * Counts requests by name in the current minute, together with the other processes: each adds its counts to PostgreSQL once a
 * second. Without PostgreSQL, each process counts alone.
 */
export class RateCounts {
  readonly #services: Needs
  readonly #timer: NodeJS.Timeout
  #minute = -1
  #counts = new Map<string, Count>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(services: Needs) {
    this.#services = services
    this.#timer = setInterval(() => void this.flush(), flushMs).unref()
  }

  /** Adds to a count. @returns whether the count is within `limit`; 0 means no limit */
  add(name: string, limit: number, amount = 1): boolean {
    if (limit === 0) return true
    this.#startMinute()
    const key = this.#keyOf(name, limit)
    const count = this.#counts.get(key) ?? { known: 0, added: 0, limit }
    this.#counts.set(key, count)
    count.added += amount
    return count.known + count.added <= limit
  }

  /** Whether a count has reached its limit, without adding to it. */
  isReached(name: string, limit: number): boolean {
    this.#startMinute()
    const count = this.#counts.get(this.#keyOf(name, limit))
    return limit > 0 && count !== undefined && count.known + count.added >= limit
  }

  /** Seconds until the counts start again, at least 1. */
  secondsLeft(): number {
    const now = this.#services.clock.now()
    return Math.ceil(((Math.floor(now / minuteMs) + 1) * minuteMs - now) / 1000)
  }

  /** Exchanges counts with the other processes. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#exchange())
    return this.#flushing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#flushing
  }

  #keyOf(name: string, limit: number): string {
    if (this.#counts.size < namesMax || this.#counts.has(name)) return name
    const hash = Buffer.from(this.#services.secrets.token(`count ${name}`), 'base64url')
    return `shared ${limit} ${hash.readUInt16BE()}`
  }

  #startMinute(): void {
    const minute = Math.floor(this.#services.clock.now() / minuteMs)
    if (minute === this.#minute) return
    this.#minute = minute
    this.#counts = new Map()
  }

  async #exchange(): Promise<void> {
    const [minute, counts] = [this.#minute, this.#counts]
    const changed = [...counts].filter(
      ([, { known, added, limit }]) => added !== 0 && known + added >= limit / sharingDivisor,
    )
    if (changed.length === 0) return
    const sent = changed.map(([name, { added }]) => ({ name, count: added }))
    try {
      const totals = await addRateCounts(this.#services.store, minute, sent)
      const known = new Map(totals.map(({ name, count }) => [name, count]))
      for (const [index, [name, count]] of changed.entries()) {
        count.known = known.get(name) ?? count.known
        count.added -= sent[index]?.count ?? 0
      }
      await deleteRateCounts(this.#services.store, minute - 1)
    } catch (error) {
      this.#services.logger.warn({ err: error }, 'failed to share request counts with the other processes')
    }
  }
}
