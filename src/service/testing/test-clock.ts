import type { Clock } from '../clock.ts'
import type { Store } from '../store/schema/database.ts'
import { updateRows } from '../store/schema/rows.ts'

export type TestClock = Required<Clock> & { set(iso: string): void; advance(ms: number): void }

/** Returns a clock that only the test moves; the database uses its time too. */
export function testClock(start: number | string): TestClock {
  let time = typeof start === 'string' ? Date.parse(start) : start
  return {
    now: () => time,
    databaseTime: () => time,
    set(iso) {
      time = Date.parse(iso)
    },
    advance(ms) {
      time += ms
    },
  }
}

/** Resets the latest arrival time, for a test whose clock starts before the end of the previous test. */
export async function forgetArrivals(store: Store): Promise<void> {
  await updateRows(store, 'arrival_floor', {}, { at: new Date(0) })
}
