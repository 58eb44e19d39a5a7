import { expect, test } from 'vitest'
import { EventType, IncrementalSource, MouseInteractions } from '../../../replay/recorded/rrweb.ts'
import { markPointerFocus } from './read-lines.ts'

const { Focus, MouseDown } = MouseInteractions

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
  ]
  markPointerFocus(events)
  expect(events.map(({ event }) => event.data['isByPointer'])).toEqual([false, undefined, true, false, false])
})
