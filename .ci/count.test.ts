import { expect, test } from 'vitest'
import { countBrowserTests, countUnitTests } from './count.ts'

const file = (status: string, ...assertions: string[]) => ({
  status,
  assertionResults: assertions.map((assertion) => ({ status: assertion })),
})

test('unit tests: counts passed and failed tests, but not skipped ones', () => {
  const testResults = [file('passed', 'passed', 'skipped'), file('failed', 'failed', 'passed')]
  expect(countUnitTests({ numPassedTests: 2, numFailedTests: 1, testResults })).toEqual({
    passed: 2,
    failed: 1,
  })
})

test('unit tests: counts each file that cannot be loaded as a failure', () => {
  const testResults = [file('passed', 'passed'), file('failed'), file('failed', 'passed')]
  expect(countUnitTests({ numPassedTests: 2, numFailedTests: 0, testResults })).toEqual({
    passed: 2,
    failed: 2,
  })
})

test('browser tests: counts a test that passed when repeated as passed, and an error outside the tests as failed', () => {
  const stats = { expected: 7, unexpected: 1, flaky: 2, skipped: 3 }
  expect(countBrowserTests({ stats, errors: [{ message: 'No tests found' }] })).toEqual({
    passed: 9,
    failed: 2,
  })
})

test('a report without numbers is an error, not a count', () => {
  expect(() => countUnitTests({ testResults: [] })).toThrow('numPassedTests')
  expect(() => countBrowserTests({ stats: {}, errors: [] })).toThrow('expected')
})
