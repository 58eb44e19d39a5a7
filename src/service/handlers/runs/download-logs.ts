import { Readable } from 'node:stream'
import { formatInstant } from '../../../contract/instant.ts'
import { logsOldestFirst, type LogRow } from '../../store/runs/logs.ts'
import type { Handler } from '../handler.ts'
import { readInstant } from '../read-instant.ts'

/** Streams lines of `timestamp level run message`, in batches so that memory does not grow with the log. */
export const downloadLogs: Handler<'downloadLogs'> = async ({ services, batchExport, query }) => {
  const batches = logsOldestFirst(
    services.store,
    { batchExportId: batchExport.id },
    {
      after: readInstant(query.after),
      before: readInstant(query.before),
      levels: query.level,
      search: query.search,
    },
  )
  return Readable.from(textOf(batches))
}

async function* textOf(batches: AsyncIterable<LogRow[]>): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map(lineOf).join('')
}

function lineOf({ timestamp, level, run_id, message }: LogRow): string {
  return `${formatInstant(timestamp)} ${level} ${run_id ?? '-'} ${message.replaceAll(/[\r\n]+/g, ' ')}\n`
}
