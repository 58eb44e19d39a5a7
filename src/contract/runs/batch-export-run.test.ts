import { expect, test } from 'vitest'
import { runCan, runStatuses } from './run-status.ts'
import { exportCan } from '../exports/export-rules.ts'
import { allowsScope } from '../accounts/scopes.ts'

test('write includes read, * includes every scope, and a key without scopes has no access', () => {
  expect(allowsScope(['batch_export:write'], 'batch_export:read')).toBe(true)
  expect(allowsScope(['batch_export:read'], 'batch_export:write')).toBe(false)
  expect(allowsScope(['*'], 'session_recording:write')).toBe(true)
  expect(allowsScope([], 'batch_export:read')).toBe(false)
})

test('every run can be either cancelled or retried, and the other action has a reason', () => {
  for (const status of runStatuses) {
    const reasons = [runCan.retry({ status }, ['*']), runCan.cancel({ status }, ['*'])]
    expect(reasons.filter((reason) => reason === null)).toHaveLength(1)
    expect(reasons.find((reason) => reason !== null)).toContain(status)
  }
})

test('the reason for a read-only key names the missing scope', () => {
  expect(runCan.retry({ status: 'Failed' }, ['batch_export:read'])).toBe(
    "API key missing required scope 'batch_export:write'",
  )
  expect(exportCan.pause({ paused: false }, ['batch_export:read'])).toContain('batch_export:write')
  expect(exportCan.pause({ paused: false }, ['batch_export:write'])).toBeNull()
})
