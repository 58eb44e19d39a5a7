/** A receiver answered with a status other than 200 to 299. `answer`: the start of its body, without secrets. */
export class RefusedRequest extends Error {
  readonly status: number
  /** Time (ms) after which the receiver asks to try again; null if it does not. */
  readonly retryAfterMs: number | null
  readonly code: string

  constructor(status: number, answer: string, retryAfterMs: number | null) {
    super(answer)
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.code = `HTTP_${status}`
  }

  /** Whether the same request may be accepted later. */
  get isPassing(): boolean {
    return this.status >= 500 || [408, 425, 429].includes(this.status)
  }
}
