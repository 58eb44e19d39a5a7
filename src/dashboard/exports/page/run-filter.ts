import { runStatuses, statusesInProgress, type RunStatus } from '../../../contract/batch-export-run.ts'

/** What a run history can be narrowed to: a status, or several under one name. */
export const statusChoices = ['any', 'failed', 'running', ...runStatuses] as const
export type StatusChoice = (typeof statusChoices)[number]

/** The statuses that a choice stands for; undefined for all. */
export function statusesOf(choice: StatusChoice): RunStatus[] | undefined {
  if (choice === 'any') return undefined
  if (choice === 'failed') return ['Failed', 'TimedOut']
  if (choice === 'running') return [...statusesInProgress]
  return [choice]
}
