const limitErrorCodes = new Set<unknown>(['ABORT_ERR', 'ERR_WORKER_OUT_OF_MEMORY'])

/** Returns whether an error means that a thread ran out of memory, or of time: its signal was aborted. */
export function exceededThreadLimit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && limitErrorCodes.has(error.code)
}
