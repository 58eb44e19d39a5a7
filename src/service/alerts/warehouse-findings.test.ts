import { afterAll, beforeAll, expect, test } from 'vitest'
import { testJobs, type TestJobs } from '../testing/test-jobs.ts'
import type { Finding } from './incident-changes.ts'
import { findErrors, findSilent } from './warehouse-findings.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 2, 10, 12)

let jobs: TestJobs
beforeAll(async () => {
  jobs = await testJobs(now)
})
afterAll(() => jobs.cleanup())

/** Tests of a process share ClickHouse. */
const own = (findings: readonly Finding[]) => findings.filter(({ projectId }) => projectId === jobs.projectId)

test('a project is silent an hour after its longest pause, until the next event', async () => {
  // Every hour for two days, with a pause of nine hours.
  const hours = Array.from({ length: 40 }, (_, index) => 60 - index).filter((ago) => ago > 40 || ago < 33)
  await jobs.insertEvents(hours.map((ago) => ({ timestamp: now - ago * hour })))
  const last = now - Math.min(...hours) * hour
  const found = async (at: number, silent = new Map<number, number>()) =>
    own(await findSilent(jobs.services, at, silent)).map(({ opens }) => opens)
  expect(await found(last + 10 * hour)).toEqual([])
  expect(await found(last + 11 * hour)).toEqual([true])
  const month = now + 30 * 24 * hour
  expect(await found(month)).toEqual([])
  expect(await found(month, new Map([[jobs.projectId, now]]))).toEqual([false])
  await jobs.insertEvents([{ timestamp: month - hour / 2 }])
  expect(await found(month, new Map([[jobs.projectId, now]]))).toEqual([])
})

const throwIn = (message: string, session: string, ago: number) => ({
  event: '$exception',
  timestamp: now - ago * hour,
  properties: JSON.stringify({
    $session_id: session,
    $exception_list: [{ type: 'Error', value: message }],
  }),
})

test('a kind of error is found when it is new or grows in several sessions, unless it is ignored', async () => {
  await jobs.insertEvents([
    throwIn('old and rare', 'a', 200),
    ...['a', 'b', 'c'].map((session) => throwIn('cart is broken', session, 2)),
    throwIn('seen once', 'a', 2),
  ])
  const found = own(await findErrors(jobs.services, now, []))
  expect(found.map(({ detail, opens }) => [detail, opens])).toEqual([
    [expect.stringMatching(/^New error, 3 times in 24 hours: .*cart is broken/), true],
  ])
  const cluster = Number(found[0]?.cause)
  const kept = own(await findErrors(jobs.services, now + 24 * hour - 3 * hour, [cluster]))
  expect(kept.map(({ cause }) => cause)).toEqual([String(cluster)])
  await jobs.services.store
    .insertInto('triage')
    .columns(['project_id', 'organization_id', 'kind', 'key', 'state'])
    .expression((select) =>
      select
        .selectFrom('projects')
        .select(({ val }) => [
          'id',
          'organization_id',
          val('error').as('kind'),
          val(String(cluster)).as('key'),
          val('ignored').as('state'),
        ])
        .where('id', '=', jobs.projectId),
    )
    .execute()
  expect(own(await findErrors(jobs.services, now, []))).toEqual([])
})

test('the text of an error, which may contain NUL, can be stored', async () => {
  await jobs.insertEvents([
    throwIn('old and rare', 'a', 200),
    ...['a', 'b', 'c'].map((session) => throwIn('list is \0 broken', session, 2)),
  ])
  const found = own(await findErrors(jobs.services, now, []))
  expect(found.map(({ detail }) => detail)).toContainEqual(expect.stringContaining('list is \ufffd broken'))
})
