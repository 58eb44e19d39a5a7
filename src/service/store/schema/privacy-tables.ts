import type { ColumnType, Generated } from 'kysely'
import type { ErasedCounts, ErasureMention, ErasureStep } from '../../../contract/privacy/person-erasure.ts'
import type { PrivacySettings } from '../../../contract/privacy/privacy-settings.ts'
import type { SweptData } from '../../../contract/privacy/retention.ts'

export type PrivacySettingsTable = PrivacySettings & {
  project_id: number
  runs_kept_from: Generated<Date | null>
  swept_at: Generated<Date | null>
  /** Written as JSON text. */
  swept: ColumnType<SweptData | null, string | undefined, string>
}

export type PersonErasuresTable = {
  id: string
  project_id: number
  /** Keyed hash of the person. */
  subject: string
  actor: string
  step: ErasureStep
  /** Null for a visitor who was never identified, and once the erasure has finished. */
  person_uuid: string | null
  distinct_ids: string[]
  session_ids: Generated<string[]>
  /** Recordings stay that began as another person's: those of `kept_session_ids`. */
  keeps_shared: Generated<boolean>
  kept_session_ids: Generated<string[]>
  /** Written as JSON text. */
  counts: ColumnType<ErasedCounts, string | undefined, string>
  /** Recordings that have been deleted so far. */
  recordings_done: Generated<number>
  unchecked_exports: Generated<string[]>
  /** Written as JSON text. */
  mentions: ColumnType<ErasureMention[], string | undefined, string>
  problem: Generated<string | null>
  created_at: Date
  erased_until: Generated<Date | null>
  compared_at: Generated<Date | null>
  hidden_at: Generated<Date | null>
  rewritten_at: Generated<Date | null>
  finished_at: Generated<Date | null>
  purged_at: Generated<Date | null>
}

export type PrivacyTables = {
  privacy_settings: PrivacySettingsTable
  person_erasures: PersonErasuresTable
  person_erasure_windows: {
    erasure_id: string
    batch_export_id: string
    data_interval_start: Date
    data_interval_end: Date
    /** False for runs that started during the erasure. */
    is_certain: boolean
    written_to: Generated<string | null>
  }
}
