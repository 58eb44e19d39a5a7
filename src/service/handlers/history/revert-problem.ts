import { isDeepStrictEqual } from 'node:util'
import { isSetting } from '../../../contract/exports/export-definition.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import type { ChangeRow } from '../../store/runs/changes-list.ts'
import { shownFields } from '../exports/changed-fields.ts'
import { pauseInputs } from '../exports/pause-columns.ts'

type Change = Pick<ChangeRow, 'kind' | 'created_at' | 'fields'>

/** Returns why a change to a batch export cannot be reverted; null if it can. */
export function revertProblem(
  { kind, created_at: at, fields }: Change,
  batchExport: BatchExportRow,
): string | null {
  const { deleted_at: deletedAt } = batchExport
  if (kind === 'deleted')
    return deletedAt?.getTime() === at.getTime() ? null : 'The batch export has been restored since.'
  if (deletedAt) return 'The batch export has been deleted: revert its deletion first.'
  if (kind === 'created' || kind === 'cloned' || kind === 'restored')
    return 'To revert this, delete the batch export.'
  const plain = fields.filter(({ secret }) => !secret)
  if (plain.length === 0) return 'Only secrets were replaced, and the history does not store their values.'
  const other = plain.find(({ field }) => !isSetting(field) && !(field in pauseInputs))
  if (other) return `"${other.field}" is not a setting of the batch export: change it where it was set.`
  const current = shownFields(batchExport)
  const changed = plain
    .filter(({ field, after }) => !isDeepStrictEqual(current[field] ?? null, after ?? null))
    .map(({ field }) => `"${field}"`)
  if (changed.length === 0) return null
  return `${changed.join(', ')} ${changed.length === 1 ? 'has' : 'have'} been changed again since: revert the later change first.`
}
