import type { Pool } from 'pg'
import type { Clock } from '../../clock.ts'

const measureDelayMs = 5000
/** Differences (ms) up to this are delays of the measurement, not of a clock. */
const inaccuracyMsMax = 100

type Options = { local?: () => number; delayMs?: number }

/**
 * Returns a clock that follows the database's, so that processes on machines with different clocks agree. Between
 * measurements, time advances by the machine's clock. The caller must stop the clock.
 */
export async function followDatabaseClock(
  pool: Pool,
  { local = Date.now, delayMs = measureDelayMs }: Options = {},
): Promise<Clock & { stop(): Promise<void> }> {
  /** How far (ms) the database's clock is ahead of this machine's. */
  let ahead = 0
  async function measure(): Promise<void> {
    const sent = local()
    const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')
    const received = local()
    const measured = Math.round((rows[0]?.now.getTime() ?? received) - (sent + received) / 2)
    if (Math.abs(measured - ahead) > Math.max(inaccuracyMsMax, Math.abs(received - sent))) ahead = measured
  }
  await measure()
  let measuring: Promise<void> | null = null
  const timer = setInterval(() => {
    // While the database does not answer, the last difference is the best guess.
    measuring ??= measure()
      .catch(() => undefined)
      .finally(() => (measuring = null))
  }, delayMs)
  return {
    now: () => local() + ahead,
    stop() {
      clearInterval(timer)
      return Promise.resolve()
    },
  }
}
