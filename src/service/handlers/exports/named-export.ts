import { isUuid } from '../../auth/uuid.ts'
import { unknownId } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { findBatchExport, type BatchExportRow } from '../../store/runs/batch-exports.ts'

/** Finds the batch export that a body names at `path`. @throws ApiError 400 if these projects have no such export. */
export async function namedExport(
  { store }: Pick<Services, 'store'>,
  projects: readonly { id: number }[],
  id: string,
  path: string[],
): Promise<BatchExportRow> {
  const projectIds = projects.map((project) => project.id)
  const row = isUuid(id) ? await findBatchExport(store, projectIds, id) : undefined
  if (!row) throw unknownId(id, path)
  return row
}
