/** Why an export failed, in words that say what to do. */
export class ExportError extends Error {
  override name = 'ExportError'
  /** Whether another attempt would fail the same way. */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean, options?: ErrorOptions) {
    super(message, options)
    this.permanent = permanent
  }
}
