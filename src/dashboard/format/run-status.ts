import type { BackfillStatus, RunStatus } from '../../contract/runs/batch-export-run.ts'

export type Tone = 'ok' | 'failed' | 'running' | 'paused' | 'stopped' | 'quiet'

type StatusWords = { label: string; tone: Tone; explanation: string }

/** Returns a run status's label and explanation. */
export function runStatusInWords(status: RunStatus): StatusWords {
  switch (status) {
    case 'Starting':
      return { label: 'Starting', tone: 'running', explanation: 'Waiting for a worker.' }
    case 'Running':
      return { label: 'Running', tone: 'running', explanation: 'Writing rows.' }
    case 'FailedRetryable':
      return {
        label: 'Retrying',
        tone: 'running',
        explanation: 'An attempt failed; the next one starts soon.',
      }
    case 'Completed':
      return { label: 'Completed', tone: 'ok', explanation: 'All rows are at the destination.' }
    case 'Failed':
      return { label: 'Failed', tone: 'failed', explanation: 'The run will not be retried automatically.' }
    case 'TimedOut':
      return { label: 'Timed out', tone: 'failed', explanation: 'The run exceeded its time limit.' }
    case 'Cancelled':
      return { label: 'Cancelled', tone: 'quiet', explanation: 'The run was cancelled by a user.' }
    case 'Terminated':
      return {
        label: 'Terminated',
        tone: 'quiet',
        explanation: 'The batch export was deleted during the run.',
      }
    case 'ContinuedAsNew':
      return { label: 'Continued', tone: 'quiet', explanation: 'A new run took over the rest.' }
  }
}

export function backfillTone(status: BackfillStatus): Tone {
  switch (status) {
    case 'Starting':
    case 'Running':
      return 'running'
    case 'Completed':
      return 'ok'
    case 'Failed':
      return 'failed'
    case 'Cancelled':
      return 'quiet'
  }
}
