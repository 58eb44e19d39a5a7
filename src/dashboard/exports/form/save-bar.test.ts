import { expect, test } from 'vitest'
import { testOutcome } from './save-bar.tsx'

const none = { isRunning: false, isOutdated: false, failure: null, result: null }
const passed = { ...none, result: { ok: true } }

test.each([
  ['untested', none, false],
  ['stored', none, true],
  ['running', { ...passed, isRunning: true }, false],
  ['passed', passed, false],
  ['failed', { ...none, result: { ok: false } }, true],
  ['failed', { ...none, failure: new Error('Unreachable') }, false],
  ['outdated', { ...passed, isOutdated: true }, false],
  ['stored', { ...passed, isOutdated: true }, true],
] as const)('a destination is %s', (outcome, state, isStored) => {
  expect(testOutcome(state, isStored)).toBe(outcome)
})
