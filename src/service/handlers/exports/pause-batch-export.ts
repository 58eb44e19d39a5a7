import { formatInstant } from '../../../contract/instant.ts'
import { backfillRange } from '../../../contract/backfill-range.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { createBackfill } from '../../jobs/backfill.ts'
import type { ApiRequest } from '../handler.ts'
import { showBatchExport } from './show-batch-export.ts'
import { writeChange } from './update-batch-export.ts'

type PauseRequest = Pick<ApiRequest<'pauseBatchExport'>, 'services' | 'caller' | 'batchExport'>
type UnpauseRequest = PauseRequest & Pick<ApiRequest<'unpauseBatchExport'>, 'body'>

export async function pauseBatchExport(request: PauseRequest) {
  const row = await writeChange(request, { paused: true })
  return showBatchExport(request.services.store, row)
}

/** Resumes with the window that contains the current time; with `backfill`, also exports the windows of the pause. */
export async function unpauseBatchExport(request: UnpauseRequest) {
  const { services, batchExport, body } = request
  const pausedAt = batchExport.paused && body.backfill ? batchExport.last_paused_at : null
  const now = services.clock.now()
  const backfill =
    pausedAt && pausedAt.getTime() < now
      ? backfillRange(
          { start_at: formatInstant(pausedAt), end_at: formatInstant(now) },
          batchExport.interval,
          now,
        )
      : null
  if (backfill && !backfill.ok) throw invalidInput(backfill.detail, ['backfill'])
  const row = await writeChange(request, { paused: false })
  // Rejected only if the same range is already being backfilled, which is what the caller wants.
  if (backfill) await createBackfill(services, row, backfill.range)
  return showBatchExport(services.store, row)
}
