import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEngines, type TestEngines } from '../../testing/test-engines.ts'
import { followDatabaseClock } from './database-clock.ts'

let engines: TestEngines
beforeAll(async () => {
  engines = await testEngines()
})
afterAll(() => engines.cleanup())

test('the clock shows the time of the database, however far the machine is off, also after a jump', async () => {
  const { pool } = engines.postgres
  // The test's PostgreSQL runs on this machine, so Date.now shows its time.
  let skew = -20 * 60_000
  const clock = await followDatabaseClock(pool, { local: () => Date.now() + skew, delayMs: 20 })
  const difference = () => Math.abs(clock.now() - Date.now())
  expect(difference()).toBeLessThan(60_000)
  skew = 3 * 3_600_000
  await expect.poll(difference).toBeLessThan(60_000)
  await clock.stop()
})

test('on the machine of the database, the clock shows exactly what the machine shows', async () => {
  let now = Date.now()
  const clock = await followDatabaseClock(engines.postgres.pool, { local: () => (now = Date.now()) })
  expect(clock.now()).toBe(now)
  await clock.stop()
})
