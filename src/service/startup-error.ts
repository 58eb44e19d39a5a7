/** A reason not to start that a person can fix; main prints the message alone (one sentence) and exits with code 1. */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** The cause itself when it is a StartupError, else one that says what cannot be done, and why. */
export function startupErrorFrom(cause: unknown, what: string): StartupError {
  if (cause instanceof StartupError) return cause
  return new StartupError(`${what}: ${reasonOf(cause)}.`, { cause })
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  const text = cause instanceof Error ? cause.message || cause.name : String(cause)
  const [firstLine = ''] = text.split('\n')
  return firstLine.trim().replace(/\.$/, '')
}
