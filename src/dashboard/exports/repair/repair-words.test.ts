import { expect, test } from 'vitest'
import type { RepairPlan } from '../../../contract/repair/repair-plan.ts'
import { planInWords, planStatusInWords, proofInWords } from './repair-words.ts'

const plan: RepairPlan = {
  id: 'plan',
  status: 'Planned',
  batch_export_ids: null,
  start: '2026-02-02T00:00:00Z',
  end: '2026-03-04T00:00:00Z',
  steps: { total: 3, states: { planned: 2, left_out: 1 } },
  exports: 1,
  windows: 11,
  causes: { missing: 8, failed: 3, short: 0, skipped: 0 },
  skipped_by_pause: 2,
  rows_expected: 1200,
  rows_counted: true,
  seconds_expected: 125,
  sent: 0,
  finished: 0,
  proven: 0,
  unreadable: 0,
  by: 'Own key',
  created_at: '2026-03-04T00:00:00Z',
  started_at: null,
  finished_at: null,
}

test('a plan says its steps, windows, causes, rows and time', () => {
  expect(planInWords(plan)).toBe(
    '2 steps for 11 windows of 1 export: 8 missing, 3 failed. About 1,200 rows in 2 min 5 s.',
  )
  expect(planInWords({ ...plan, rows_expected: null, seconds_expected: null })).toBe(
    '2 steps for 11 windows of 1 export: 8 missing, 3 failed. Rows unknown; time unknown, because not every export has completed a run.',
  )
  expect(planInWords({ ...plan, windows: 0 })).toBe('All steps are left out: tick those to run.')
  expect(planInWords({ ...plan, windows: 0, steps: { total: 0, states: {} } })).toBe(
    'No window needs to be exported again.',
  )
})

test('a plan that ran says what is proven, and what is not', () => {
  expect(proofInWords(plan)).toBeNull()
  expect(proofInWords({ ...plan, status: 'Running', sent: 11, finished: 4, proven: 2 })).toBe(
    '4 of 11 windows exported again; 2 proven at the destination.',
  )
  expect(
    proofInWords({ ...plan, status: 'Completed', sent: 10, finished: 10, proven: 9, unreadable: 1 }),
  ).toBe(
    '10 of 11 windows exported again; 9 proven at the destination; 1 at destinations that cannot be read back; 1 already repaired.',
  )
})

test('a plan of which a step failed does not claim success', () => {
  const steps = { total: 2, states: { failed: 1, proven: 1 } }
  const failed = { ...plan, status: 'Completed' as const, steps, sent: 11, finished: 11, proven: 6 }
  expect(proofInWords(failed)).toBe(
    '11 of 11 windows tried again; 1 step failed; 6 proven at the destination.',
  )
  expect(planStatusInWords(failed).label).toBe('Completed with failures')
  const unproven = { total: 2, states: { unproven: 1, proven: 1 } }
  expect(planStatusInWords({ ...failed, steps: unproven }).label).toBe('Completed, not all proven')
  expect(planStatusInWords({ ...failed, steps: plan.steps }).label).toBe('Completed')
})
