import { join, relative, resolve } from 'node:path'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '..')

export const Count = z.object({ passed: z.int(), failed: z.int() })
export type Count = z.infer<typeof Count>

const ErrorMessage = z.object({ message: z.string().optional() })

const UnitReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
})

type UnitFile = z.infer<typeof UnitReport>['testResults'][number]

const BrowserSuite = z.object({
  specs: z.array(
    z.object({
      file: z.string(),
      title: z.string(),
      tests: z.array(
        z.object({ status: z.string(), results: z.array(z.object({ error: ErrorMessage.optional() })) }),
      ),
    }),
  ),
  get suites() {
    return z.array(BrowserSuite).optional()
  },
})

const BrowserReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }),
  errors: z.array(ErrorMessage),
  suites: z.array(BrowserSuite),
})

/** Failed files that are run again at most; more failures have a common cause. */
const repeatedFilesMax = 5

/** vitest's JSON report of no files. */
const nothing = { testResults: [] }

/**
 * Counts the tests in vitest's JSON report. Files that were run again count as in the report `again`. A file that fails without a
 * failed test, such as one that cannot be loaded, is one failure.
 */
export function countUnitTests(report: unknown, again: unknown = nothing): Count {
  const files = new Map([report, again].flatMap((each) => filesOf(each).map((file) => [file.name, file])))
  const tests = [...files.values()].flatMap(({ assertionResults }) => assertionResults)
  const count = (wanted: string) => tests.filter(({ status }) => status === wanted).length
  return {
    passed: count('passed'),
    failed: count('failed') + [...files.values()].filter(failedAlone).length,
  }
}

/**
 * Returns the failed files in vitest's JSON report to run again, because a busy machine can miss a time limit or lose a server.
 * Returns none if more than `repeatedFilesMax` failed, or if a property has a counterexample: repeating draws other values.
 */
export function filesToRepeat(report: unknown): string[] {
  const files = filesOf(report).filter(({ status }) => status === 'failed')
  const messages = files.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ failureMessages }) => failureMessages),
  )
  const hasCounterexample = messages.some((text) => text.includes('Property failed'))
  return files.length > repeatedFilesMax || hasCounterexample ? [] : files.map(({ name }) => name)
}

function filesOf(report: unknown): UnitFile[] {
  return UnitReport.parse(report).testResults
}

/** Whether a file failed without a failed test. */
function failedAlone({ status, assertionResults }: UnitFile): boolean {
  return status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed')
}

/**
 * Counts the tests in Playwright's JSON report: one that passed when it was repeated has passed. An error outside the tests is one
 * failure.
 */
export function countBrowserTests(report: unknown): Count {
  const { stats, errors } = BrowserReport.parse(report)
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length }
}

/**
 * Names each test in vitest's JSON report that failed, and each file that failed without a failed test; also those whose file
 * passed when it was run again, as in the report `again`.
 */
export function failedUnitTests(report: unknown, again: unknown = nothing): string[] {
  const passed = filesOf(again).filter(({ status }) => status === 'passed')
  return filesOf(report).flatMap((file) => {
    const { message, assertionResults } = file
    const name = relative(root, file.name)
    const passedLater = passed.some((other) => other.name === file.name)
    if (failedAlone(file)) return [described(name, 'the file', message, passedLater)]
    return assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => described(name, fullName, failureMessages[0], passedLater))
  })
}

/** Names each test in Playwright's JSON report that failed, or that passed only when it was repeated. */
export function failedBrowserTests(report: unknown): string[] {
  const { errors, suites } = BrowserReport.parse(report)
  return [
    ...errors.map(({ message }) => described('e2e', 'outside the tests', message)),
    ...suites.flatMap(failedInSuite),
  ]
}

function failedInSuite({ specs, suites = [] }: z.infer<typeof BrowserSuite>): string[] {
  const failed = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) => {
        const message = results.find(({ error }) => error)?.error?.message
        return described(join('e2e', file), title, message, status === 'flaky')
      }),
  )
  return [...failed, ...suites.flatMap(failedInSuite)]
}

function described(file: string, test: string, message = '', repeated = false): string {
  const [reason] = message.split('\n', 1)
  return `${file}: ${test}: ${repeated ? 'passed when repeated, after ' : ''}${reason}`
}
