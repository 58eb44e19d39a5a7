import type { ConnectionTestState } from './use-connection-test.ts'

type Tested = Pick<ConnectionTestState, 'isRunning' | 'isOutdated' | 'failure'> & {
  result: { ok: boolean } | null
}

/** Returns what is known about the form's destination; `stored`: it is the saved one, and has not been tested here. */
export function testOutcome({ isRunning, result, isOutdated, failure }: Tested, isStored: boolean) {
  if (isRunning) return 'running'
  if (result && !isOutdated) return result.ok ? 'passed' : 'failed'
  if (failure) return 'failed'
  if (isStored) return 'stored'
  return result ? 'outdated' : 'untested'
}
