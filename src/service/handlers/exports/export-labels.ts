import type { BatchExportCreate } from '../../../contract/exports/batch-export.ts'
import type { ExportLabels } from '../../../contract/exports/export-labels.ts'

type Given = Pick<BatchExportCreate, keyof ExportLabels>

/** Returns the columns of the labels that a body names. */
export function labelColumns({ tags, owner, note }: Given): Partial<ExportLabels> {
  return {
    ...(tags !== undefined && { tags: tags ?? [] }),
    ...(owner !== undefined && { owner: owner ?? '' }),
    ...(note !== undefined && { note: note ?? '' }),
  }
}
