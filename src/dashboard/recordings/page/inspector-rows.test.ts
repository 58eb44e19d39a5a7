import { expect, test } from 'vitest'
import type { RecordingEvent } from '../../../contract/session-recording.ts'
import type { Mark } from '../player/player-messages.ts'
import { filterRows, inspectorRows, rowAt } from './inspector-rows.ts'

const start = Date.UTC(2026, 0, 1)

function captured(second: number, event: string, properties: Record<string, unknown> = {}): RecordingEvent {
  const timestamp = new Date(start + second * 1000).toISOString()
  return { uuid: `${second}`, event, timestamp, properties, elements_chain: '' }
}

const marks: Mark[] = [
  { kind: 'page', at: 0, text: '/lamps', detail: '' },
  { kind: 'error', at: 2_500, text: 'It broke', detail: 'at lamp.js:1' },
  { kind: 'log', at: 500, text: 'hello', detail: '' },
  { kind: 'failed request', at: 4_000, text: 'POST /cart 500', detail: '' },
]
const events = [
  captured(0, '$pageview', { $pathname: '/lamps' }),
  captured(2, '$autocapture', { $event_type: 'click', $el_text: 'Buy' }),
  captured(3, '$exception', { $exception_list: [{ type: 'TypeError', value: 'no lamp' }] }),
  captured(5, 'order placed'),
]
const rows = inspectorRows(events, marks, start)

test('merges events, console lines and requests into one list in chronological order', () => {
  expect(rows.map(({ at, text }) => [at, text])).toEqual([
    [0, 'Opens /lamps'],
    [500, 'hello'],
    [2_000, 'Clicks Buy'],
    [2_500, 'It broke'],
    [3_000, 'TypeError: no lamp'],
    [4_000, 'POST /cart 500'],
    [5_000, 'order placed'],
  ])
})

test("names an app's screen", () => {
  const [screen] = inspectorRows([captured(0, '$screen', { $screen_name: 'Lamps' })], [], start)
  expect([screen?.symbol, screen?.text]).toEqual(['→', 'Opens Lamps'])
})

test('filters by kind, by errors of every kind, and by a search text', () => {
  const texts = (...[filter, search]: [Parameters<typeof filterRows>[1], string]) =>
    filterRows(rows, filter, search).map(({ text }) => text)
  expect(texts('console', '')).toEqual(['hello', 'It broke'])
  expect(texts('network', '')).toEqual(['POST /cart 500'])
  expect(texts('errors', '')).toEqual(['It broke', 'TypeError: no lamp', 'POST /cart 500'])
  expect(texts('events', '')).toHaveLength(4)
  expect(texts('all', ' LAMP.js ')).toEqual(['It broke'])
  expect(texts('events', 'hello')).toEqual([])
})

test('finds the latest row at any time', () => {
  expect([-1, 0, 2_499, 2_500, 9_999].map((at) => rowAt(rows, at))).toEqual([-1, 0, 2, 3, 6])
  expect([-1, 5, 9].map((at) => rowAt([{ at: 7 }, { at: 0 }, { at: 4 }], at))).toEqual([-1, 2, 0])
})
