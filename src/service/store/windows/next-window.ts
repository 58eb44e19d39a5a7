import { sql, type RawBuilder } from 'kysely'
import { intervalLength, intervals, windowOrigin, type Interval } from '../../../contract/interval.ts'

const seconds = (of: (interval: Interval) => number) =>
  sql`CASE interval ${sql.join(
    intervals.map((interval) => sql`WHEN ${sql.lit(interval)} THEN ${sql.lit(of(interval) / 1000)}`),
    sql` `,
  )} END`
/** The length (seconds) of the windows of a row of `batch_exports`, in SQL. */
export const windowSeconds = seconds(intervalLength)
const origin = seconds(windowOrigin)
/** In SQL, the end of the window that contains a time, for a row of `batch_exports`. */
export const windowEndAt = (time: RawBuilder<unknown>): RawBuilder<Date> => sql`to_timestamp((floor(
  (date_part('epoch', ${time}) - ${origin}) / ${windowSeconds}) + 1) * ${windowSeconds} + ${origin})`
const windowEnd = windowEndAt(sql`greatest(scheduled_until, start_at)`)

/** The end of the contract's `nextWindow` at the cursor of a row of `batch_exports`, in SQL; NULL without a window. */
export const nextWindowEnd: RawBuilder<Date | null> = sql`CASE WHEN end_at < ${windowEnd} THEN NULL ELSE ${windowEnd} END`
