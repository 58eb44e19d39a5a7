import { createHash } from 'node:crypto'
import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import { remember } from '../../store/schema/remember.ts'
import type { Period } from './sessions-of-period.ts'

/** A list of the sessions that meet a condition, which the name describes. */
export type List = { name: string; period: Period }
type Length = 'short' | 'long'

/** How long lists were, and of which periods, by their hashes, oldest first. */
const lengths = new WeakMap<Warehouse, Map<string, { length: Length; period: Period }>>()
const lengthsMax = 1000
const dayMs = 86_400_000
/** Difference (ms) between periods that does not count, because most begin or end a fixed time before now. */
const driftMs = 60_000

/** Returns the length of a list that was short for a period that contains this one, or long for one within it. */
export function knownLength(warehouse: Warehouse, list: List): Length | undefined {
  const known = lengths.get(warehouse)?.get(hashOf(list))
  if (!known) return undefined
  const [outer, inner] = known.length === 'short' ? [known.period, list.period] : [list.period, known.period]
  return contains(outer, inner) ? known.length : undefined
}

export function rememberLength(warehouse: Warehouse, list: List, length: Length): void {
  const known = lengths.get(warehouse) ?? new Map<string, { length: Length; period: Period }>()
  lengths.set(warehouse, known)
  remember(known, hashOf(list), { length, period: list.period }, lengthsMax)
}

/** Returns a list's hash, which is the same for periods that begin and end on the same days. */
function hashOf({ name, period: { from, to } }: List): string {
  const days = [from, to].map((time) => time && Math.floor(time / dayMs))
  return createHash('sha256')
    .update(JSON.stringify([name, days]))
    .digest('base64')
}

function contains(outer: Period, inner: Period): boolean {
  const beginsBefore = (outer.from ?? -Infinity) <= (inner.from ?? -Infinity) + driftMs
  const endsAfter = (inner.to ?? Infinity) <= (outer.to ?? Infinity) + driftMs
  return beginsBefore && endsAfter
}
