import { expect, test } from 'vitest'
import {
  EventType,
  IncrementalSource,
  MouseInteractions,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import { cutScenes } from '../../../replay/scenes.ts'
import { lanesOf } from './lanes.ts'

const start = 1_000

function event(window: string, at: number, type: number, data: Record<string, unknown> = {}): WindowEvent {
  return { window, event: { type, timestamp: start + at, data } }
}

function click(window: string, at: number): WindowEvent {
  const data = { source: IncrementalSource.MouseInteraction, type: MouseInteractions.Click }
  return event(window, at, EventType.IncrementalSnapshot, data)
}

test('says when each window was open, and when the visitor used it', () => {
  const events = [
    event('a', 0, EventType.FullSnapshot),
    event('b', 40, EventType.FullSnapshot),
    click('a', 60),
    click('b', 90),
  ]
  expect(lanesOf(events, cutScenes(events, start), { start, end: start + 100 })).toEqual([
    {
      open: { from: 0, to: 60 },
      used: [
        { from: 0, to: 40 },
        { from: 60, to: 90 },
      ],
    },
    {
      open: { from: 40, to: 90 },
      used: [
        { from: 40, to: 60 },
        { from: 90, to: 100 },
      ],
    },
  ])
})
