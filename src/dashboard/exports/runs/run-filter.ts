import type { RunStatus } from '../../../contract/runs/batch-export-run.ts'
import { runStatuses, statusesInProgress } from '../../../contract/runs/run-status.ts'

/** The choices of the status filter: one status, or a group of statuses. */
export const statusChoices = ['any', 'failed', 'running', ...runStatuses] as const
export type StatusChoice = (typeof statusChoices)[number]

/** Returns the statuses of a choice; undefined for all. */
export function statusesOf(choice: StatusChoice): RunStatus[] | undefined {
  if (choice === 'any') return undefined
  if (choice === 'failed') return ['Failed', 'TimedOut']
  if (choice === 'running') return [...statusesInProgress]
  return [choice]
}
