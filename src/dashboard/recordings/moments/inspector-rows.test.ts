import { expect, test } from 'vitest'
import type { NetworkRequest } from '../../../replay/recorded/network-request.ts'
import type { RecordingEvent } from '../../../contract/recordings/session-recording.ts'
import type { Mark } from '../player/player-messages.ts'
import { inspectorRows, rowAt, selectRows } from './inspector-rows.ts'

const start = Date.UTC(2026, 0, 1)

function captured(
  second: number,
  event: string,
  properties: Record<string, unknown> = {},
  elements_chain = '',
): RecordingEvent {
  const timestamp = new Date(start + second * 1000).toISOString()
  return { uuid: `${second}`, event, timestamp, properties, elements_chain }
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
    [0, 'Went to /lamps'],
    [500, 'hello'],
    [2_000, 'Clicked “Buy”'],
    [2_500, 'It broke'],
    [3_000, 'Error: TypeError: no lamp'],
    [4_000, 'Failed: POST /cart 500'],
    [5_000, 'order placed'],
  ])
})

test("names an app's screen", () => {
  const [screen] = inspectorRows([captured(0, '$screen', { $screen_name: 'Lamps' })], [], start)
  expect([screen?.symbol, screen?.text]).toEqual(['→', 'Went to Lamps'])
})

test('says what the visitor did, and never what they typed', () => {
  const words = (...[event, properties, chain]: [string, Record<string, unknown>?, string?]) =>
    inspectorRows([captured(0, event, properties, chain)], [], start)[0]?.text
  expect(words('$pageview', { title: 'Cart – Lumen & Loom', $pathname: '/cart' })).toBe('Went to Cart')
  const field = 'input:attr__name="code"attr__value="SECRET"nth-child="1";label:text="Coupon";form:text="no"'
  expect(words('$autocapture', { $event_type: 'change' }, field)).toBe('Typed in Coupon')
  expect(words('$autocapture', { $event_type: 'change' }, 'select:attr__name="sort"')).toBe('Chose in sort')
  expect(words('$autocapture', { $event_type: 'submit' }, 'form:attr__id="buy"')).toBe('Submitted the form')
  expect(words('$autocapture', { $event_type: 'click' }, 'button:nth-child="1"')).toBe('Clicked a button')
  expect(words('$rageclick', { $el_text: 'Redeem' })).toBe('Clicked “Redeem” again and again')
  expect(words('$web_vitals')).toBeUndefined()
})

test('shows recorded pages and clicks where no events were captured', () => {
  const clicks: Mark[] = [
    { kind: 'page', at: 0, text: '/lamps', detail: '' },
    { kind: 'click', at: 700, text: 'Click', detail: '' },
  ]
  expect(inspectorRows([], clicks, start).map(({ text }) => text)).toEqual(['Went to /lamps', 'Clicked'])
})

test('folds requests that succeeded, with those of posthog-js behind them, but none that failed', () => {
  const request = (at: number, path: string, kind: Mark['kind'] = 'request'): Mark => {
    const url = `https://shop.example${path}`
    return { kind, at, text: `GET ${path}`, detail: url, request: { url } as NetworkRequest }
  }
  const folded = (...requests: Mark[]) => selectRows(inspectorRows([], requests, start), 'all', '')
  const [group, ...others] = folded(request(1, '/flags/'), request(2, '/a'), request(3, '/b'))
  expect([group?.text, group?.detail, others]).toEqual([
    '2 requests succeeded',
    '0:00  GET /flags/\n0:00  GET /a\n0:00  GET /b',
    [],
  ])
  const texts = folded(request(1, '/a'), request(2, '/b', 'failed request'), request(3, '/e/'))
  expect(texts.map(({ text }) => text)).toEqual(['GET /a', 'Failed: GET /b'])
})

test('filters by kind, by errors of every kind, and by a search text', () => {
  const texts = (...[filter, search]: [Parameters<typeof selectRows>[1], string]) =>
    selectRows(rows, filter, search).map(({ text }) => text)
  expect(texts('console', '')).toEqual(['hello', 'It broke'])
  expect(texts('network', '')).toEqual(['Failed: POST /cart 500'])
  expect(texts('errors', '')).toEqual(['It broke', 'Error: TypeError: no lamp', 'Failed: POST /cart 500'])
  expect(texts('events', '')).toHaveLength(4)
  expect(texts('all', ' LAMP.js ')).toEqual(['It broke'])
  expect(texts('events', 'hello')).toEqual([])
})

test('finds the latest row at any time', () => {
  expect([-1, 0, 2_499, 2_500, 9_999].map((at) => rowAt(rows, at))).toEqual([-1, 0, 2, 3, 6])
  expect([-1, 5, 9].map((at) => rowAt([{ at: 7 }, { at: 0 }, { at: 4 }], at))).toEqual([-1, 2, 0])
})
