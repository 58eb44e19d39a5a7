/** A file on the service's disk, which may still grow until its size is known. */
export type LocalFile = { place: string; bytes: number | Promise<number> }

/** A file that the other side has, but does not show yet. */
export type SentFile = {
  /** Makes the file visible at once, in place of an earlier one. Returns the checksum that the store has for it, if any. */
  publish: () => Promise<string | null>
}

/** Longest text (bytes) to read: a manifest names each file. */
export const textBytesMax = 16 * 1024 ** 2

/** A place to which files are sent. */
export type RemoteFiles = {
  /** Whether `send` sends what a growing file has, rather than wait until it is complete. */
  sendsGrowing: boolean
  /** @throws ExportError if no file can have this key. */
  assertKey(key: string): void
  send(file: LocalFile, key: string): Promise<SentFile>
  /** Null for a missing file. @throws Error if it is longer than `textBytesMax` */
  readText(key: string): Promise<string | null>
  /** Removes a file; a missing one is not an error. */
  remove(key: string): Promise<void>
  /** Removes what was sent but not published; returns the names of files that could not be removed. */
  close(): Promise<readonly string[]>
}
