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

/** More failed files have a cause that repeating them does not remove. */
const repeatedAtMost = 5

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

/**
 * Counts the tests in vitest's JSON report, or in that of the files that were run again if they are there too. A file that fails
 * without a failed test, such as one that cannot be loaded, is one failure.
 */
export function countUnitTests(report: unknown, again: unknown = { testResults: [] }): Count {
  const files = new Map([report, again].flatMap((each) => filesOf(each).map((file) => [file.name, file])))
  const tests = [...files.values()].flatMap(({ assertionResults }) => assertionResults)
  const count = (wanted: string) => tests.filter(({ status }) => status === wanted).length
  return {
    passed: count('passed'),
    failed: count('failed') + [...files.values()].filter(failedAlone).length,
  }
}

/**
 * Returns the failed files in vitest's JSON report that are worth running again, because a busy machine can miss a time limit or
 * lose a server. One with a counterexample to a property is not: running it again draws other values.
 */
export function filesToRepeat(report: unknown): string[] {
  const files = filesOf(report).filter(({ status }) => status === 'failed')
  const messages = files.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ failureMessages }) => failureMessages),
  )
  const isChance =
    files.length <= repeatedAtMost && !messages.some((text) => text.includes('Property failed'))
  return isChance ? files.map(({ name }) => name) : []
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

/** Names each test in vitest's JSON report that failed, and each file that failed without a failed test. */
export function failedUnitTests(report: unknown): string[] {
  return filesOf(report).flatMap((file) => {
    const { name, message, assertionResults } = file
    if (failedAlone(file)) return [described(relative(root, name), 'the file', message)]
    return assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => described(relative(root, name), fullName, failureMessages[0]))
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
