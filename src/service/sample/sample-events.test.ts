import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { personIdOf } from '../capture/persons/person-id.ts'
import { testEngines, type TestEngines } from '../testing/test-engines.ts'
import { createTables } from '../warehouse/tables.ts'
import { insertSampleEvents } from './sample-events.ts'

/** A Wednesday afternoon, so the last day is incomplete. */
const anchor = Date.UTC(2026, 5, 17, 15, 42, 10)
const project = 1
let engines: TestEngines

beforeAll(async () => {
  engines = await testEngines()
  await createTables(engines.warehouse)
  await insertSampleEvents(engines.warehouse, { project, anchor })
})

afterAll(() => engines.cleanup())

describe('the sample events', () => {
  test('number about 200,000 and cover the last 30 days up to now', async () => {
    const [row] = await query(`SELECT count() AS events, uniqExact(uuid) AS uuids, min(timestamp) AS first,
      toUnixTimestamp64Milli(max(timestamp)) AS last, toUnixTimestamp64Milli(max(inserted_at)) AS arrived FROM events`)
    expect(Number(row?.['events'])).toBeGreaterThan(180_000)
    expect(Number(row?.['events'])).toBeLessThan(220_000)
    expect(row?.['uuids']).toBe(row?.['events'])
    expect(row?.['first']).toMatch(/^2026-05-19 0/)
    expect(Number(row?.['arrived'])).toBeLessThanOrEqual(anchor)
    expect(Number(row?.['last'])).toBeGreaterThan(anchor - 120_000)
  })

  test(
    'are identical for the same anchor, so that a repeated installation adds none',
    { tags: ['slow'] },
    async () => {
      const before = await query('SELECT count() AS events FROM events FINAL')
      await insertSampleEvents(engines.warehouse, { project, anchor })
      expect(await query('SELECT count() AS events FROM events FINAL')).toEqual(before)
      await engines.warehouse.command('OPTIMIZE TABLE events FINAL')
    },
  )

  test('follow a daily and weekly rhythm and grow from week to week', async () => {
    const hours = await counts('toHour(timestamp)')
    expect(Math.max(...hours.slice(1, 5)) * 8).toBeLessThan(Math.min(...hours.slice(18, 21)))
    const whole = "WHERE toDate(timestamp) < '2026-06-17'"
    const weekdays = await query(
      `SELECT toDayOfWeek(timestamp) > 5 AS weekend, count() / uniqExact(toDate(timestamp)) AS n FROM events ${whole} GROUP BY weekend ORDER BY weekend`,
    )
    expect(Number(weekdays[1]?.['n'])).toBeGreaterThan(1.15 * Number(weekdays[0]?.['n']))
    const weeks = await query(
      `SELECT dateDiff('day', toDate('2026-05-19'), toDate(timestamp)) < 14 AS early, count() AS n FROM events
       WHERE dateDiff('day', toDate('2026-05-19'), toDate(timestamp)) < 28 GROUP BY early ORDER BY early`,
    )
    expect(Number(weeks[0]?.['n'])).toBeGreaterThan(1.05 * Number(weeks[1]?.['n']))
  })

  test('form a funnel from page view to order', async () => {
    const rows = await query('SELECT event, count() AS n FROM events GROUP BY event')
    const n = (event: string) => Number(rows.find((row) => row['event'] === event)?.['n'] ?? 0)
    const funnel = ['$pageview', 'product viewed', 'added to cart', 'checkout started', 'order placed']
    expect(funnel.map(n)).toEqual(funnel.map(n).toSorted((left, right) => right - left))
    expect(n('order placed')).toBeGreaterThan(1500)
    for (const event of ['$autocapture', '$pageleave', 'search', 'newsletter signup']) {
      expect(n(event)).toBeGreaterThan(500)
    }
    expect(n('$exception')).toBeGreaterThan(100)
  })

  test('have valid JSON, one visitor per session, and the person ids that capture assigns', async () => {
    const [row] =
      await query(`SELECT countIf(NOT isValidJSON(properties) OR NOT isValidJSON(person_properties)) AS bad,
      uniqExact(JSONExtractString(properties, '$session_id')) AS visits,
      uniqExact(JSONExtractString(properties, '$session_id'), distinct_id) AS visitors FROM events`)
    expect(row?.['bad']).toBe(0)
    expect(row?.['visits']).toBe(row?.['visitors'])
    const some = await query(
      'SELECT DISTINCT distinct_id, toString(person_id) AS person FROM events LIMIT 500',
    )
    for (const { distinct_id, person } of some) expect(person).toBe(personIdOf(project, String(distinct_id)))
  })
})

async function counts(key: string): Promise<number[]> {
  const rows = await query(`SELECT ${key} AS key, count() AS n FROM events GROUP BY key ORDER BY key`)
  return rows.map((row) => Number(row['n']))
}

function query(sql: string) {
  return engines.warehouse.query<Record<string, unknown>>(sql)
}
