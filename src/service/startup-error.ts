/** A failure to start that the operator can fix; `main.ts` prints only the message (one sentence) and exits with code 1. */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** Returns a StartupError unchanged, and wraps any other cause in one: "<failure>: <reason>." */
export function startupErrorFrom(cause: unknown, failure: string): StartupError {
  if (cause instanceof StartupError) return cause
  return new StartupError(`${failure}: ${reasonOf(cause)}.`, { cause })
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  const text = cause instanceof Error ? cause.message || cause.name : String(cause)
  const [firstLine = ''] = text.split('\n')
  return firstLine.trim().replace(/\.$/, '')
}
