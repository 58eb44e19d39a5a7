import type { WindowEvent } from '../../../replay/recorded/rrweb.ts'
import type { SceneCut } from '../../../replay/scenes.ts'
import type { Lane, TimeRange } from '../player/player-messages.ts'

/** Returns a lane for each window, in the order of their first events. `start` and `end` are in ms since the epoch. */
export function lanesOf(
  events: readonly WindowEvent[],
  cuts: readonly SceneCut[],
  { start, end }: { start: number; end: number },
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
