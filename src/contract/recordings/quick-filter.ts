import { z } from 'zod'
import type { PropertyFilter } from './recording-filter.ts'

/** A filter of the list that one click turns on: dates, which replace other dates, or a property of the recordings. */
type QuickFilter = { dates: { date_from: string; date_to: string } } | { property: PropertyFilter }

function property(key: string, value: string | number | boolean, operator: 'exact' | 'gte' = 'exact') {
  return { property: { type: 'recording', key, operator, value } } satisfies QuickFilter
}

/** Seconds of activity from which a recording counts as long. */
const longSeconds = 300

/** The list's quick filters, in their order. */
export const quickFilters = {
  yesterday: { dates: { date_from: '-1dStart', date_to: '-1dEnd' } },
  errors: property('console_error_count', 1, 'gte'),
  failed_requests: property('failed_request_count', 1, 'gte'),
  rage_clicks: property('rage_click_count', 1, 'gte'),
  left_form: property('left_form', true),
  unwatched: property('viewed', false),
  long: property('active_seconds', longSeconds, 'gte'),
  mobile: property('device', 'mobile'),
  live: property('ongoing', true),
} satisfies Record<string, QuickFilter>

export type QuickFilterName = keyof typeof quickFilters
export const quickFilterNames = Object.keys(quickFilters) as QuickFilterName[]

/** Recordings that match a quick filter and the others; the count is estimated from a sample above 10,000. */
export const QuickCounts = z.record(
  z.enum(quickFilterNames),
  z.object({ count: z.int(), count_is_estimate: z.boolean() }),
)
export type QuickCounts = z.infer<typeof QuickCounts>
