import type { Generated } from 'kysely'
import type { IntegrationKindName } from '../../../contract/destinations/integration-kind-names.ts'

export type IntegrationsTable = {
  id: Generated<number>
  project_id: number
  kind: IntegrationKindName
  name: string
  /** Where the secrets are sent. */
  address: string
  config: Record<string, unknown>
  /** Sealed JSON. */
  secrets: Buffer
  created_by: string | null
  created_at: Date
  last_worked_at: Date | null
  last_failed_at: Date | null
  /** Why it failed at `last_failed_at`. */
  last_error: string | null
}

export type IntegrationTables = { integrations: IntegrationsTable }
