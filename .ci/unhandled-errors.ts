import { writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import type { Reporter } from 'vitest/node'

/** Where the reporter below writes the errors outside the tests, which vitest's JSON report does not contain. */
export const unhandledErrorsFile = 'SPOOL_UNHANDLED_ERRORS'

// vitest expects a default export.
// oxlint-disable-next-line import/no-default-export
export default class implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly unknown[]): void {
    const path = process.env[unhandledErrorsFile]
    if (path !== undefined) writeFileSync(path, JSON.stringify(errors.map((error) => inspect(error))))
  }
}
