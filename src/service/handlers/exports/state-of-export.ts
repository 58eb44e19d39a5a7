import type { Window } from '../../../contract/interval.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'

type StateFacts = { failing: boolean; running: boolean; hasRun: boolean; next: Window | null }

/** `next` is the export's next window; null if there is none. */
export function stateOfExport(
  row: Pick<BatchExportRow, 'paused' | 'paused_because'>,
  { failing, running, hasRun, next }: StateFacts,
): ExportOverview['state'] {
  if (row.paused) return row.paused_because === null ? 'paused' : 'auto-paused'
  if (failing) return 'failing'
  if (running) return 'running'
  if (!next) return 'ended'
  return hasRun ? 'healthy' : 'waiting'
}
