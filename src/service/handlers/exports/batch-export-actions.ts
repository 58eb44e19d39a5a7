import { formatInstant } from '../../../contract/instant.ts'
import { backfillRange } from '../../../contract/runs/backfill-range.ts'
import { invalidInput, conflict } from '../../problems/api-error.ts'
import { createBackfill } from '../../runs/backfill.ts'
import { inTransaction } from '../../store/schema/database.ts'
import { arrivalTime } from '../../store/runs/watermark.ts'
import type { ApiRequest } from '../handler.ts'
import { showBatchExport } from './show-batch-export.ts'
import { writeChange } from './update-batch-export.ts'

export async function pauseBatchExport(
  request: Pick<ApiRequest<'pauseBatchExport'>, 'services' | 'caller' | 'batchExport' | 'body'>,
) {
  const { reason, until } = request.body
  const row = await writeChange(request, { paused: true, reason, until })
  return showBatchExport(request, row)
}

/** Resumes with the window that contains the current time; with `backfill`, also exports all windows since the pause. */
export async function unpauseBatchExport(
  request: Pick<ApiRequest<'unpauseBatchExport'>, 'services' | 'caller' | 'batchExport' | 'body'>,
) {
  const { services, batchExport, body } = request
  const pausedAt = batchExport.paused && body.backfill ? batchExport.last_paused_at : null
  const now = await arrivalTime(services)
  const range =
    pausedAt && pausedAt.getTime() < now
      ? backfillRange(
          { start_at: formatInstant(pausedAt), end_at: formatInstant(now) },
          batchExport.interval,
          now,
        )
      : null
  if (range && !range.ok) throw invalidInput(range.detail, ['backfill'])
  const row = await inTransaction(services.store, async (transaction) => {
    const within = { ...services, store: transaction }
    const row = await writeChange({ ...request, services: within }, { paused: false }, null, now)
    // Rejected only if the same range is already being backfilled, which is what the caller wants.
    if (range) await createBackfill(within, row, range.range)
    return row
  })
  return showBatchExport(request, row)
}

type Request = Pick<ApiRequest<'backfillBatchExport'>, 'services' | 'caller' | 'batchExport' | 'body'>

/** Creates one run for each data interval that the range touches. */
export async function backfillBatchExport(request: Request) {
  const { services, batchExport, body } = request
  const range = backfillRange(body, batchExport.interval, services.clock.now())
  if (!range.ok) throw invalidInput(range.detail)
  const created = await createBackfill(services, batchExport, range.range)
  if (!created.ok) throw conflict(created.reason)
  const shown = await showBatchExport(request, batchExport)
  return { ...shown, backfill_id: created.backfill.workflow_id }
}
