import { IncrementalSource, MouseInteractions, sourceOf, type WindowEvent } from './recorded/rrweb.ts'

/** Longest time (ms) between a press and the focus that it causes. */
const pointerMsMax = 100
const { Focus, MouseDown, MouseUp, TouchStart, TouchEnd } = MouseInteractions
/** Not Click: keys click buttons, too. */
const presses: ReadonlySet<unknown> = new Set([MouseDown, MouseUp, TouchStart, TouchEnd])

/**
 * Sets `isByPointer` in each focus that a pointer caused, which browsers do not outline. Events are in chronological order.
 */
export function markPointerFocus(events: readonly WindowEvent[]): void {
  const pressedAt = new Map<string, number>()
  for (const { window, event } of events) {
    if (sourceOf(event) !== IncrementalSource.MouseInteraction) continue
    const { data, timestamp } = event
    if (presses.has(data['type'])) pressedAt.set(window, timestamp)
    if (data['type'] === Focus)
      data['isByPointer'] = timestamp - (pressedAt.get(window) ?? -Infinity) <= pointerMsMax
  }
}
