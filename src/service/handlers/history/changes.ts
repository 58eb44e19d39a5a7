import { BatchExportChange } from '../../../contract/exports/batch-export-change.ts'
import type { ProjectChange } from '../../../contract/exports/project-change.ts'
import { fieldsLabelled } from '../../../contract/exports/setting-label.ts'
import { containing } from '../../recordings/filter/filter-rows.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { exportsOfChanges, pageOfChanges, type ChangeRow } from '../../store/runs/changes-list.ts'
import { readCursor, showCursorPage } from '../cursor-page.ts'
import type { Handler } from '../handler.ts'
import { readInstant } from '../given-times.ts'
import { shownAs } from '../shown-as.ts'
import { revertProblem } from './revert-problem.ts'

/** Characters of a value, such as a query, that the history shows. */
const shownLengthMax = 10_000

export const changesOfBatchExport: Handler<'changesOfBatchExport'> = async (request) => {
  const { services, batchExport, query, link } = request
  const position = readCursor(query.cursor)
  const filter = { batchExportId: batchExport.id }
  const page = await pageOfChanges(services.store, batchExport.project_id, filter, position)
  return showCursorPage(page, link, (row) => showChange(row, batchExport))
}

export const changesOfProject: Handler<'changesOfProject'> = async ({ services, project, query, link }) => {
  const { cursor, kind: kinds, by: actor, batch_export: batchExportId } = query
  const text = query.search?.trim()
  const filter = {
    batchExportId,
    kinds,
    actor,
    ...(text && { search: { pattern: containing(text), fields: fieldsLabelled(text) } }),
    after: readInstant(query.after),
    before: readInstant(query.before),
  }
  const position = readCursor(cursor)
  const page = await pageOfChanges(services.store, project.id, filter, position)
  const exports = await exportsOfChanges(services.store, page?.rows ?? [])
  return showCursorPage(page, link, (row) => showProjectChange(row, exports.get(row.batch_export_id)))
}

function showProjectChange(row: ChangeRow, batchExport: BatchExportRow | undefined): ProjectChange {
  if (!batchExport) throw new Error(`the change ${row.id} has no batch export`)
  const { id, name, deleted_at } = batchExport
  return {
    ...showChange(row, batchExport),
    batch_export: { id, name, deleted: deleted_at !== null },
  }
}

function showChange(row: ChangeRow, batchExport: BatchExportRow): BatchExportChange {
  const fields = row.fields.map((field) => ({
    ...field,
    before: shortened(field.before),
    after: shortened(field.after),
  }))
  const revert_problem = revertProblem(row, batchExport)
  return shownAs(BatchExportChange, { ...row, by: row.actor, fields, revert_problem })
}

/** Texts from before destinations had limits may be long, and the history repeats them in every change. */
function shortened(value: unknown): unknown {
  const isLong = typeof value === 'string' && value.length > shownLengthMax
  return isLong ? `${value.slice(0, shownLengthMax)}…` : value
}
