import {
  healCauses,
  type HealCause,
  type HealCounts,
  type HealPlan,
  type HealStep,
} from '../../../contract/heal-plan.ts'
import { count, counted } from '../../words/amount.ts'
import type { Tone } from '../../words/run-status.ts'
import { duration } from '../../words/time.ts'

const causeWords: Record<HealCause, string> = {
  missing: 'missing',
  failed: 'failed',
  short: 'short',
  skipped: 'skipped by a pause',
}

/** Names the causes that occur with their numbers: `8 missing, 3 failed`. */
export function causesInWords(causes: HealCounts): string {
  return healCauses
    .filter((cause) => causes[cause] > 0)
    .map((cause) => `${count(causes[cause])} ${causeWords[cause]}`)
    .join(', ')
}

/** Says what a plan will do: `2 steps for 11 windows of 3 exports: 8 missing, 3 failed. About 1,200 rows in 2 min 5 s.` */
export function planInWords(plan: HealPlan): string {
  const { steps, windows, exports, causes, rows_expected, seconds_expected } = plan
  if (windows === 0) return 'No window needs to be exported again.'
  const sent = `${counted(steps.total - (steps.states.left_out ?? 0), 'step')} for ${counted(windows, 'window')} of ${counted(exports, 'export')}: ${causesInWords(causes)}.`
  const rows =
    rows_expected === null ? 'Its rows are not counted yet' : `About ${counted(rows_expected, 'row')}`
  const time = seconds_expected === null ? '' : ` in ${duration(seconds_expected * 1000)}`
  return `${sent} ${rows}${time}.`
}

/** Says what a plan has proven so far; null before it ran. */
export function proofInWords({
  status,
  windows,
  sent,
  finished,
  proven,
  unreadable,
}: HealPlan): string | null {
  if (status === 'Planned') return null
  const parts = [
    `${count(finished)} of ${counted(windows, 'window')} exported again`,
    `${count(proven)} proven at the destination`,
    unreadable > 0 && `${count(unreadable)} at destinations that cannot be read back`,
    status === 'Completed' && sent < windows && `${count(windows - sent)} repaired already`,
  ]
  return `${parts.filter((part) => part !== false).join('; ')}.`
}

export const planTones: Record<HealPlan['status'], Tone> = {
  Planned: 'quiet',
  Running: 'running',
  Stopped: 'paused',
  Completed: 'ok',
}

type StepWords = { label: string; tone: Tone }

export function stepInWords(state: HealStep['state']): StepWords {
  switch (state) {
    case 'planned':
      return { label: 'planned', tone: 'quiet' }
    case 'left_out':
      return { label: 'left out', tone: 'paused' }
    case 'running':
      return { label: 'exporting', tone: 'running' }
    case 'verifying':
      return { label: 'reading back', tone: 'running' }
    case 'proven':
      return { label: 'proven', tone: 'ok' }
    case 'unproven':
      return { label: 'not proven', tone: 'stopped' }
    case 'failed':
      return { label: 'failed', tone: 'failed' }
    case 'unneeded':
      return { label: 'repaired already', tone: 'ok' }
  }
}
