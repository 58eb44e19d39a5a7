/** A refusal as capture clients read it: a status and one line of plain text. posthog-js gives up on 4xx and retries 5xx. */
export class CaptureError extends Error {
  override name = 'CaptureError'
  readonly status: 400 | 401 | 413 | 503

  constructor(status: 400 | 401 | 413 | 503, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}
