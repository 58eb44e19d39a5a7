import { expect, test } from 'vitest'
import {
  consolePlugin,
  EventType,
  IncrementalSource,
  MouseInteractions,
  type RecordedEvent,
} from '../../replay/recorded/rrweb.ts'
import { recorded, start } from '../testing/test-replay.ts'
import { consoleMessage } from './replay-console.ts'
import { visitorWords } from '../../contract/recordings/visitor-name.ts'
import { joinCounts, countEvents, derivedColumns } from './recording-counts.ts'

const by = { distinctId: 'visitor', source: 'web' as const, failedRequests: 0 }

test('counts clicks, keypresses and mouse activity by rrweb type', () => {
  const interactions = Object.values(MouseInteractions).map((type) => recorded.interaction(type, type))
  const others = Object.values(IncrementalSource).map((source) => recorded.source(source, source))
  expect(countEvents(interactions, by)).toMatchObject({ click_count: 4, mouse_activity_count: 11 })
  expect(countEvents(others, by)).toMatchObject({
    click_count: 0,
    keypress_count: 1,
    mouse_activity_count: 3,
  })
})

test('counts console messages by level', () => {
  const levels = ['log', 'info', 'debug', 'trace', 'warn', 'error', 'assert']
  const counts = countEvents(
    levels.map((level, at) => recorded.log(at, level, 'text')),
    by,
  )
  expect(counts).toMatchObject({ console_log_count: 4, console_warn_count: 1, console_error_count: 2 })
})

test("measures duration from the first to the last event, and active time from the visitor's actions", () => {
  const page = [
    recorded.page(0, 'https://shop.example/'),
    recorded.source(20_999, IncrementalSource.Mutation),
  ]
  const visitor = [1000, 4500, 9600, 10_000].map((at) => recorded.source(at, IncrementalSource.Scroll))
  const lengths = derivedColumns(countEvents([...page, ...visitor], by))
  expect(lengths).toMatchObject({ recording_duration: 20, active_seconds: 3.9, inactive_seconds: 16.1 })
  const busy = derivedColumns(
    countEvents(
      [0, 1900].map((at) => recorded.source(at, IncrementalSource.MouseMove)),
      by,
    ),
  )
  expect(busy).toEqual({
    recording_duration: 1,
    active_seconds: 1.9,
    inactive_seconds: 0,
    visitor_words: visitorWords('visitor'),
  })
})

test('counts compressed events by their uncompressed fields', () => {
  const full = { type: EventType.FullSnapshot, timestamp: start, data: '\u001f\u008b', cv: '2024-10' }
  const mutation = {
    type: EventType.IncrementalSnapshot,
    timestamp: start + 1,
    data: { source: IncrementalSource.Mutation, texts: '\u001f' },
    cv: '2024-10',
  }
  const counts = countEvents([full, mutation, recorded.source(2, IncrementalSource.Input)], by)
  expect(counts).toMatchObject({
    keypress_count: 1,
    mouse_activity_count: 0,
    activity: [start + 2, start + 2],
  })
})

test.each<[string, RecordedEvent[], string]>([
  ['taken from the page', [recorded.page(0, 'https://a.example/')], 'https://a.example/'],
  [
    'the earliest',
    [recorded.page(9, 'https://b.example/'), recorded.page(1, 'https://a.example/')],
    'https://a.example/',
  ],
  ['taken from a page view', [recorded.url(0, '$pageview', 'https://a.example/')], 'https://a.example/'],
  ['taken from a URL change', [recorded.url(0, '$url_changed', 'https://a.example/')], 'https://a.example/'],
  ['not taken from other events', [recorded.url(0, '$session_options', 'https://a.example/')], ''],
  [
    'cut to 512 characters',
    [recorded.page(0, `https://a.example/${'x'.repeat(600)}`)],
    `https://a.example/${'x'.repeat(494)}`,
  ],
  ['repaired', [recorded.page(0, 'https://a.example/\0\ud800')], 'https://a.example/\ufffd\ufffd'],
])('start URL is %s', (_, events, url) => {
  expect(countEvents(events, by).start_url).toBe(url)
})

test('uses the distinct id of the earliest part, and the mobile source from any part', () => {
  const late = countEvents([recorded.page(5, 'https://b.example/')], by)
  const early = countEvents([recorded.source(1, IncrementalSource.Mutation)], {
    distinctId: 'first',
    source: 'mobile',
    failedRequests: 2,
  })
  const joined = joinCounts(late, early)
  expect(joined).toMatchObject({
    distinct_id: 'first',
    snapshot_source: 'mobile',
    start_url: 'https://b.example/',
    failed_request_count: 2,
  })
  expect(joinCounts(early, late)).toEqual(joined)
  const uncounted = { ...late, failed_request_count: null }
  expect(joinCounts(uncounted, early).failed_request_count).toBeNull()
})

test('formats messages as the browser console shows them', () => {
  const message = (...parts: unknown[]) => consoleMessage(recorded.log(0, 'error', ...parts))
  expect(message('Cannot load', { code: 7 }, [1], null)).toBe('Cannot load {"code":7} [1] null')
  expect(message('x'.repeat(5000))).toHaveLength(4000)
  const odd = { plugin: consolePlugin, payload: { level: 'log', payload: ['"cut', 7, { a: 1 }] } }
  expect(consoleMessage({ type: EventType.Plugin, timestamp: start, data: odd })).toBe('"cut 7 {"a":1}')
  expect(consoleMessage({ type: EventType.Plugin, timestamp: start, data: { plugin: consolePlugin } })).toBe(
    '',
  )
})
