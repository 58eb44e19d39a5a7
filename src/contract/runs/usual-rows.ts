import type { Window } from '../interval.ts'

/** The median of earlier windows at the same hour of the week, and the number of weeks that they come from. */
export type UsualRows = { rows: number; weeks: number }
export type WindowRows = Window & { rows: number }

const hourMs = 3_600_000
const weekMs = 168 * hourMs
/** Weeks that are compared, and weeks that an unusual volume requires. */
export const comparedWeeks = 8
const unusualWeeksMin = 4
/** Volumes below this number of rows vary too much to be called unusual. */
const unusualRowsMin = 100
const unusualFactor = 4

/**
 * Returns a function that computes the usual rows of a window: the median of the windows of the same length that start in the
 * same hour of the week, in the eight weeks before it. It returns null if no such window ran.
 */
export function usualRowsOf(history: readonly WindowRows[]): (window: Window) => UsualRows | null {
  const slots = Map.groupBy(history, slotOf)
  return (window) => {
    const weekOf = ({ start }: Window) => Math.floor((hourOf(window) - hourOf({ start })) / weekMs)
    const earlier = (slots.get(slotOf(window)) ?? []).filter(
      (other) => weekOf(other) >= 1 && weekOf(other) <= comparedWeeks,
    )
    if (earlier.length === 0) return null
    const rows = earlier.map((other) => other.rows).sort((a, b) => a - b)
    const middle = rows.length >> 1
    const median =
      rows.length % 2 === 1 ? (rows[middle] ?? 0) : ((rows[middle - 1] ?? 0) + (rows[middle] ?? 0)) / 2
    return { rows: Math.round(median), weeks: new Set(earlier.map(weekOf)).size }
  }
}

function hourOf({ start }: Pick<Window, 'start'>): number {
  return Math.floor(start / hourMs) * hourMs
}

function slotOf({ start, end }: Window): string {
  return `${end - start} ${hourOf({ start }) % weekMs}`
}

/** Whether a volume is below a quarter or above four times the median of at least four weeks, if both are large enough to compare. */
export function isUnusual(rows: number, usual: UsualRows): boolean {
  if (usual.weeks < unusualWeeksMin || Math.max(rows, usual.rows) < unusualRowsMin) return false
  return rows < usual.rows / unusualFactor || rows > usual.rows * unusualFactor
}
