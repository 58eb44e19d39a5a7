import { z } from 'zod'

export const Count = z.object({ passed: z.int(), failed: z.int() })
export type Count = z.infer<typeof Count>

const UnitReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
})

const BrowserReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }),
  errors: z.array(z.unknown()),
})

/** Counts the tests in vitest's JSON report. A file that fails without a failed test, such as one that cannot be loaded, is one failure. */
export function countUnitTests(report: unknown): Count {
  const { numPassedTests, numFailedTests, testResults } = UnitReport.parse(report)
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  )
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length }
}

/** Counts the tests in Playwright's JSON report: one that passed when it was repeated has passed. An error outside the tests is one failure. */
export function countBrowserTests(report: unknown): Count {
  const { stats, errors } = BrowserReport.parse(report)
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length }
}
