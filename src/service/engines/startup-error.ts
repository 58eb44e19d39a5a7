/** A reason not to start that a person can fix; main prints the message alone (one sentence) and exits with code 1. */
export class StartupError extends Error {
  override name = 'StartupError'
}
