import type { Generated } from 'kysely'

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

export type AccountTables = {
  organizations: { id: string; name: string; created_at: Date }
  users: { id: string; organization_id: string; email: string; first_name: string; created_at: Date }
  projects: ProjectsTable
  api_keys: ApiKeysTable
  persons: PersonsTable
  person_distinct_ids: PersonDistinctIdsTable
  event_imports: {
    id: string
    project_id: number
    file: string
    created_at: Date
    finished_at: Date | null
    events: number | null
    error: string | null
  }
}
