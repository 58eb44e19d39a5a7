import type { Outline, Stretch } from '../player/player-messages.ts'

/** Milliseconds without anything done that can be skipped. */
export const idleMin = 10_000
const parts = 160

/**
 * Where in the recording somebody did something, and where nobody did. `active` are the moments of it, ascending; all in
 * milliseconds since the start.
 */
export function outlineOf(active: readonly number[], end: number): Pick<Outline, 'activity' | 'idle'> {
  const counts = Array.from({ length: parts }, () => 0)
  const idle: Stretch[] = []
  let last = 0
  for (const at of [...active, end]) {
    if (at - last >= idleMin) idle.push({ from: last, to: at })
    last = Math.max(last, at)
  }
  for (const at of active) {
    const part = Math.min(parts - 1, Math.max(0, Math.floor((at / Math.max(end, 1)) * parts)))
    counts[part] = (counts[part] ?? 0) + 1
  }
  const most = Math.max(1, ...counts)
  // A root, so that a burst of mouse moves does not flatten everything else.
  return { activity: counts.map((count) => Math.round(Math.sqrt(count / most) * 100) / 100), idle }
}
