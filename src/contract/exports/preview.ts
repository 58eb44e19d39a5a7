import { z } from 'zod'
import { Model } from './batch-export.ts'
import { EventNames } from '../event-names.ts'
import { Instant } from '../datetime.ts'
import { Interval } from '../interval-schema.ts'

const events = EventNames.nullable().optional()

export const PreviewInput = z.object({
  model: Model,
  interval: Interval,
  hogql_query: z.string().nullable().optional(),
  include_events: events,
  exclude_events: events,
})

/** Sample rows of an export: values as in its JSONLines; types are ClickHouse's names, or JSON for JSON text. */
export const Preview = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  /** At most five rows, values in the order of `columns`; from the last ended interval, or from earlier days if that is empty. */
  rows: z.array(z.array(z.unknown())),
  /** null when counting would take too long. */
  rows_in_last_interval: z.int().nullable(),
  interval_start: Instant,
  interval_end: Instant,
})
