import { expect, test } from 'vitest'
import { gapInWords, lossesOf, missingAssets } from './losses.ts'
import { neverRecorded } from './losses-list.tsx'
import type { Outline } from './player-messages.ts'

const outline: Outline = {
  activity: [],
  idle: [],
  gaps: [],
  unrecordedCanvases: 0,
  lackingStates: [],
  isMasked: false,
  end: 60_000,
  lanes: [],
  incompleteRules: 0,
}
const whole = { outline, unreadable: 0, droppedEvents: 0, missing: '', missingReasons: [] }

test('a whole recording lacks nothing', () => {
  expect(lossesOf(whole)).toEqual([])
  expect(lossesOf({ ...whole, droppedEvents: null })).toEqual([])
})

test('lists gaps with their times, then events that were dropped or cannot be read', () => {
  const gap = { kind: 'beginning', window: 0, from: 0, to: 12_000 } as const
  const lost = {
    outline: { ...outline, gaps: [gap] },
    unreadable: 1,
    droppedEvents: 1_200,
    missing: '3 images',
    missingReasons: [
      { reason: 'The server answered with status 404.', count: 2 },
      { reason: 'The file is damaged.', count: 1 },
    ],
  }
  expect(lossesOf(lost)).toEqual([
    { text: 'The first 12 s is missing.', at: 0 },
    { text: '1,200 events arrived damaged and could not be stored.' },
    { text: '1 event could not be read.' },
    {
      text: '3 images not available. The server answered with status 404 (2 files). The file is damaged.',
    },
  ])
})

test('counts missing files by kind, once none is being fetched', () => {
  const missing = { image: 3, font: 1, stylesheet: 0 }
  expect(missingAssets({ missing, pendingAssets: 0 })).toBe('3 images, 1 font')
  for (const pendingAssets of [null, 2]) expect(missingAssets({ missing, pendingAssets })).toBe('')
})

test('counts canvases that were not recorded', () => {
  expect(lossesOf({ ...whole, outline: { ...outline, unrecordedCanvases: 2 } })).toEqual([
    {
      text: '2 canvases were not recorded. The recording settings turn the recording of canvases on; a WebGL canvas created before the recorder started can stay blank.',
    },
  ])
})

test('names the states of the page that are unknown or not shown', () => {
  expect(
    lossesOf({ ...whole, outline: { ...outline, lackingStates: ['scheme', 'contrast', 'forcedColors'] } }),
  ).toEqual([
    { text: expect.stringContaining('color scheme is unknown') },
    { text: expect.stringContaining('contrast setting is unknown') },
    { text: expect.stringContaining('forced colors') },
  ])
})

test('counts style rules that lack values', () => {
  expect(lossesOf({ ...whole, outline: { ...outline, incompleteRules: 1 } })).toEqual([
    {
      text: '1 style rule lacks values, such as a padding: browsers do not report all parts of a CSS shorthand that uses a variable.',
    },
  ])
})

test('says that text is masked, and what recorders cannot see', () => {
  expect(neverRecorded({ ...outline, isMasked: true })).toMatch(
    /^Text that the visitor entered is masked\. Recorders cannot see closed shadow roots, custom highlights/,
  )
  expect(neverRecorded(outline)).not.toContain('masked')
})

test.each([
  ['beginning', 0, 12_300, 'The first 12 s is missing.'],
  ['beginning', 0, 240_000, 'The first 4 min is missing.'],
  ['window', 40_000, 41_100, 'The first 1 s of window 2 is missing.'],
  ['page', 40_000, 52_000, 'The page that opened at 0:40 is missing until 0:52.'],
  ['changes', 40_000, 83_000, 'Changes of the page are missing: it may have looked different until 1:23.'],
  ['paused', 0, 119_000, 'The site paused the recording for 119 s.'],
  ['data', 30_000, 60_000, '30 s of data is missing: it was deleted or damaged.'],
  ['silence', 30_000, 60_000, 'Nothing was recorded for 30 s, although the visitor was active.'],
  [
    'picture',
    0,
    1_000,
    'The recording shows no page: it contains only console messages, requests or addresses.',
  ],
] as const)('names a gap of the kind %s from %i to %i', (kind, from, to, sentence) => {
  expect(gapInWords({ kind, window: 2, from, to })).toBe(sentence)
})
