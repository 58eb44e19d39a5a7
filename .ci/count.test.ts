import { expect, test } from 'vitest'
import {
  countBrowserTests,
  countUnitTests,
  failedBrowserTests,
  failedUnitTests,
  filesToRepeat,
} from './count.ts'

const pathOf = (name: string) => `${process.cwd()}/src/${name}.test.ts`

const file = (name: string, status: string, ...assertions: string[]) => ({
  name: pathOf(name),
  status,
  message: 'cannot be loaded\nstack',
  assertionResults: assertions.map((assertion) => ({
    status: assertion,
    fullName: 'adds',
    failureMessages: assertion === 'failed' ? ['expected 1 to be 2\nstack'] : [],
  })),
})

test('unit tests: counts passed and failed tests, but not skipped ones', () => {
  const testResults = [file('a', 'passed', 'passed', 'skipped'), file('b', 'failed', 'failed', 'passed')]
  expect(countUnitTests({ testResults })).toEqual({ passed: 2, failed: 1 })
})

test('unit tests: counts each file that cannot be loaded as a failure', () => {
  const testResults = [file('a', 'passed', 'passed'), file('b', 'failed'), file('c', 'failed', 'passed')]
  expect(countUnitTests({ testResults })).toEqual({ passed: 2, failed: 2 })
})

test('unit tests: counts a file that was run again as it was then', () => {
  const testResults = [
    file('a', 'passed', 'passed'),
    file('b', 'failed', 'failed', 'passed'),
    file('c', 'failed', 'failed'),
  ]
  const again = { testResults: [file('b', 'passed', 'passed', 'passed'), file('c', 'failed', 'failed')] }
  expect(countUnitTests({ testResults }, again)).toEqual({ passed: 3, failed: 1 })
})

test('unit tests: up to five failed files are run again, but none if a property has a counterexample', () => {
  const failed = (...names: string[]) => names.map((name) => file(name, 'failed', 'failed'))
  const testResults = [file('a', 'passed', 'passed'), ...failed('b'), file('c', 'failed')]
  expect(filesToRepeat({ testResults })).toEqual([pathOf('b'), pathOf('c')])
  expect(filesToRepeat({ testResults: failed('a', 'b', 'c', 'd', 'e', 'f') })).toEqual([])
  const [property] = failed('a')
  property?.assertionResults[0]?.failureMessages.push('Property failed after 3 tests')
  expect(filesToRepeat({ testResults: [property, ...failed('b')] })).toEqual([])
})

test('browser tests: counts a test that passed when repeated as passed, and an error outside the tests as failed', () => {
  const stats = { expected: 7, unexpected: 1, flaky: 2, skipped: 3 }
  expect(countBrowserTests({ stats, errors: [{ message: 'No tests found' }], suites: [] })).toEqual({
    passed: 9,
    failed: 2,
  })
})

test('a report without results is an error, not a count', () => {
  expect(() => countUnitTests({ numPassedTests: 1 })).toThrow('testResults')
  expect(() => countBrowserTests({ stats: {}, errors: [] })).toThrow('expected')
})

test('unit tests: names what failed, and what passed when its file was run again, with the reason', () => {
  const testResults = [
    file('a', 'passed', 'passed'),
    file('b', 'failed', 'failed', 'passed'),
    file('c', 'failed'),
  ]
  expect(failedUnitTests({ testResults })).toEqual([
    'src/b.test.ts: adds: expected 1 to be 2',
    'src/c.test.ts: the file: cannot be loaded',
  ])
  const again = { testResults: [file('b', 'passed', 'passed', 'passed'), file('c', 'failed')] }
  expect(failedUnitTests({ testResults }, again)).toEqual([
    'src/b.test.ts: adds: passed when repeated, after expected 1 to be 2',
    'src/c.test.ts: the file: cannot be loaded',
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
