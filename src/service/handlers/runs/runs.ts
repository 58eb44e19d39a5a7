import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { runCan } from '../../../contract/runs/run-status.ts'
import { conflict, invalidInput, notFound } from '../../problems/api-error.ts'
import { stopRun } from '../../runs/stop-runs.ts'
import { createRetry } from '../../runs/retry.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { pageOfRuns, type RunRow } from '../../store/runs/runs-list.ts'
import { readCursor, showCursorPage } from '../cursor-page.ts'
import type { Handler } from '../handler.ts'
import { readInstant } from '../given-times.ts'
import { queryOf } from '../ledger/show-ledger.ts'
import { showRun } from './show-run.ts'
import type { Services } from '../../services.ts'
import { findRow } from '../../store/schema/rows.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { exportedFilePath, findExportedFile } from '../../exporter/exported-file.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { assetExpiry } from '../../recordings/assets/asset-path.ts'
import { fileFactsOfRun } from '../../store/runs/run-files.ts'

export const listRuns: Handler<'listRuns'> = async ({ services, batchExport, query, link }) => {
  const { ordering } = query
  const filter = {
    statuses: query.status,
    after: readInstant(query.after),
    before: readInstant(query.before),
    start: readInstant(query.start),
    end: readInstant(query.end),
    backfill: query.backfill,
  }
  const position = readCursor(query.cursor, ordering)
  const page = await pageOfRuns(services.store, batchExport.id, filter, ordering, position)
  return showCursorPage(page, link, showRun, ordering)
}

export const getRun: Handler<'getRun'> = ({ services, run, batchExport }) =>
  withFiles(services, run, batchExport)

export const getStandaloneRun: Handler<'getStandaloneRun'> = async ({ services, run, batchExport }) => ({
  ...(await withFiles(services, run, batchExport)),
  batch_export_name: batchExport.name,
})

async function withFiles({ store }: Pick<Services, 'store'>, run: RunRow, batchExport: BatchExportRow) {
  const { batch_export_id, data_interval_start, data_interval_end } = run
  const window = { batch_export_id, data_interval_start, data_interval_end, run_id: run.id }
  const { holds } = destinationKinds[batchExport.destination_type]
  // The export may write to another table since.
  const recorded = holds === 'table' ? await findRow(store, 'batch_export_ledger', window) : null
  const window_query = queryOf(
    batchExport.id,
    data_interval_start.getTime(),
    recorded?.settings ?? batchExport,
  )
  return { ...showRun(run), files: run.files, window_query }
}

/** Creates a new run for the same data interval; the old run stays unchanged. */
export const retryRun: Handler<'retryRun'> = async ({ services, caller, batchExport, run }) => {
  const reason = runCan.retry(run, caller.scopes)
  if (reason !== null) throw conflict(reason)
  const retry = await createRetry(services, batchExport, run)
  return { ...showRun(retry.run), backfill_id: retry.backfill.workflow_id }
}

export const cancelRun: Handler<'cancelRun'> = async ({ services, caller, run }) => {
  const reason = runCan.cancel(run, caller.scopes)
  if (reason !== null) throw invalidInput(reason)
  await stopRun(services, run)
  return { cancelled: true }
}

/** Lists the files that a run wrote; those on this disk can be downloaded. */
export const filesOfRun: Handler<'filesOfRun'> = async ({ services, run, query, link }) => {
  const { store, secrets, clock, exportsFolder } = services
  const facts = await fileFactsOfRun(store, run)
  if (!facts) throw notFound()
  const expiry = assetExpiry(clock.now())
  const shown = run.files.slice(query.offset, query.offset + query.limit)
  const results = await Promise.all(
    shown.map(async (name, index) => {
      const found =
        facts.isOnDisk && exportsFolder ? await findExportedFile(exportsFolder, facts.project_id, name) : null
      const file = { projectId: facts.project_id, runId: run.id, index: query.offset + index }
      return {
        name,
        bytes: facts.bytes.get(name) ?? found?.bytes ?? null,
        path: found && exportedFilePath(secrets, file, expiry),
      }
    }),
  )
  const count = run.files.length
  return { count, ...offsetLinks(link, query, count), results, expires_at: formatInstant(expiry) }
}
