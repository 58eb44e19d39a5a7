import {
  repairCauses,
  type RepairCounts,
  type RepairPlan,
  type RepairStep,
} from '../../../contract/repair/repair-plan.ts'
import { count, counted } from '../../format/amount.ts'
import type { Tone } from '../../format/run-status.ts'
import { duration } from '../../format/time.ts'

/** Names the causes that occur with their numbers: `8 missing, 3 failed`. */
export function causesInWords(causes: RepairCounts): string {
  return repairCauses
    .filter((cause) => causes[cause] > 0)
    .map((cause) => `${count(causes[cause])} ${cause === 'skipped' ? 'skipped by a pause' : cause}`)
    .join(', ')
}

/** Says what a plan will do: `2 steps for 11 windows of 3 exports: 8 missing, 3 failed. About 1,200 rows in 2 min 5 s.` */
export function planInWords(plan: RepairPlan): string {
  const { steps, windows, exports, causes, seconds_expected } = plan
  if (windows === 0)
    return steps.total === 0
      ? 'No window needs to be exported again.'
      : 'All steps are left out: tick those to run.'
  const sent = `${counted(steps.total - (steps.states.left_out ?? 0), 'step')} for ${counted(windows, 'window')} of ${counted(exports, 'export')}: ${causesInWords(causes)}.`
  const why = seconds_expected === null ? ', because not every export has completed a run' : ''
  return `${sent} ${estimateInWords(plan)}${why}.`
}

type Estimate = Pick<RepairStep, 'rows_expected' | 'seconds_expected'>

/** Estimates what a plan or step exports: `About 1,200 rows in 2 min 5 s`, `Rows unknown; time unknown`. */
export function estimateInWords({ rows_expected: rows, seconds_expected: seconds }: Estimate): string {
  const time = seconds === null ? '; time unknown' : ` in ${duration(seconds * 1000)}`
  return `${rows === null ? 'Rows unknown' : `About ${counted(rows, 'row')}`}${time}`
}

/** Says what a plan has proven so far; null before it ran. */
export function proofInWords(plan: RepairPlan): string | null {
  const { status, steps, windows, sent, finished, proven, unreadable } = plan
  if (status === 'Planned') return null
  const failed = steps.states.failed ?? 0
  const parts = [
    // A window of a failed step has finished, but may not have been exported.
    `${count(finished)} of ${counted(windows, 'window')} ${failed > 0 ? 'tried' : 'exported'} again`,
    failed > 0 && `${counted(failed, 'step')} failed`,
    `${count(proven)} proven at the destination`,
    unreadable > 0 && `${count(unreadable)} at destinations that cannot be read back`,
    status === 'Completed' && sent < windows && `${count(windows - sent)} already repaired`,
  ]
  return `${parts.filter((part) => part !== false).join('; ')}.`
}

const planTones: Record<RepairPlan['status'], Tone> = {
  Planned: 'quiet',
  Running: 'running',
  Stopped: 'paused',
  Completed: 'ok',
}

/** Names a plan's status; a completed plan with steps that failed or are not proven is not shown as a success. */
export function planStatusInWords({ status, steps }: RepairPlan): StepWords {
  if (status === 'Completed' && (steps.states.failed ?? 0) > 0)
    return { label: 'Completed with failures', tone: 'failed' }
  if (status === 'Completed' && (steps.states.unproven ?? 0) > 0)
    return { label: 'Completed, not all proven', tone: 'stopped' }
  return { label: status, tone: planTones[status] }
}

type StepWords = { label: string; tone: Tone }

export const stepWords: Record<RepairStep['state'], StepWords> = {
  planned: { label: 'planned', tone: 'quiet' },
  left_out: { label: 'left out', tone: 'quiet' },
  running: { label: 'exporting', tone: 'running' },
  verifying: { label: 'reading back', tone: 'running' },
  proven: { label: 'proven', tone: 'ok' },
  unproven: { label: 'not proven', tone: 'stopped' },
  failed: { label: 'failed', tone: 'failed' },
  unneeded: { label: 'already repaired', tone: 'ok' },
}
