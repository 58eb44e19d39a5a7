import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type ColumnType,
  type Generated,
  type Transaction,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely'
import { types, type Pool } from 'pg'
import type { ChangedField, ChangeKind } from '../../../contract/exports/batch-export-change.ts'
import type { BackfillStatus, RunStatus } from '../../../contract/runs/batch-export-run.ts'
import type { ExportSchema, Model } from '../../../contract/exports/batch-export.ts'
import type { DestinationType } from '../../../contract/destinations/destination.ts'
import type { Interval } from '../../../contract/interval.ts'
import type { LogLevel } from '../../../contract/runs/log-entry.ts'
import type { BaseState } from '../../../replay/recorded/page-base.ts'
import type { RecordingSettings } from '../../../contract/recordings/recording-settings.ts'
import type { RecordingSummary } from '../../../contract/recordings/recording-summary.ts'
import type { LinkMask, LinkShows, RecordingLink } from '../../../contract/recordings/sharing.ts'
import type { SnapshotSource } from '../../../contract/recordings/snapshot-source.ts'
import type { WindowTime } from '../../../contract/recordings/snapshot.ts'
import type {
  AlertChannelsTable,
  AlertDeliveriesTable,
  AlertRulesTable,
  IncidentExportsTable,
  IncidentsTable,
  IncidentTransitionsTable,
} from './alert-tables.ts'
import type { BulkActionsTable, BulkItemsTable } from './bulk-tables.ts'
import type { ExportDayChangesTable, ExportDaysTable, ExportsToRepairTable } from './export-day-tables.ts'
import type { RepairPlansTable, RepairStepsTable } from './repair-tables.ts'
import type { DefinitionsTable } from './definition-tables.ts'
import type { LedgerTable, VerificationsTable, VerifyModesTable } from './ledger-tables.ts'
import type {
  CollectionItemsTable,
  RecordingCollectionsTable,
  RecordingNotesTable,
  RecordingWatchersTable,
} from './note-tables.ts'
import type {
  ErrorStatesTable,
  RecordingVisitsTable,
  VisitSummariesTable,
  VisitSummaryItemsTable,
} from './visit-tables.ts'
import { pooledClient, statementLimitMs } from '../../engines/postgres/pooled-client.ts'

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
  /** A database trigger clears it when the export is unpaused. */
  paused_because: string | null
  /** The same trigger clears these two. */
  pause_reason: string | null
  paused_until: Date | null
  start_at: Date | null
  end_at: Date | null
  deleted_at: Date | null
  scheduled_until: Date
  tags: Generated<string[]>
  owner: Generated<string>
  note: Generated<string>
}

/** A database trigger maintains these rows when `paused` of a batch export changes. */
export type PausesTable = {
  batch_export_id: string
  started_at: Date
  ended_at: Date | null
  skipped_from: Generated<Date | null>
  skipped_until: Generated<Date | null>
}

export type ChangesTable = {
  id: string
  batch_export_id: string
  kind: ChangeKind
  actor: string | null
  created_at: Date
  /** Written as JSON text, because the driver would send a list as a PostgreSQL array. */
  fields: ColumnType<ChangedField[], string, never>
  project_id: number
  source: string | null
  reverts: string | null
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
  /** Key of `failureCause`; null unless the run failed. */
  failure_cause: string | null
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

export type RecordingSettingsTable = RecordingSettings & { project_id: number }

export type SessionRecordingsTable = {
  id: Generated<number>
  project_id: number
  session_id: string
  distinct_id: string
  /** From `visitWords`. */
  visit_words: number | null
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
  /** Null if parts of the recording were stored before requests were counted. */
  failed_request_count: Generated<number | null>
  start_url: string
  start_url_at: Date | null
  /** Events that could not be stored; null for recordings from before they were counted. */
  dropped_events: Generated<number | null>
  /** Known properties of the sender's clock, in milliseconds; null if unknown. */
  sender_clock: Generated<{ lag: number; shift: number; latest: number } | null>
  block_count: number
  created_at: Date
  last_updated_at: Date
  viewed_at: Date | null
  persisted_at: Date | null
  path_made_at: Date | null
  visit_made_at: Generated<Date | null>
  /** `last_updated_at` of the data that the warehouse has. */
  mirrored_at: Generated<Date | null>
  deleted_at: Date | null
  /** The bulk action whose undo can restore the recording. */
  deleted_by: Generated<string | null>
  asset_block_count: Generated<number>
  /** Written as JSON text. */
  asset_bases: ColumnType<Record<string, BaseState> | null, string | null | undefined, string | null>
  /** Blocks are searched again then, because too many files were waiting; null if they are searched at once. */
  asset_search_at: Generated<Date | null>
}

export type SessionRecordingBlocksTable = {
  recording_id: number
  number: number
  object_key: string
  start_time: Date
  end_time: Date
  bytes: number
  items: string[]
  full_snapshots: ColumnType<WindowTime[], string, never>
  /** Each window that the visitor used, with the time of the last action. */
  active_windows: ColumnType<WindowTime[], string, never>
}

export type SessionRecordingSummariesTable = {
  recording_id: number
  block_count: number
  content: string
  summary: ColumnType<RecordingSummary, string, string>
}

export type SessionRecordingSharingTable = {
  id: Generated<string>
  /** What the link opens: a recording, or else a collection. */
  recording_id: number | null
  collection_id: string | null
  /** Whether a collection's link names visitors. */
  names: Generated<boolean>
  is_default: Generated<boolean>
  generation: number
  token_hash: Buffer
  enabled: boolean
  expires_at: Date | null
  /** When the link was disabled; null if it is enabled or never was. */
  revoked_at: Date | null
  password_hash: string | null
  created_at: Date
  views: Generated<number>
  last_viewed_at: Date | null
  start_at: Date | null
  end_at: Date | null
  shows: Generated<LinkShows>
  masks: ColumnType<LinkMask[], string | undefined, string>
  label: Generated<string>
  highlights: RecordingLink['highlights']
}

/** A saved view of the recordings list. */
export type RecordingViewsTable = {
  id: string
  project_id: number
  user_id: string
  name: string
  query: string
  shared: boolean
  created_at: Date
  last_updated_at: Date
}

export type RecordedAssetsTable = { project_id: number; hash: Buffer; content_type: string; bytes: number }

/** A file that a recording names. */
export type SessionRecordingAssetsTable = {
  id: Generated<number>
  recording_id: number
  project_id: number
  url: string
  host: string
  is_stylesheet: boolean
  depth: number
  /** Number of the files that the recording named before. */
  turn: Generated<number>
  /** Failed attempts to fetch the file. */
  attempts: Generated<number>
  retry_at: Generated<Date | null>
  claimed_until: Date | null
  fetched_at: Date | null
  hash: Buffer | null
  final_url: string | null
  reason: string | null
}

/** Missing files of a recording that have no row of their own. */
export type RefusedAssetsTable = {
  recording_id: number
  url_hashes: string[]
  /** Number of files by reason. */
  reasons: Record<string, number>
}

export type Database = {
  installation: { name: string; value: string }
  rate_counts: { minute: number; name: string; count: number }
  organizations: OrganizationsTable
  users: UsersTable
  projects: ProjectsTable
  api_keys: ApiKeysTable
  arrival_floor: { at: Date }
  batch_exports: BatchExportsTable
  batch_export_pauses: PausesTable
  batch_export_changes: ChangesTable
  batch_export_definitions: DefinitionsTable
  batch_export_backfills: BackfillsTable
  batch_export_runs: RunsTable
  batch_export_logs: LogsTable
  batch_export_days: ExportDaysTable
  batch_export_day_changes: ExportDayChangesTable
  batch_exports_to_repair: ExportsToRepairTable
  batch_export_ledger: LedgerTable
  batch_export_verifications: VerificationsTable
  batch_export_verify_modes: VerifyModesTable
  persons: PersonsTable
  person_distinct_ids: PersonDistinctIdsTable
  event_imports: EventImportsTable
  recording_notes: RecordingNotesTable
  recording_watchers: RecordingWatchersTable
  recording_collections: RecordingCollectionsTable
  recording_collection_items: CollectionItemsTable
  recording_settings: RecordingSettingsTable
  recording_views: RecordingViewsTable
  session_recordings: SessionRecordingsTable
  session_recording_counts: { project_id: number; count: number }
  session_recording_blocks: SessionRecordingBlocksTable
  session_recording_summaries: SessionRecordingSummariesTable
  recording_visits: RecordingVisitsTable
  error_states: ErrorStatesTable
  visit_summaries: VisitSummariesTable
  visit_summary_items: VisitSummaryItemsTable
  session_recording_sharing: SessionRecordingSharingTable
  session_recording_assets: SessionRecordingAssetsTable
  session_recording_refused_assets: RefusedAssetsTable
  asset_fetch_counts: { name: string; until: Date; count: number }
  recorded_assets: RecordedAssetsTable
  repair_plans: RepairPlansTable
  repair_steps: RepairStepsTable
  bulk_actions: BulkActionsTable
  bulk_action_items: BulkItemsTable
  alert_rules: AlertRulesTable
  alert_channels: AlertChannelsTable
  alert_watch: { evaluated_at: Date; watching_since: Date; warehouse_at: Date }
  worker_heartbeat: { at: Date }
  incidents: IncidentsTable
  incident_exports: IncidentExportsTable
  incident_transitions: IncidentTransitionsTable
  alert_deliveries: AlertDeliveriesTable
}

export type Store = Kysely<Database>
export type StoreTransaction = Transaction<Database>

/** Performs `work` in a transaction: in the caller's, if `store` is one already. */
export function inTransaction<Result>(
  store: Store,
  work: (transaction: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  return store.isTransaction ? work(store as StoreTransaction) : store.transaction().execute(work)
}

const int8 = 20

/**
 * Opens the typed store on a pool. bigints become numbers: counts, bytes and versions stay far below 2^53. A statement
 * fails after `limitMs`; null sets no limit.
 */
export function openStore(pool: Pool, limitMs: number | null = statementLimitMs): Store {
  types.setTypeParser(int8, Number)
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: boundedPool(pool, limitMs) }) })
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

function boundedPool(pool: Pool, limitMs: number | null): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const { query, release } = pooledClient(await pool.connect(), limitMs)
      return { query: query as PostgresPoolClient['query'], release }
    },
    end: () => pool.end(),
  }
}
