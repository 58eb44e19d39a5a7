/**
 * Named bytes. A key is a relative path of parts separated by `/`, each of letters, digits and `. _ - = +`,
 * beginning with no dot; any other key is an error.
 */
export type Objects = {
  /** Replaces the object; resolves when it is durable. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Null when there is no such object. */
  get(key: string): Promise<Buffer | null>
  /** Does nothing when there is no such object. */
  delete(key: string): Promise<void>
  /** The keys that begin with this text, sorted. */
  list(prefix: string): Promise<string[]>
}
