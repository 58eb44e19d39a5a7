import { expect, test } from 'vitest'
import { countBrowserTests, countUnitTests, failedBrowserTests, failedUnitTests } from './count.ts'

const file = (status: string, ...assertions: string[]) => ({
  name: `${process.cwd()}/src/a.test.ts`,
  status,
  message: 'cannot be loaded\nstack',
  assertionResults: assertions.map((assertion) => ({
    status: assertion.split(' ')[0],
    fullName: 'adds',
    failureMessages: assertion === 'passed' || assertion === 'skipped' ? [] : ['expected 1 to be 2\nstack'],
  })),
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
  expect(countBrowserTests({ stats, errors: [{ message: 'No tests found' }], suites: [] })).toEqual({
    passed: 9,
    failed: 2,
  })
})

test('a report without numbers is an error, not a count', () => {
  expect(() => countUnitTests({ testResults: [] })).toThrow('numPassedTests')
  expect(() => countBrowserTests({ stats: {}, errors: [] })).toThrow('expected')
})

test('unit tests: names what failed, and what passed only when repeated, with the reason', () => {
  const testResults = [
    file('passed', 'passed', 'passed again'),
    file('failed', 'failed', 'passed'),
    file('failed'),
  ]
  expect(failedUnitTests({ numPassedTests: 3, numFailedTests: 1, testResults })).toEqual([
    'src/a.test.ts: adds: passed when repeated, after expected 1 to be 2',
    'src/a.test.ts: adds: expected 1 to be 2',
    'src/a.test.ts: the file: cannot be loaded',
  ])
})

test('browser tests: names what failed, and what passed only when repeated, with the reason', () => {
  const spec = (title: string, status: string, message?: string) => ({
    file: 'a.e2e.ts',
    title,
    tests: [{ status, results: [{ error: message === undefined ? undefined : { message } }] }],
  })
  const specs = [spec('saves', 'expected'), spec('opens', 'unexpected', 'too late\nstack')]
  const suites = [{ specs, suites: [{ specs: [spec('closes', 'flaky', 'gone')] }] }]
  const stats = { expected: 1, unexpected: 1, flaky: 1 }
  expect(failedBrowserTests({ stats, errors: [{ message: 'No browser' }], suites })).toEqual([
    'e2e: outside the tests: No browser',
    'e2e/a.e2e.ts: opens: too late',
    'e2e/a.e2e.ts: closes: passed when repeated, after gone',
  ])
})
