import { Backfill } from '../../../contract/runs/batch-export-run.ts'
import { backfillCan } from '../../../contract/runs/run-status.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { stopBackfill } from '../../runs/backfill.ts'
import { finishedRuns, pageOfBackfills, type BackfillRow } from '../../store/runs/backfills-list.ts'
import { readCursor, showCursorPage } from '../cursor-page.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

export const listBackfills: Handler<'listBackfills'> = async ({ services, batchExport, query, link }) => {
  const position = readCursor(query.cursor)
  const page = await pageOfBackfills(services.store, batchExport.id, position)
  const finished = await finishedRuns(services.store, page?.rows.map((row) => row.id) ?? [])
  return showCursorPage(page, link, (row) => showBackfill(row, finished.get(row.id) ?? 0))
}

export const getBackfill: Handler<'getBackfill'> = async ({ services, backfill }) => {
  const finished = await finishedRuns(services.store, [backfill.id])
  return showBackfill(backfill, finished.get(backfill.id) ?? 0)
}

export const cancelBackfill: Handler<'cancelBackfill'> = async ({ services, caller, backfill }) => {
  const reason = backfillCan.cancel(backfill, caller.scopes)
  if (reason !== null) throw invalidInput(reason)
  await stopBackfill(services, backfill)
  return { cancelled: true }
}

function showBackfill(row: BackfillRow, finished: number): Backfill {
  const total = row.total_runs
  const progress = {
    total_runs: total,
    finished_runs: finished,
    progress: total === 0 ? 1 : finished / total,
  }
  return shownAs(Backfill, { ...row, progress, batch_export: row.batch_export_id })
}
