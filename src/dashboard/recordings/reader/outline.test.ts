import { expect, test } from 'vitest'
import {
  EventType,
  IncrementalSource,
  MouseInteractions,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import { cutScenes } from '../../../replay/scenes.ts'
import { activityOf, idleMsMin, lackingStates, lanesOf } from './outline.ts'

const start = 1_000

function event(window: string, at: number, type: number, data: Record<string, unknown> = {}): WindowEvent {
  return { window, event: { type, timestamp: start + at, data } }
}

function click(window: string, at: number): WindowEvent {
  const data = { source: IncrementalSource.MouseInteraction, type: MouseInteractions.Click }
  return event(window, at, EventType.IncrementalSnapshot, data)
}

function activity(clicks: readonly number[], length: number) {
  const events = clicks.map((at) => click('a', at))
  return activityOf(events, { start, end: start + length })
}

test('reports ten seconds without activity as idle, including at the start and the end', () => {
  const { idle } = activity([15_000, 16_000, 25_999, 60_000], 75_000)
  expect(idle).toEqual([
    { from: 0, to: 15_000 },
    { from: 25_999, to: 60_000 },
    { from: 60_000, to: 75_000 },
  ])
  expect(activity([idleMsMin - 1], idleMsMin).idle).toEqual([])
})

test('divides the activity into equal parts, and scales the busiest to 1', () => {
  const { activity: parts } = activity([0, 1, 2, 3, 159_999], 160_000)
  expect(parts).toHaveLength(160)
  expect([parts[0], parts[1], parts[159]]).toEqual([1, 0, 0.5])
})

test('returns an outline for a recording without duration or activity', () => {
  expect(activity([], 0).activity.every((share) => share === 0)).toBe(true)
  expect(activity([0], 0).activity[0]).toBe(1)
})

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

test('the color scheme is lacking if pages depend on it and the recorder did not report it', () => {
  const reported = event('a', 1, EventType.Custom, {
    tag: 'spool/preferences',
    payload: { scheme: 'dark', contrast: 'no-preference' },
  })
  const invalid = event('a', 1, EventType.Custom, { tag: 'spool/preferences', payload: { scheme: 'red' } })
  expect(lackingStates([invalid], new Set(['scheme']))).toEqual(['scheme'])
  expect(lackingStates([reported], new Set(['scheme', 'contrast']))).toEqual([])
})

test('the contrast is lacking if pages depend on it and nothing reports it; forced colors are never shown', () => {
  const reported = (contrast: string) => [
    event('a', 1, EventType.Custom, { tag: 'spool/preferences', payload: { scheme: 'light', contrast } }),
  ]
  // Links leave it out.
  expect(lackingStates(reported(''), new Set(['contrast']))).toEqual(['contrast'])
  expect(lackingStates([], new Set(['contrast']))).toEqual(['contrast'])
  expect(lackingStates([], new Set())).toEqual([])
  expect(lackingStates(reported('more'), new Set(['contrast']))).toEqual([])
  expect(lackingStates(reported('forced'), new Set(['contrast']))).toEqual(['forcedColors'])
})

test('popovers are lacking if pages have some and the recorder did not report which are open', () => {
  const reported = event('a', 1, EventType.Custom, { tag: 'spool/top-layer', payload: { ids: [] } })
  expect(lackingStates([], new Set(['popovers']))).toEqual(['popovers'])
  expect(lackingStates([reported], new Set(['popovers']))).toEqual([])
})

test('the target is lacking if CSS marks it, an address names one, and the recorder did not report it', () => {
  const page = (href: string) => event('a', 0, EventType.Meta, { href })
  const reported = event('a', 1, EventType.Custom, { tag: 'spool/target', payload: { id: null } })
  const marked = new Set(['target'] as const)
  expect(lackingStates([page('https://shop.example/#lamps')], marked)).toEqual(['target'])
  expect(lackingStates([page('https://shop.example/')], marked)).toEqual([])
  expect(lackingStates([page('https://shop.example/#lamps'), reported], marked)).toEqual([])
})
