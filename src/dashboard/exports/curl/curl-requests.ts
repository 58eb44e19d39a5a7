import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import type { BatchExportRun } from '../../../contract/runs/batch-export-run.ts'
import { isRunInProgress } from '../../../contract/runs/run-status.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { endpoints, type BodyInput, type EndpointName } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { endedPeriod } from '../../../contract/interval.ts'
import type { CallInput } from '../../api/call.ts'
import type { SentAction } from '../../api/last-actions.ts'
import { curlCommand, curlOf } from './curl-command.ts'

/** An action, by its label in the dashboard, as a curl command. */
export type CurlRequest = { label: string; command: string }

function request<Name extends EndpointName>(label: string, name: Name, input: CallInput<Name>): CurlRequest {
  return { label, command: curlCommand(name, input) }
}

/** Returns the actions on an export. Secrets, which the API never returns, are `<…>` in the request that creates a copy. */
export function requestsOfExport(batchExport: BatchExport): CurlRequest[] {
  const { id, name, interval, team_id, destination, paused } = batchExport
  const project = { project_id: String(team_id) }
  const params = { ...project, id }
  const settings = settingsOf(batchExport)
  const { start, end } = endedPeriod(interval, Date.now(), 1)
  const range = { start_at: formatInstant(start), end_at: formatInstant(end) }
  const inline = destination.integration === null ? destinationKinds[destination.type].secrets : []
  const secrets = inline.map((field) => [field, placeholderOf(field, destination.config?.[field])])
  const copied = { ...destination, config: { ...destination.config, ...Object.fromEntries(secrets) } }
  return [
    request('Show', 'getBatchExport', { params }),
    request('Edit', 'updateBatchExport', { params, body: settings }),
    paused
      ? request('Unpause', 'unpauseBatchExport', { params, body: {} })
      : request('Pause', 'pauseBatchExport', { params, body: {} }),
    request('Backfill the last window', 'backfillBatchExport', { params, body: range }),
    request('Retry failed', 'createBulkAction', {
      params: project,
      body: { action: 'export_windows', ids: [id], windows: 'failed' },
    }),
    request(`Clone ${name}`, 'createBatchExport', {
      params: project,
      body: { ...settings, destination: copied },
    }),
    request('Download as YAML', 'batchExportsAsYaml', { params: project, query: { id: [id] } }),
    request('Delete', 'deleteBatchExport', { params }),
  ]
}

/** Returns `<…>` for a secret, or for each of the values by name. */
function placeholderOf(field: string, shown: unknown): unknown {
  if (typeof shown !== 'object' || shown === null) return `<${field}>`
  return Object.fromEntries(Object.keys(shown).map((name) => [name, `<${name}>`]))
}

/** Returns the settings of an export that differ from those of a new one. */
function settingsOf(batchExport: BatchExport) {
  const { name, model, interval, destination, hogql_query, paused, start_at, end_at } = batchExport
  const { tags, owner, note } = batchExport
  const others = { hogql_query, paused, start_at, end_at, tags, owner, note }
  const changed = Object.entries(others).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : Boolean(value),
  )
  return { name, model, interval, ...(Object.fromEntries(changed) as Partial<typeof others>), destination }
}

/** Returns the bulk actions on exports, which may belong to several projects. */
export function requestsOfExports(rows: readonly { id: string; team_id: number }[]): CurlRequest[] {
  const day = 86_400_000
  const now = Date.now()
  const range = { start_at: formatInstant(now - day), end_at: formatInstant(now) }
  return [...Map.groupBy(rows, (row) => row.team_id)].flatMap(([projectId, group]) => {
    const params = { project_id: String(projectId) }
    const ids = group.map(({ id }) => id)
    const bulk = (label: string, body: BodyInput<'createBulkAction'>) =>
      request(label, 'createBulkAction', { params, body })
    return [
      bulk('Pause', { action: 'pause_batch_exports', ids }),
      bulk('Unpause', { action: 'unpause_batch_exports', ids }),
      bulk('Backfill the last day', { action: 'export_windows', ids, windows: [range] }),
      bulk('Retry failed', { action: 'export_windows', ids, windows: 'failed' }),
      ...downloads(params, ids),
      bulk('Delete', { action: 'delete_batch_exports', ids }),
    ]
  })
}

/** Exports whose ids fit into one URL. */
const idsOfUrlMax = 150

/** Returns the requests that download exports as files, each with so few that servers accept the URL. */
function downloads(params: { project_id: string }, ids: readonly string[]): CurlRequest[] {
  const parts = Math.ceil(ids.length / idsOfUrlMax)
  return Array.from({ length: parts }, (_, part) =>
    request(`Download as YAML${parts > 1 ? `, file ${part + 1} of ${parts}` : ''}`, 'batchExportsAsYaml', {
      params,
      query: { id: ids.slice(part * idsOfUrlMax, (part + 1) * idsOfUrlMax) },
    }),
  )
}

/** Returns the actions on a run. */
export function requestsOfRun(projectId: string, run: BatchExportRun): CurlRequest[] {
  const params = { project_id: projectId, batch_export_id: run.batch_export, id: run.id }
  return [
    request('Show', 'getRun', { params }),
    request('Read the logs', 'logsOfRun', { params }),
    isRunInProgress(run.status)
      ? request('Cancel', 'cancelRun', { params, body: {} })
      : request('Retry', 'retryRun', { params, body: {} }),
  ]
}

const destinationSecrets = Object.values(destinationKinds).flatMap(({ secrets }) => secrets)
/** Keys of secrets in request bodies; the URL is a channel's, whose path is a secret. */
const secretKeys = new Set([...destinationSecrets, 'password', 'signing_secret', 'url'])

/** Returns actions as curl commands, in which secrets are `<…>`. An action that was repeated is listed once. */
export function requestsOfActions(actions: readonly SentAction[], timeInWords: (at: number) => string) {
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
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      withoutSecrets(item, secretKeys.has(key) ? key : name),
    ]),
  )
}
