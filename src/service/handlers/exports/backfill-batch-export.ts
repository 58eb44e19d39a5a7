import { backfillRange } from '../../../contract/runs/backfill-range.ts'
import { conflict, invalidInput } from '../../problems/api-error.ts'
import { createBackfill } from '../../runs/backfill.ts'
import type { ApiRequest } from '../handler.ts'
import { showBatchExport } from './show-batch-export.ts'

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
