/** An export's failure, with a message that says what to do. */
export class ExportError extends Error {
  override name = 'ExportError'
  /** Whether another attempt would fail the same way. */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean, options?: ErrorOptions) {
    super(message, options)
    this.permanent = permanent
  }
}
