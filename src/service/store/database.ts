import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type ColumnType,
  type Generated,
  type Transaction,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import { types, type Pool, type PoolClient } from 'pg'
import type { ChangedField, ChangeKind } from '../../contract/batch-export-change.ts'
import type { BackfillStatus, RunStatus } from '../../contract/batch-export-run.ts'
import type { ExportSchema, Model } from '../../contract/batch-export.ts'
import type { DestinationType } from '../../contract/destination.ts'
import type { Interval } from '../../contract/interval.ts'
import type { LogLevel } from '../../contract/log-entry.ts'
import type { RecordingSummary } from '../../contract/recording-summary.ts'
import type { SnapshotSource } from '../../contract/session-recording.ts'

export type OrganizationsTable = { id: string; name: string; created_at: Date }

export type UsersTable = {
  id: string
  organization_id: string
  email: string
  first_name: string
  created_at: Date
}

export type ProjectsTable = {
  id: Generated<number>
  organization_id: string
  name: string
  api_token: string
  created_at: Date
}

export type ApiKeysTable = {
  id: string
  user_id: string
  hash: Buffer
  label: string
  scopes: string[]
  scoped_projects: number[] | null
  scoped_organizations: string[] | null
  created_at: Date
  last_used_at: Date | null
}

export type BatchExportsTable = {
  id: string
  project_id: number
  name: string
  model: Model
  destination_type: DestinationType
  destination_config: Record<string, unknown>
  destination_secrets: Buffer | null
  interval: Interval
  paused: boolean
  hogql_query: string | null
  schema: ExportSchema | null
  created_at: Date
  last_updated_at: Date
  last_paused_at: Date | null
  start_at: Date | null
  end_at: Date | null
  deleted_at: Date | null
  scheduled_until: Date
}

/** A database trigger maintains these rows when `paused` of a batch export changes. */
export type PausesTable = { batch_export_id: string; started_at: Date; ended_at: Date | null }

export type ChangesTable = {
  id: string
  batch_export_id: string
  kind: ChangeKind
  actor: string | null
  created_at: Date
  /** Written as JSON text, because the driver would send a list as a PostgreSQL array. */
  fields: ColumnType<ChangedField[], string, never>
}

export type BackfillsTable = {
  id: string
  workflow_id: string
  batch_export_id: string
  project_id: number
  start_at: Date
  end_at: Date
  total_runs: number
  status: BackfillStatus
  created_at: Date
  finished_at: Date | null
  last_updated_at: Date
}

export type RunsTable = {
  id: string
  batch_export_id: string
  project_id: number
  backfill_id: string | null
  origin: 'schedule' | 'backfill' | 'retry'
  selects_by: 'arrival' | 'time'
  status: RunStatus
  attempt: number
  data_interval_start: Date
  data_interval_end: Date
  records_completed: number
  records_total_count: number | null
  bytes_exported: number | null
  files: Generated<string[]>
  latest_error: string | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
  last_updated_at: Date
  next_attempt_at: Date | null
  worker_id: string | null
  heartbeat_at: Date | null
  cancel_requested_at: Date | null
}

export type LogsTable = {
  id: Generated<number>
  batch_export_id: string
  run_id: string | null
  timestamp: Date
  level: LogLevel
  message: string
}

export type PersonsTable = {
  id: Generated<number>
  project_id: number
  uuid: string
  properties: Record<string, unknown>
  version: number
  created_at: Date
}

export type PersonDistinctIdsTable = {
  project_id: number
  distinct_id: string
  person_id: number
  version: number
}

export type EventImportsTable = {
  id: string
  project_id: number
  file: string
  created_at: Date
  finished_at: Date | null
  events: number | null
  error: string | null
}

export type SessionRecordingsTable = {
  id: Generated<number>
  project_id: number
  session_id: string
  distinct_id: string
  snapshot_source: SnapshotSource
  start_time: Date
  end_time: Date
  /** In seconds, like `active_seconds` and `inactive_seconds`. */
  recording_duration: number
  active_seconds: number
  inactive_seconds: number
  activity: number[]
  click_count: number
  keypress_count: number
  mouse_activity_count: number
  console_log_count: number
  console_warn_count: number
  console_error_count: number
  start_url: string
  start_url_at: Date | null
  block_count: number
  created_at: Date
  last_updated_at: Date
  viewed_at: Date | null
  persisted_at: Date | null
  path_made_at: Date | null
  deleted_at: Date | null
}

export type SessionRecordingBlocksTable = {
  recording_id: number
  number: number
  object_key: string
  start_time: Date
  end_time: Date
  bytes: number
  items: string[]
}

export type SessionRecordingSummariesTable = {
  recording_id: number
  block_count: number
  content: string
  summary: ColumnType<RecordingSummary, string, string>
}

export type SessionRecordingSharingTable = {
  recording_id: number
  generation: number
  token_hash: Buffer
  enabled: boolean
  expires_at: Date | null
  password_hash: string | null
  created_at: Date
  views: Generated<number>
}

export type Database = {
  installation: { name: string; value: string }
  organizations: OrganizationsTable
  users: UsersTable
  projects: ProjectsTable
  api_keys: ApiKeysTable
  batch_exports: BatchExportsTable
  batch_export_pauses: PausesTable
  batch_export_changes: ChangesTable
  batch_export_backfills: BackfillsTable
  batch_export_runs: RunsTable
  batch_export_logs: LogsTable
  persons: PersonsTable
  person_distinct_ids: PersonDistinctIdsTable
  event_imports: EventImportsTable
  session_recordings: SessionRecordingsTable
  session_recording_counts: { project_id: number; count: number }
  session_recording_blocks: SessionRecordingBlocksTable
  session_recording_summaries: SessionRecordingSummariesTable
  session_recording_sharing: SessionRecordingSharingTable
}

export type Store = Kysely<Database>
export type StoreTransaction = Transaction<Database>

const int8 = 20

/** Opens the typed store on a pool. bigints become numbers: counts, bytes and versions stay far below 2^53. */
export function openStore(pool: Pool): Store {
  types.setTypeParser(int8, Number)
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: callbackPool(pool) }) })
}

/** Adapts a transaction to pg-boss's database interface, so that a job commits with its run. */
export function asJobDatabase(transaction: StoreTransaction) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      const result = await transaction.executeQuery(CompiledQuery.raw(text, values))
      return { rows: [...result.rows] }
    },
  }
}

/**
 * Adapts the pool to Kysely with callbacks, because pg's promises keep a query's rows alive until a major garbage
 * collection. Every minor collection would move the rows of a dozen results, delaying a request by 15 ms instead of 0.5 ms.
 */
function callbackPool(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => callbackClient(await pool.connect()),
    end: () => pool.end(),
  }
}

function callbackClient(client: PoolClient): PostgresPoolClient {
  const query = <Row>(text: string, values: readonly unknown[]) =>
    new Promise<PostgresQueryResult<Row>>((resolve, reject) => {
      client.query(text, [...values], (error: Error | null, result) =>
        error ? reject(error) : resolve(result as unknown as PostgresQueryResult<Row>),
      )
    })
  return { query: query as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
}
