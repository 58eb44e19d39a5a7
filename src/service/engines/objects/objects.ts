/**
 * A store of named bytes. A key is a relative path whose parts consist of letters, digits and `. _ - = +` and do not
 * start with a dot; any other key is an error.
 */
export type Objects = {
  /** Replaces the object; resolves when it is durable. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Returns null when the object does not exist. */
  get(key: string): Promise<Buffer | null>
  /** Does nothing when the object does not exist. */
  delete(key: string): Promise<void>
  /** Returns the keys that start with `prefix`, sorted. */
  list(prefix: string): Promise<string[]>
  /** Rejects when objects cannot be read or written at the moment. */
  ping(): Promise<void>
}
