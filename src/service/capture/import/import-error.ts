/** Why a file cannot be imported, in a sentence for whoever asked for it. */
export class ImportError extends Error {
  override name = 'ImportError'
}
