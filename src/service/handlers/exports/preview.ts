import { formatInstant } from '../../../contract/instant.ts'
import { windowAt } from '../../../contract/interval.ts'
import { previewRows } from '../../exporter/preview-rows.ts'
import { storeQuery } from '../../exporter/query-input.ts'
import type { Handler } from '../handler.ts'

/** Previews what an export of this model and query would write: columns, sample rows, and the last interval's row count. */
export const previewBatchExport: Handler<'previewBatchExport'> = async ({ services, project, body }) => {
  const { model, interval, include_events, exclude_events } = body
  const { hogql_query } = await storeQuery(services, body.hogql_query ?? '', model)
  const destination_config = { include_events, exclude_events }
  const source = { project_id: project.id, model, hogql_query, destination_config }
  const current = windowAt(interval, services.clock.now())
  const last = windowAt(interval, current.start - 1)
  return {
    ...(await previewRows(services, source, last)),
    interval_start: formatInstant(last.start),
    interval_end: formatInstant(last.end),
  }
}
