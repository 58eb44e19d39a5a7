import { z } from 'zod'
import { BatchExport } from './batch-export.ts'
import { ledgerFlags } from '../runs/ledger-flags.ts'
import { decodeStates, type WindowState } from '../runs/window-state.ts'
import { Destination } from '../destinations/destination.ts'
import { exportStates } from './export-rules.ts'
import { Instant } from '../datetime.ts'
import { endedPeriod, windowsBetween, type Window } from '../interval.ts'

/** Number of windows in a strip. */
export const stripLength = 48

/** One row of the list of exports. */
export const ExportOverview = BatchExport.omit({
  last_updated_at: true,
  start_at: true,
  end_at: true,
  latest_runs: true,
  hogql_query: true,
  schema: true,
  applied: true,
}).extend({
  has_query: z.boolean(),
  /** The config contains only location and file format. */
  destination: Destination,
  state: z.enum(exportStates),
  /** Start of the first failed window since the last completed one; null if no window has failed since. */
  failing_since: Instant.nullable(),
  /** States of the most recently ended windows, oldest first; read it with `decodeStrip`. */
  strip: z.string(),
  missing: z.int(),
  failed: z.int(),
  /** Windows of the strip whose ledger entry is flagged, oldest first; flags that compare with other weeks are left out. */
  flagged: z.array(z.object({ start: Instant, flags: z.array(z.enum(ledgerFlags)) })),
  /** The newest run that a worker is executing. */
  running: z
    .object({
      run: z.string(),
      started_at: Instant,
      records_completed: z.int(),
      records_total_count: z.int().nullable(),
    })
    .nullable(),
  /** Records of the windows completed in each of the last 24 hours, by the window's end; the current hour comes last. */
  records_by_hour: z.array(z.int()),
  next_window: z.object({ start: Instant, end: Instant }).nullable(),
  /** The export was applied from a file, and its settings differ since. */
  changed_since_apply: z.literal(true).optional(),
})
export type ExportOverview = z.infer<typeof ExportOverview>

/** All exports that the key can access, newest first; strips and hours end at `at`, the service's time. */
export const Overview = z.object({
  at: Instant,
  /** Open incidents, and when an incident last changed: a client that polls the overview need not poll the incidents. */
  incidents: z.object({ open: z.int(), changed_at: Instant.nullable() }),
  results: z.array(ExportOverview),
})

/** Returns the windows of an export's strip, oldest first. */
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
