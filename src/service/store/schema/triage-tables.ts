import type { Generated } from 'kysely'
import type { ErrorState } from '../../../contract/recordings/error-cluster.ts'

/** Kinds of things that are assigned and have a state: errors of recordings, problems of exports. */
export type TriageKind = 'error' | 'problem'

export type TriageTables = {
  triage: {
    project_id: number
    kind: TriageKind
    key: string
    state: Generated<ErrorState>
    /** Who changed the state: a person's name or a key's label. */
    state_by: string | null
    state_at: Date | null
    ignored_until: Date | null
    organization_id: string
    assignee: string | null
    assigned_by: string | null
    assigned_at: Date | null
  }
}
