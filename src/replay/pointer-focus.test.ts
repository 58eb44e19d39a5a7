import { expect, test } from 'vitest'
import { EventType, IncrementalSource, MouseInteractions } from './recorded/rrweb.ts'
import { markPointerFocus } from './pointer-focus.ts'

const { Focus, MouseDown, MouseUp, Click } = MouseInteractions

test('distinguishes focus by a press from focus by the keyboard, in each window', () => {
  const interaction = (window: string, timestamp: number, type: number) => {
    const data: Record<string, unknown> = { source: IncrementalSource.MouseInteraction, type, id: 1 }
    return { window, event: { type: EventType.IncrementalSnapshot, timestamp, data } }
  }
  const events = [
    interaction('a', 0, Focus),
    interaction('a', 1000, MouseDown),
    interaction('a', 1002, Focus),
    interaction('b', 1003, Focus),
    interaction('a', 5000, Focus),
    // A key clicks a button, which moves the focus.
    interaction('a', 6000, Click),
    interaction('a', 6001, Focus),
    interaction('a', 7000, MouseUp),
    interaction('a', 7000, Click),
    interaction('a', 7002, Focus),
  ]
  markPointerFocus(events)
  const focuses = events.filter(({ event }) => event.data['type'] === Focus)
  expect(focuses.map(({ event }) => event.data['isByPointer'])).toEqual([
    false,
    true,
    false,
    false,
    false,
    true,
  ])
})
