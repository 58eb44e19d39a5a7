import { columnChangeProblem } from '../../../contract/destinations/tables/column-changes.ts'
import { columnChangesOf } from '../../exporter/tables/changed-columns.ts'
import { modelColumns } from '../../hogql/columns.ts'
import { invalidInput } from '../../problems/api-error.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'

/** Checks that an export has the columns that its destination changes. @throws ApiError 400. */
export function assertColumnsFit(row: Pick<BatchExportRow, 'model' | 'schema' | 'destination_config'>): void {
  const { model, schema } = row
  const names = schema?.fields.map(({ alias }) => alias) ?? modelColumns[model].exported
  const problem = columnChangeProblem(columnChangesOf(row), names, model)
  if (problem === null) return
  throw invalidInput(problem, ['destination', 'config', 'columns'], { attr: 'destination__non_field_errors' })
}
