import type { BackfillStatus, RunStatus } from '../../contract/batch-export-run.ts'

export type Tone = 'ok' | 'failed' | 'running' | 'paused' | 'quiet'

type StatusWords = { label: string; tone: Tone; explanation: string }

/** A run's status as people say it, and what it means for them. */
export function runStatusInWords(status: RunStatus): StatusWords {
  switch (status) {
    case 'Starting':
      return { label: 'Starting', tone: 'running', explanation: 'Waits for a worker.' }
    case 'Running':
      return { label: 'Running', tone: 'running', explanation: 'Writes its rows.' }
    case 'FailedRetryable':
      return {
        label: 'Trying again',
        tone: 'running',
        explanation: 'An attempt failed, the next one is due.',
      }
    case 'Completed':
      return { label: 'Completed', tone: 'ok', explanation: 'All rows are at the destination.' }
    case 'Failed':
      return { label: 'Failed', tone: 'failed', explanation: 'It will not be tried again by itself.' }
    case 'TimedOut':
      return { label: 'Timed out', tone: 'failed', explanation: 'It ran past its limit.' }
    case 'Cancelled':
      return { label: 'Cancelled', tone: 'quiet', explanation: 'Somebody stopped it.' }
    case 'Terminated':
      return { label: 'Terminated', tone: 'quiet', explanation: 'The batch export was deleted under it.' }
    case 'ContinuedAsNew':
      return { label: 'Continued', tone: 'quiet', explanation: 'A new run has taken over the rest.' }
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
