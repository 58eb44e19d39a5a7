import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { isRunInProgress } from '../../../contract/runs/run-status.ts'
import { secretFields } from '../../../contract/destinations/destination.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { endedPeriod } from '../../../contract/interval.ts'
import type { SentAction } from '../../api/last-actions.ts'
import { curlCommand, curlOf } from './curl-command.ts'

/** An action, by its label in the dashboard, as a curl command. */
export type CurlRequest = { label: string; command: string }

/** Returns the actions on an export. Secrets, which the API never returns, are `<…>` in the request that creates a copy. */
export function requestsOfExport(batchExport: BatchExport): CurlRequest[] {
  const { id, name, interval, team_id, destination, paused } = batchExport
  const project_id = String(team_id)
  const params = { project_id, id }
  const secrets = secretFields[destination.type].map((field) => [field, `<${field}>`] as const)
  const settings = settingsOf(batchExport)
  const { start, end } = endedPeriod(interval, Date.now(), 1)
  const range = { start_at: formatInstant(start), end_at: formatInstant(end) }
  return [
    { label: 'Show', command: curlCommand('getBatchExport', { params }) },
    { label: 'Edit', command: curlCommand('updateBatchExport', { params, body: settings }) },
    paused
      ? { label: 'Unpause', command: curlCommand('unpauseBatchExport', { params, body: {} }) }
      : { label: 'Pause', command: curlCommand('pauseBatchExport', { params, body: {} }) },
    {
      label: 'Backfill the last window',
      command: curlCommand('backfillBatchExport', { params, body: range }),
    },
    {
      label: 'Retry failed',
      command: curlCommand('createBulkAction', {
        params: { project_id },
        body: { action: 'export_windows', ids: [id], windows: 'failed' },
      }),
    },
    {
      label: `Clone ${name}`,
      command: curlCommand('createBatchExport', {
        params: { project_id },
        body: {
          ...settings,
          destination: {
            type: destination.type,
            config: { ...destination.config, ...Object.fromEntries(secrets) },
          },
        },
      }),
    },
    {
      label: 'Download as YAML',
      command: curlCommand('batchExportsAsYaml', { params: { project_id }, query: { id: [id] } }),
    },
    { label: 'Delete', command: curlCommand('deleteBatchExport', { params }) },
  ]
}

/** Returns the settings of an export that differ from those of a new one. */
function settingsOf(batchExport: BatchExport) {
  const { name, model, interval, paused, start_at, end_at, hogql_query, destination } = batchExport
  const { tags, owner, note } = batchExport
  return {
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
    destination,
  }
}

/** Returns the bulk actions on exports, which may belong to several projects. */
export function requestsOfExports(rows: readonly { id: string; team_id: number }[]): CurlRequest[] {
  const day = 86_400_000
  const now = Date.now()
  const range = { start_at: formatInstant(now - day), end_at: formatInstant(now) }
  return [...Map.groupBy(rows, (row) => row.team_id)].flatMap(([projectId, group]) => {
    const params = { project_id: String(projectId) }
    const ids = group.map(({ id }) => id)
    const start = (body: Parameters<typeof curlCommand<'createBulkAction'>>[1]['body']) =>
      curlCommand('createBulkAction', { params, body })
    return [
      { label: 'Pause', command: start({ action: 'pause_batch_exports', ids }) },
      { label: 'Unpause', command: start({ action: 'unpause_batch_exports', ids }) },
      { label: 'Backfill the last day', command: start({ action: 'export_windows', ids, windows: [range] }) },
      { label: 'Retry failed', command: start({ action: 'export_windows', ids, windows: 'failed' }) },
      ...downloads(params, ids),
      { label: 'Delete', command: start({ action: 'delete_batch_exports', ids }) },
    ]
  })
}

/** Exports whose ids fit into one URL. */
const idsOfUrlMax = 150

/** Returns the requests that download exports as files, each with so few that servers accept the URL. */
function downloads(params: { project_id: string }, ids: readonly string[]): CurlRequest[] {
  const parts = Math.ceil(ids.length / idsOfUrlMax)
  return Array.from({ length: parts }, (_, part) => ({
    label: `Download as YAML${parts > 1 ? `, file ${part + 1} of ${parts}` : ''}`,
    command: curlCommand('batchExportsAsYaml', {
      params,
      query: { id: ids.slice(part * idsOfUrlMax, (part + 1) * idsOfUrlMax) },
    }),
  }))
}

/** Returns the actions on a run. */
export function requestsOfRun(projectId: string, run: BatchExportRun): CurlRequest[] {
  const params = { project_id: projectId, batch_export_id: run.batch_export, id: run.id }
  return [
    { label: 'Show', command: curlCommand('getRun', { params }) },
    { label: 'Read the logs', command: curlCommand('logsOfRun', { params }) },
    isRunInProgress(run.status)
      ? { label: 'Cancel', command: curlCommand('cancelRun', { params, body: {} }) }
      : { label: 'Retry', command: curlCommand('retryRun', { params, body: {} }) },
  ]
}

/** Keys of secrets in request bodies; the URL is a channel's, whose path is a secret. */
const secretKeys = new Set([...Object.values(secretFields).flat(), 'password', 'signing_secret', 'url'])

/** Returns actions as curl commands, in which secrets are `<…>`. An action that was repeated is listed once. */
export function requestsOfActions(
  actions: readonly SentAction[],
  timeInWords: (at: number) => string,
): CurlRequest[] {
  const requests = actions.map(({ name, input, at }): CurlRequest => {
    const { method, path } = endpoints[name]
    const place = path.replace('/api/projects/:project_id', '')
    return {
      label: `${timeInWords(at)} ${method} ${place}`,
      command: curlOf(name, { ...input, body: withoutSecrets(input.body) }),
    }
  })
  return requests.filter(
    ({ command }, index) => requests.findIndex((other) => other.command === command) === index,
  )
}

function withoutSecrets(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return secretKeys.has(key) ? `<${key}>` : value
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutSecrets(item, name)]))
}
