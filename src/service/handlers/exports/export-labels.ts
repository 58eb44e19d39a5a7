import type { BatchExportCreate } from '../../../contract/exports/batch-export.ts'
import type { ExportLabels } from '../../../contract/exports/export-labels.ts'

/** Returns the labels of a stored export. */
export function labelsOf({ tags, owner, note }: ExportLabels): ExportLabels {
  return { tags, owner, note }
}

type Given = Pick<BatchExportCreate, keyof ExportLabels>

/** Returns the columns of the labels that a body names. */
export function labelColumns({ tags, owner, note }: Given): Partial<ExportLabels> {
  return {
    ...(tags !== undefined && { tags: tags ?? [] }),
    ...(owner !== undefined && { owner: owner ?? '' }),
    ...(note !== undefined && { note: note ?? '' }),
  }
}
