import type { ColumnType, Generated } from 'kysely'
import type { AuditAction, auditActorKinds } from '../../../contract/audit/audit-actions.ts'
import type { AuditReceiver } from '../../../contract/audit/audit-settings.ts'

export type AuditValues = Record<string, unknown> | null
type ValuesColumn = ColumnType<AuditValues, string | null, never>

export type AuditEntriesTable = {
  id: string
  organization_id: string
  project_id: number | null
  created_at: Date
  actor_kind: (typeof auditActorKinds)[number]
  actor_id: string | null
  actor_name: string
  address: string | null
  action: AuditAction
  object_type: string
  object_id: string | null
  object_name: string | null
  before: ValuesColumn
  after: ValuesColumn
  request_id: string | null
  /** Entries of an organization with the same text are written once. */
  once: string | null
  /** Number of the seal that covers the entry; null until it is sealed. */
  seal: number | null
}

export type AuditSealsTable = {
  organization_id: string
  number: number
  first_entry: string
  last_entry: string
  entries: number
  hash: Buffer
  sealed_at: Date
}

export type AuditChainsTable = {
  organization_id: string
  last_number: number
  last_hash: Buffer
  removed_number: number
  removed_hash: Buffer
  signature: string
}

export type AuditSettingsTable = {
  organization_id: string
  retention_days: number
  receiver: ColumnType<AuditReceiver | null, string | null, string | null>
  /** Sealed JSON of the receiver's URL and signing secret. */
  receiver_secrets: Buffer | null
  sent_number: Generated<number>
  next_attempt_at: Date | null
  failures: Generated<number>
  last_sent_at: Date | null
  last_error: string | null
}

export type AuditTables = {
  audit_entries: AuditEntriesTable
  audit_seals: AuditSealsTable
  audit_chains: AuditChainsTable
  audit_settings: AuditSettingsTable
}
