import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MouseInteractions, type RecordedEvent } from '../../../replay/recorded/rrweb.ts'
import { now, recorded, snapshotItem, start, testReplay, type TestReplay } from '../../testing/test-replay.ts'

const minute = 60_000
const hour = 60 * minute
const year = 365 * 24 * hour

let testing: TestReplay
beforeAll(async () => {
  testing = await testReplay()
})
afterAll(() => testing.cleanup())

/** Returns clicks at these times, in milliseconds after now. */
const clicks = (...times: number[]): RecordedEvent[] =>
  times.map((at) => recorded.interaction(now - start + at, MouseInteractions.Click))

type Sent = { sent_at?: string; timestamp?: string; offset?: number }
const iso = (at: number) => new Date(now + at).toISOString()

/** Sends items of one session and returns the times stored, in milliseconds after now. */
async function stored(items: readonly (Sent & { events: readonly unknown[] })[]) {
  const session = randomUUID()
  for (const { events, ...sent } of items)
    await testing.send([{ ...snapshotItem(session, { events: events as RecordedEvent[] }), ...sent }])
  const blocks = await testing.blocks(session)
  const lines = blocks.flatMap((block) => block.split('\n'))
  const events = lines.map((line) => (JSON.parse(line) as [string, RecordedEvent])[1])
  return { recording: await testing.recording(session), times: events.map((event) => event.timestamp - now) }
}

describe('times far in the future are corrected by', () => {
  const events = clicks(year - 4000, year - 1000)
  test.each<[string, Sent]>([
    ['the time of sending', { sent_at: iso(year) }],
    ['the time of capture', { timestamp: iso(year) }],
    ['the time between capture and sending', { offset: 1000 }],
    ['the time of receipt', {}],
    ['the time of receipt, although the capture has another', { timestamp: iso(0) }],
  ])('%s', async (_, sent) => {
    const { recording, times } = await stored([{ events, ...sent }])
    const [first = 0, second = 0] = times
    expect(second - first).toBe(3000)
    expect(second).toBeGreaterThanOrEqual(-1000)
    expect(second).toBeLessThanOrEqual(0)
    expect(recording).toMatchObject({
      recording_duration: 3,
      active_seconds: 3,
      start_time: new Date(now + first),
      end_time: new Date(now + second),
      activity: [now + first, now + second],
    })
  })
})

test('corrects console entries, addresses and compressed events like their recording', async () => {
  const session = randomUUID()
  const late = now - start + year
  const full = { type: 2, timestamp: start + late, data: '\u001f\u008b\0\u0001\ud800', cv: '2024-10' }
  const events = [recorded.page(late, 'https://shop.example/'), full, recorded.log(late, 'error', 'no lamp')]
  await testing.send([{ ...snapshotItem(session, { events }), sent_at: iso(year) }])
  const [block = ''] = await testing.blocks(session)
  const [, line = ''] = block.split('\n')
  expect(JSON.parse(line)).toEqual(['window-1', { ...full, timestamp: now }])
  const { start_url_at } = await testing.recording(session)
  expect(start_url_at).toEqual(new Date(now))
  const [entry] = await testing.consoleEntries(session)
  expect(entry).toMatchObject({ timestamp: '2026-01-05 10:20:30.400', message: 'no lamp' })
})

test('one time far in the future does not move the events around it', async () => {
  for (const sent of [{}, { timestamp: iso(0) }, { sent_at: iso(0) }]) {
    const { times } = await stored([{ events: clicks(-3000, year, -2000), ...sent }])
    expect(times).toEqual([-3000, -2000, -2000])
    const { times: atEnd } = await stored([{ events: clicks(-3000, -2000, year), ...sent }])
    expect(atEnd).toEqual([-3000, -2000, 'sent_at' in sent ? 0 : -2000])
  }
})

test('a slow network does not count as a wrong clock', async () => {
  const { times } = await stored([
    { events: clicks(-9000, -8000), sent_at: iso(-5 * minute) },
    { events: clicks(-7000, -6000), sent_at: iso(0) },
  ])
  expect(times).toEqual([-9000, -8000, -7000, -6000])
})

test('requests that are held up and arrive together keep their times', async () => {
  const { times } = await stored(
    [-3, -2, -1].map((hours) => ({
      events: clicks(hours * hour - 1000, hours * hour),
      sent_at: iso(hours * hour),
    })),
  )
  expect(times).toEqual([-3, -2, -1].flatMap((hours) => [hours * hour - 1000, hours * hour]))
})

test('a clock that is set back and then right again does not change the length of the recording', async () => {
  const { recording } = await stored([
    { events: clicks(-4000), sent_at: iso(0) },
    { events: clicks(-hour - 3000), sent_at: iso(-hour) },
    { events: clicks(-2000), sent_at: iso(0) },
  ])
  expect(recording.recording_duration).toBe(2)
})

test('times in the past are kept, because imports are old', async () => {
  const { times } = await stored([{ events: clicks(-year), sent_at: iso(-year) }])
  expect(times).toEqual([-year])
})

describe('a clock that is set during a recording', () => {
  test.each<[string, number, number]>([
    ['from an hour ahead', hour, 0],
    ['from right to an hour behind', 0, -hour],
    ['from two hours ahead to an hour behind', 2 * hour, -hour],
    ['from right to an hour ahead', 0, hour],
    ['from years ahead', 9 * year, 0],
  ])('%s, between two items, does not change the length of the recording', async (_, before, after) => {
    const { recording, times } = await stored([
      { events: clicks(before - 4000, before - 3000), sent_at: iso(before) },
      { events: clicks(after - 2000, after - 1000), sent_at: iso(after) },
    ])
    expect(recording.recording_duration).toBe(3)
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 1000, 2000, 3000])
  })

  test.each<[string, number[], number[]]>([
    ['goes back', [hour, hour + 1, 2, 3], [1, 2, 2, 3]],
    ['goes back twice', [2 * hour, hour + 1, 2], [2, 2, 2]],
    ['goes back before sending', [hour - 1, hour], [3, 4]],
    ['is wrong for an event', [1, 9 * year, 3], [1, 3, 3]],
    ['was years behind for an event', [1, -9 * year, 3], [1, 3, 3]],
    ['is right, events of 30 s ago come last', [30_000, 1], [30_000, 1]],
  ])('%s, within an item', async (_, given, expected) => {
    const events = clicks(...given.map((at) => at - 5))
    const { times } = await stored([{ events, sent_at: iso(-1) }])
    expect(times).toEqual(expected.map((at) => at - 5).toSorted((a, b) => a - b))
  })
})

test('every valid event among invalid ones and wrong clocks is stored, in order', async () => {
  const bad = fc.constantFrom<unknown>(
    null,
    7,
    'x',
    [],
    {},
    { type: 3, data: {} },
    { type: 3, timestamp: 0, data: {} },
    { type: 3, timestamp: now, data: null },
    { type: 3, timestamp: now, data: 'x' },
    { type: -1, timestamp: now, data: {} },
  )
  const clock = fc.constantFrom(0, 0, 0, hour, 5 * year)
  const item = fc.record({ clock, events: fc.array(fc.option(bad, { nil: 'good' }), { maxLength: 8 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 5 }), async (items) => {
      const session = randomUUID()
      let id = 0
      for (const { clock, events } of items) {
        const given = events.map((event) => {
          const [click] = clicks(clock + (id += 1) - 1000)
          return event === 'good' ? { ...click, data: { id } } : event
        })
        await testing.send([
          { ...snapshotItem(session, { events: given as RecordedEvent[] }), sent_at: iso(clock) },
        ])
      }
      const isGood = items.map(({ events }) => events.map((event) => event === 'good'))
      const first = isGood.findIndex((events) => events.includes(true))
      if (first === -1) return
      const blocks = (await testing.blocks(session)).flatMap((block) => block.split('\n'))
      const stored = blocks.map((line) => (JSON.parse(line) as [string, RecordedEvent])[1])
      const ids = isGood.flat().flatMap((good, index) => (good ? [index + 1] : []))
      expect(stored.map(({ data }) => data)).toEqual(ids.map((id) => ({ id })))
      expect(stored.toSorted((a, b) => a.timestamp - b.timestamp)).toEqual(stored)
      const { recording_duration, dropped_events } = await testing.recording(session)
      expect(recording_duration).toBe(0)
      expect(dropped_events).toBe(
        isGood
          .slice(first)
          .flat()
          .filter((good) => !good).length,
      )
    }),
    { numRuns: 30 },
  )
})

test('impossible clocks of a sender neither move events nor fail the requests of others', async () => {
  const [early, late] = [-4_000_000 * hour, 70_000_000 * hour]
  const impossible: (Sent & { events: readonly unknown[] })[][] = [
    [{ events: clicks(0), offset: 1e300 }],
    [{ events: clicks(0), offset: Number.MAX_VALUE, timestamp: iso(year) }],
    [{ events: clicks(year), sent_at: new Date(early).toISOString() }],
    [
      { events: clicks(0), offset: -1e300 },
      { events: clicks(0), offset: 1e300 },
    ],
    [
      { events: clicks(0), sent_at: new Date(early).toISOString() },
      { events: clicks(0), sent_at: new Date(late).toISOString() },
    ],
  ]
  for (const items of impossible) {
    const { times } = await stored(items)
    expect(times).toHaveLength(items.length)
    for (const time of times) expect(Math.abs(time)).toBeLessThanOrEqual(year)
  }
})
