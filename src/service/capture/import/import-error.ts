/** A failed import, explained in one sentence for the user. */
export class ImportError extends Error {
  override name = 'ImportError'
}
