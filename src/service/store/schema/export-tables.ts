import type { ColumnType, Generated } from 'kysely'
import type { ChangedField, ChangeKind } from '../../../contract/exports/batch-export-change.ts'
import type { BackfillStatus, RunStatus } from '../../../contract/runs/batch-export-run.ts'
import type { ExportSchema, Model } from '../../../contract/exports/batch-export.ts'
import type { DestinationType } from '../../../contract/destinations/destination.ts'
import type { Interval } from '../../../contract/interval.ts'
import type { LogLevel } from '../../../contract/runs/log-entry.ts'

export type BatchExportsTable = {
  id: string
  project_id: number
  name: string
  model: Model
  destination_type: DestinationType
  destination_config: Record<string, unknown>
  destination_secrets: Buffer | null
  /** The connection of the destination; null if it has none. */
  integration_id: Generated<number | null>
  /** Name and config of the connection, without secrets; database triggers keep it equal to the connection's. */
  integration_config: Generated<Record<string, unknown> | null>
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

/**
 * Where a run that sends its rows in requests goes on. `digest`: of the receiver and of all acknowledged batches, by which another
 * attempt finds out whether it would send the same ones.
 */
export type SentPosition = {
  batches: number
  rows: number
  bytes: number
  digest: string
  /** Arrival time (ms) up to which rows are taken, so that every attempt takes the same. */
  takenUntil: number
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
  sent_position: Generated<SentPosition | null>
}

export type LogsTable = {
  id: Generated<number>
  batch_export_id: string
  run_id: string | null
  timestamp: Date
  level: LogLevel
  message: string
}

/** The settings of an export when it was last applied from a file. */
export type DefinitionsTable = {
  batch_export_id: string
  /** By the names that the history uses; without `paused` if the file does not set it. Written as JSON text. */
  settings: ColumnType<Record<string, unknown>, string, string>
  /** A token of each secret by name, which only shows whether the secret has changed. Written as JSON text. */
  secrets: ColumnType<Record<string, string>, string, string>
  actor: string
  source: string | null
  applied_at: Date
}

/** How many windows a repair plan without a period would repair. */
export type ExportsToRepairTable = { batch_export_id: string; windows: number }

export type ExportTables = {
  batch_exports: BatchExportsTable
  /** A database trigger maintains these rows when `paused` of a batch export changes. */
  batch_export_pauses: {
    batch_export_id: string
    started_at: Date
    ended_at: Date | null
    skipped_from: Generated<Date | null>
    skipped_until: Generated<Date | null>
  }
  batch_export_changes: ChangesTable
  batch_export_definitions: DefinitionsTable
  batch_export_backfills: BackfillsTable
  batch_export_runs: RunsTable
  batch_export_logs: LogsTable
  /** The windows of an export that start on a day; `day` counts days since 1970-01-01 UTC. */
  batch_export_days: {
    batch_export_id: string
    day: number
    /** See `encodeStates`. */
    states: string
    /** When the next of the windows ends; null once all have ended. */
    valid_until: Date | null
    /** Start of the export's lifetime when the states were computed. */
    begins: Date
  }
  /**
   * The functions that write runs, schedules and the ledger add a row when the states of an export's windows on these days (both
   * included) may have changed.
   */
  batch_export_day_changes: { batch_export_id: string; from_day: number; until_day: number }
  batch_exports_to_repair: ExportsToRepairTable
}
