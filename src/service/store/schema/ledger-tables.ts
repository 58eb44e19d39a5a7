import type { ColumnType, Generated } from 'kysely'
import type { Model } from '../../../contract/exports/batch-export.ts'
import type { DestinationType } from '../../../contract/destinations/destination.ts'
import type { LedgerObject, ObjectsFound, VerifyMode } from '../../../contract/runs/ledger.ts'

/** The settings of an export that select rows and name the destination; they contain no secrets. */
export type LedgerSettings = {
  model: Model
  hogql_query: string | null
  destination_type: DestinationType
  destination_config: Record<string, unknown>
  /** Of the connection, without secrets; missing in entries from before connections. */
  integration_config: Record<string, unknown> | null
}

/** What a run wrote for a window. */
export type WrittenColumns = {
  batch_export_id: string
  data_interval_start: Date
  data_interval_end: Date
  run_id: string
  selects_by: 'arrival' | 'time'
  taken_until: Date
  /** Written as JSON text. */
  settings: ColumnType<LedgerSettings, string, string>
  rows_expected: number
  rows_written: number
  /** Written as JSON text. */
  objects: ColumnType<LedgerObject[], string, string>
  written_at: Date
}

/** What a verification found; without one null, and 0 late rows. */
export type VerifiedColumns = {
  objects_found: Generated<ObjectsFound | null>
  rows_source: Generated<number | null>
  hash_expected: Generated<string | null>
  rows_read: Generated<number | null>
  hash_read: Generated<string | null>
  late_rows: Generated<number>
  problem: Generated<string | null>
}

export type LedgerTable = WrittenColumns &
  VerifiedColumns & {
    verified_at: Generated<Date | null>
    verification_id: Generated<string | null>
    verify_turn: Generated<number | null>
    verify_requested_at: Generated<Date | null>
    claimed_until: Generated<Date | null>
    /** The erasure of a person whose rows the destination may still hold. */
    erasure_id: Generated<string | null>
    /** The flags short, changed or gone apply, and the source still has the rows to write again. */
    is_refuted: ColumnType<boolean, never, never>
  }

export type LedgerTables = {
  batch_export_ledger: LedgerTable
  batch_export_verifications: {
    id: string
    batch_export_id: string
    actor: string
    total: number
    created_at: Date
  }
  batch_export_verify_modes: { batch_export_id: string; mode: VerifyMode; sampled_at: Date | null }
}
