import type { Outline, TimeRange } from '../player/player-messages.ts'

/** Shortest period without activity (ms) that counts as idle. */
export const idleMsMin = 10_000
const partCount = 160

/** Returns a recording's activity and idle periods. `active` lists the times of activity (ms since the start), ascending. */
export function outlineOf(active: readonly number[], end: number): Pick<Outline, 'activity' | 'idle'> {
  const counts = Array.from({ length: partCount }, () => 0)
  const idle: TimeRange[] = []
  let last = 0
  for (const at of [...active, end]) {
    if (at - last >= idleMsMin) idle.push({ from: last, to: at })
    last = Math.max(last, at)
  }
  for (const at of active) {
    const part = Math.min(partCount - 1, Math.max(0, Math.floor((at / Math.max(end, 1)) * partCount)))
    counts[part] = (counts[part] ?? 0) + 1
  }
  const most = Math.max(1, ...counts)
  // The square root keeps a burst of mouse moves from flattening everything else.
  return { activity: counts.map((count) => Math.round(Math.sqrt(count / most) * 100) / 100), idle }
}
