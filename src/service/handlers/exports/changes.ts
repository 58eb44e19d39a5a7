import type { BatchExportChange } from '../../../contract/batch-export-change.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { ChangeRow } from '../../store/changes-list.ts'
import { newestFirst } from '../../store/newest-first.ts'
import { readCursor, showCursorPage } from '../cursor-page.ts'
import type { Handler } from '../handler.ts'

const ordering = '-created_at'

export const changesOfBatchExport: Handler<'changesOfBatchExport'> = async ({
  services,
  batchExport,
  query,
  link,
}) => {
  const page = await newestFirst(
    services.store,
    'batch_export_changes',
    batchExport.id,
    readCursor(query.cursor, ordering),
  )
  return showCursorPage(page, ordering, link, showChange)
}

function showChange(row: ChangeRow): BatchExportChange {
  const { id, kind, actor: by, created_at, fields } = row
  return { id, kind, by, created_at: formatInstant(created_at), fields }
}
