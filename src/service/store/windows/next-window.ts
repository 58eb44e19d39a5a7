import { sql, type RawBuilder } from 'kysely'
import { intervalLength, intervals, windowOrigin, type Interval } from '../../../contract/interval.ts'

const seconds = (of: (interval: Interval) => number) =>
  sql`CASE interval ${sql.join(
    intervals.map((interval) => sql`WHEN ${sql.lit(interval)} THEN ${sql.lit(of(interval) / 1000)}`),
    sql` `,
  )} END`
const length = seconds(intervalLength)
const origin = seconds(windowOrigin)
const windowEnd = sql`to_timestamp((floor(
  (extract(epoch FROM greatest(scheduled_until, start_at)) - ${origin}) / ${length}) + 1) * ${length} + ${origin})`

/** The end of the contract's `nextWindow` at the cursor of a row of `batch_exports`, in SQL; NULL without a window. */
export const nextWindowEnd: RawBuilder<Date | null> = sql`CASE WHEN end_at < ${windowEnd} THEN NULL ELSE ${windowEnd} END`
