import { isActive, pageAddress, type WindowEvent } from '../../../replay/recorded/rrweb.ts'
import { readState, type StateTag } from '../../../replay/recorded/page-state.ts'
import type { SceneCut } from '../../../replay/scenes.ts'
import type { KnownRecording, LackingState, Lane, Outline, TimeRange } from '../player/player-messages.ts'

/** Shortest period without activity (ms) that counts as idle. */
export const idleMsMin = 10_000
const partCount = 160

type Times = Pick<KnownRecording, 'start' | 'end'>

/** Returns a recording's activity and idle periods. */
export function activityOf(
  events: readonly WindowEvent[],
  { start, end }: Times,
): Pick<Outline, 'activity' | 'idle'> {
  const active = events.filter(({ event }) => isActive(event)).map(({ event }) => event.timestamp - start)
  const length = end - start
  const counts = Array.from({ length: partCount }, () => 0)
  const idle: TimeRange[] = []
  let last = 0
  for (const at of [...active, length]) {
    if (at - last >= idleMsMin) idle.push({ from: last, to: at })
    last = Math.max(last, at)
  }
  for (const at of active) {
    const part = Math.min(partCount - 1, Math.max(0, Math.floor((at / Math.max(length, 1)) * partCount)))
    counts[part] = (counts[part] ?? 0) + 1
  }
  const most = Math.max(1, ...counts)
  // The square root keeps a burst of mouse moves from flattening everything else.
  return { activity: counts.map((count) => Math.round(Math.sqrt(count / most) * 100) / 100), idle }
}

/** Returns a lane for each window, in the order of their first events. */
export function lanesOf(
  events: readonly WindowEvent[],
  cuts: readonly SceneCut[],
  { start, end }: Times,
): Lane[] {
  const open = new Map<string, TimeRange>()
  for (const { window, event } of events) {
    const at = event.timestamp - start
    const known = open.get(window)
    if (known) known.to = at
    else open.set(window, { from: at, to: at })
  }
  return [...open].map(([window, range]) => ({
    open: range,
    used: cuts.flatMap((cut, index) =>
      cut.window === window ? { from: cut.at - start, to: (cuts[index + 1]?.at ?? end) - start } : [],
    ),
  }))
}

/** Returns what a recording lacks of the states on which its pages depend (`uses`). */
export function lackingStates(
  events: readonly WindowEvent[],
  uses: ReadonlySet<LackingState>,
): LackingState[] {
  const reported = events.flatMap(({ event }) => readState(event) ?? [])
  const isReported = (tag: StateTag) => reported.some((state) => state.tag === tag)
  const contrasts = reported.flatMap(({ tag, payload }) =>
    tag === 'spool/preferences' ? (payload?.contrast ?? []) : [],
  )
  const lacking: Record<LackingState, boolean> = {
    scheme: uses.has('scheme') && !isReported('spool/preferences'),
    contrast: uses.has('contrast') && contrasts.length === 0,
    forcedColors: contrasts.includes('forced'),
    popovers: uses.has('popovers') && !isReported('spool/top-layer'),
    target:
      uses.has('target') &&
      !isReported('spool/target') &&
      events.some(({ event }) => pageAddress(event).includes('#')),
  }
  return (Object.keys(lacking) as LackingState[]).filter((state) => lacking[state])
}
