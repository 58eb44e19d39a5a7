import type { BatchExport } from '../../../contract/batch-export.ts'
import { secretFields } from '../../../contract/destination.ts'
import { exportEndpoints } from '../../../contract/export-endpoints.ts'
import { address } from '../../api/call.ts'

/**
 * Returns a curl command that creates the same export in its project. Secrets, which the API never returns, are `<…>`
 * placeholders; the key comes from the variable `SPOOL_API_KEY`.
 */
export function exportAsCurl(batchExport: BatchExport): string {
  const { team_id, name, model, interval, paused, start_at, end_at, hogql_query, destination } = batchExport
  const { tags, owner, note } = batchExport
  const secrets = secretFields[destination.type].map((field) => [field, `<${field}>`] as const)
  const body = {
    name,
    model,
    interval,
    ...(hogql_query === '' ? {} : { hogql_query }),
    ...(paused ? { paused } : {}),
    ...(start_at === null ? {} : { start_at }),
    ...(end_at === null ? {} : { end_at }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(owner === '' ? {} : { owner }),
    ...(note === '' ? {} : { note }),
    destination: {
      type: destination.type,
      config: { ...destination.config, ...Object.fromEntries(secrets) },
    },
  }
  const url = address(exportEndpoints.createBatchExport.path, { project_id: String(team_id) }, {})
  return [
    `curl -X POST ${quoted(url)} \\`,
    '  -H "Authorization: Bearer $SPOOL_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join('\n')
}

/** Quotes a text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
