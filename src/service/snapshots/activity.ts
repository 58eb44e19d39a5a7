/** Gaps (ms) between active events above which the person was inactive. */
const gapMsMax = 5000
/** Equal slices of a recording for which `activityShares` reports a share. */
const shareCount = 20

/**
 * Stretches of activity as start, end, start, end … in milliseconds, ascending, with gaps longer than `gapMsMax`. Joining
 * the stretches of a session's parts, in any order, yields the stretches of the session.
 */
export type Activity = readonly number[]

/** Returns the stretches of activity formed by moments in any order. */
export function activityOf(moments: readonly number[]): number[] {
  return joined(moments.map((moment) => [moment, moment] as const))
}

export function joinActivity(one: Activity, other: Activity): number[] {
  return joined([...stretches(one), ...stretches(other)])
}

/** Returns the total in milliseconds. */
export function activeTime(activity: Activity): number {
  return stretches(activity).reduce((sum, [begin, end]) => sum + end - begin, 0)
}

/** Returns the active share of each twentieth between two moments, from 0 to 1, rounded to two decimals. */
export function activityShares(activity: Activity, start: number, end: number): number[] {
  const width = Math.max(end - start, 1) / shareCount
  const shares = Array.from({ length: shareCount }, () => 0)
  for (const [from, to] of stretches(activity)) {
    const first = Math.max(Math.floor((from - start) / width), 0)
    const last = Math.min(Math.floor((to - start) / width), shareCount - 1)
    for (let index = first; index <= last; index += 1) {
      const begin = start + index * width
      shares[index] = (shares[index] ?? 0) + Math.min(to, begin + width) - Math.max(from, begin)
    }
  }
  return shares.map((time) => Math.round(Math.min(time / width, 1) * 100) / 100)
}

function joined(parts: readonly (readonly [number, number])[]): number[] {
  const result: number[] = []
  for (const [begin, end] of parts.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1)
    if (last !== undefined && begin - last <= gapMsMax) result[result.length - 1] = Math.max(last, end)
    else result.push(begin, end)
  }
  return result
}

/** Returns the start and end of each stretch. */
export function stretches(activity: Activity): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  for (let index = 0; index + 1 < activity.length; index += 2)
    pairs.push([activity[index] ?? 0, activity[index + 1] ?? 0])
  return pairs
}
