import type { ColumnType, Generated } from 'kysely'
import type { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import type { GroupSummaryResult } from '../../../contract/recordings/group-summary.ts'

/** The facts of a recording as the service stores them. */
export type StoredFacts = RecordingFacts & {
  /** Series of rapid clicks on the same element. */
  rage_click_count: number
  /** Whether the visitor filled in a form that they never submitted. */
  left_form: boolean
  /** Milliseconds of activity by page, most first. */
  time: { label: string; url: string; at: number; active: number }[]
}

export type GroupSummariesTable = {
  id: string
  project_id: number
  /** Label of the key that requested the summary. */
  actor: string
  status: 'Running' | 'Completed' | 'Cancelled'
  matched: number
  total: number
  done: Generated<number>
  /** Written as JSON text. */
  result: ColumnType<GroupSummaryResult | null, never, string | null>
  created_at: Date
  finished_at: Generated<Date | null>
  claimed_until: Generated<Date | null>
}

export type FactsTables = {
  recording_facts: {
    recording_id: number
    project_id: number
    start_time: Date
    /** Written as JSON text. */
    facts: ColumnType<StoredFacts | null, string | null | undefined, string>
    claimed_until: Date | null
    /** Failures since the last success. */
    failures: Generated<number>
    /** One of the columns that PostgreSQL computes from `facts`; null until there are facts. */
    outcome: ColumnType<RecordingFacts['outcome']['kind'] | null, never, never>
  }
  group_summaries: GroupSummariesTable
  group_summary_items: { summary_id: string; recording_id: number; done: Generated<boolean> }
}
