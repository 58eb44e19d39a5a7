import type { AlertKind } from '../../contract/alerts/alert-rule.ts'

/** A problem that a rule finds now in an export or a project. Findings with one cause at one destination are one incident. */
export type Finding = {
  projectId: number
  kind: AlertKind
  cause: string
  /** Empty if the cause lies at no destination. */
  destination: string
  /** Null for a kind that watches projects. */
  exportId: string | null
  detail: string
  /** Whether it opens an incident; otherwise it only keeps one open. */
  opens: boolean
}
