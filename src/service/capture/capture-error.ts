/** Seconds after which clients should retry a 503. */
export const retryAfterSeconds = 10

/** An error response for capture clients: a status and one line of plain text. posthog-js retries 5xx but not 4xx. */
export class CaptureError extends Error {
  override name = 'CaptureError'
  readonly status: 400 | 401 | 413 | 503

  constructor(status: 400 | 401 | 413 | 503, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** @throws CaptureError 503, after which posthog-js keeps its events and retries */
export function unavailable(cause: unknown): never {
  throw new CaptureError(503, 'events cannot be stored at the moment, try again', { cause })
}
