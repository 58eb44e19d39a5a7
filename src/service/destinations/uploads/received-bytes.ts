import { ExportError } from '../../problems/export-error.ts'
import { assertSpace, megabytes } from './upload-folder.ts'

/** Counts bytes that were received. @throws ExportError if they are too many, or the disk is full. */
export type CountBytes = (bytes: number) => Promise<void>

/** Bytes after which the disk is checked again. */
const checkBytes = 64 * 1024 ** 2

/**
 * Counts what a destination sends back, of which it may not send more than `bytesMax`.
 * @param folder where it is kept; null if not on the service's disk
 */
export function receivedBytes(folder: string | null, bytesMax: number): CountBytes {
  let [received, checked] = [0, 0]
  return async (bytes) => {
    received += bytes
    if (received > bytesMax)
      throw new ExportError(
        `The destination sent more than the expected ${megabytes(bytesMax)}, so reading was stopped: check what else writes there.`,
        true,
      )
    if (folder === null || received - checked < checkBytes) return
    checked = received
    await assertSpace(folder, 0)
  }
}

/** Passes chunks on and counts them. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  count: CountBytes,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    await count(chunk.length)
    yield chunk
  }
}
