import type { Window } from '../../../contract/interval.ts'

/** Disjoint ranges of time in milliseconds, oldest first. */
export type TimeRanges = readonly Window[]

/** Returns the ranges that cover the same time as `windows`, which may overlap. */
export function union(windows: readonly Window[]): Window[] {
  const ranges: Window[] = []
  for (const { start, end } of windows.toSorted((one, other) => one.start - other.start)) {
    const last = ranges.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else if (start < end) ranges.push({ start, end })
  }
  return ranges
}

/** Returns the parts of `ranges` that are not in `removed`. */
export function subtract(ranges: TimeRanges, removed: TimeRanges): Window[] {
  const rest: Window[] = []
  let first = 0
  for (const { start, end } of ranges) {
    while ((removed[first]?.end ?? Infinity) <= start) first += 1
    let from = start
    for (let index = first; (removed[index]?.start ?? Infinity) < end; index += 1) {
      const cut = removed[index]
      if (!cut) break
      if (cut.start > from) rest.push({ start: from, end: cut.start })
      from = Math.max(from, cut.end)
    }
    if (from < end) rest.push({ start: from, end })
  }
  return rest
}

export function intersect(ranges: TimeRanges, others: TimeRanges): Window[] {
  return subtract(ranges, subtract(ranges, others))
}
