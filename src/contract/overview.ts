import { z } from 'zod'
import { Model } from './batch-export.ts'
import { decodeStates, type WindowState } from './coverage.ts'
import { Destination } from './destination.ts'
import { Instant } from './instant.ts'
import { endedPeriod, Interval, windowsBetween, type Window } from './interval.ts'

/** How an export does; what needs a person comes first. */
export const exportStates = ['paused', 'failing', 'running', 'ended', 'waiting', 'healthy'] as const

/** How many windows a strip shows. */
export const stripLength = 48

/** One line of the list of exports. */
export const ExportOverview = z.object({
  id: z.string(),
  team_id: z.int(),
  name: z.string(),
  model: Model,
  has_query: z.boolean(),
  /** Of the config only what tells place and form. */
  destination: Destination,
  interval: Interval,
  paused: z.boolean(),
  created_at: Instant,
  last_paused_at: Instant.nullable(),
  state: z.enum(exportStates),
  /** Start of the first of the windows that have failed since the last good one; null unless `state` is or would be failing. */
  failing_since: Instant.nullable(),
  /** The state of each of the last ended windows, oldest first; read it with `decodeStrip`. */
  strip: z.string(),
  missing: z.int(),
  failed: z.int(),
  /** The newest run that a worker is at. */
  running: z
    .object({
      run: z.string(),
      started_at: Instant,
      records_completed: z.int(),
      records_total_count: z.int().nullable(),
    })
    .nullable(),
  /** Records of the completed windows that ended in each of the last 24 hours, the oldest first and the current one last. */
  records_by_hour: z.array(z.int()),
  next_window: z.object({ start: Instant, end: Instant }).nullable(),
})
export type ExportOverview = z.infer<typeof ExportOverview>

/** All exports in reach, newest first; `at` is the service's time, by which the strips and hours end. */
export const Overview = z.object({ at: Instant, results: z.array(ExportOverview) })

/** The windows of an export's strip, oldest first. */
export function decodeStrip(
  { strip, interval }: Pick<ExportOverview, 'strip' | 'interval'>,
  at: string,
): (Window & { state: WindowState })[] {
  const states = decodeStates(strip)
  const { start, end } = endedPeriod(interval, Date.parse(at), states.length)
  return windowsBetween(interval, start, end).map((window, index) => ({
    ...window,
    state: states[index] ?? 'future',
  }))
}
