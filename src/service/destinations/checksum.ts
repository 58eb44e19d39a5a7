import { createHash, hash, type Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { ignoreMissing } from '../engines/durable.ts'

/** Bytes of a file in memory: few enough to stay in the processor's cache until they are hashed. */
const bufferBytes = 1024 ** 2

/** Interval (ms) at which a growing file is polled. */
const pollIntervalMs = 100

/** Returns the SHA-256 of a text, as `sha256:` and hexadecimal digits. */
export function textChecksum(text: string): string {
  return `sha256:${hash('sha256', text)}`
}

function checksumOf(sum: Hash): string {
  return `sha256:${sum.digest('hex')}`
}

/** Returns the SHA-256 of a file. */
export async function fileChecksum(place: string): Promise<string> {
  const sum = createHash('sha256')
  const file = await open(place)
  await readRest(file, (chunk) => sum.update(chunk)).finally(() => file.close())
  return checksumOf(sum)
}

/** Returns the CRC-32 of a file, which earlier versions recorded. */
export async function fileCrc32(place: string): Promise<string> {
  let sum = 0
  const file = await open(place)
  await readRest(file, (chunk) => (sum = crc32(chunk, sum))).finally(() => file.close())
  return `crc32:${sum.toString(16).padStart(8, '0')}`
}

/** Returns the SHA-256 of a stream. */
export async function streamChecksum(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of chunks) sum.update(chunk)
  return checksumOf(sum)
}

/**
 * Returns the SHA-256 of a file that the engine appends to until `complete` is aborted. Meanwhile the file is also flushed, if it
 * should be, so that little is left to hash and to flush when it is complete. A file that was not created counts as empty.
 */
export async function growingFileChecksum(
  place: string,
  complete: AbortSignal,
  flushes = true,
): Promise<string> {
  const sum = createHash('sha256')
  let file: FileHandle | undefined
  try {
    for (;;) {
      // Read before the file, which is complete only if this was true already.
      const isComplete = complete.aborted
      file ??= await open(place).catch(ignoreMissing)
      if (file) await readRest(file, (chunk) => sum.update(chunk))
      if (isComplete) return checksumOf(sum)
      if (flushes) await file?.sync()
      await setTimeout(pollIntervalMs, undefined, { signal: complete }).catch(() => undefined)
    }
  } finally {
    await file?.close()
  }
}

/** Reads a file from its current position to its end. */
async function readRest(file: FileHandle, add: (chunk: Uint8Array) => unknown): Promise<void> {
  // One buffer for all reads: a stream would allocate one for each, which takes longer than the checksum.
  const buffer = Buffer.allocUnsafe(bufferBytes)
  for (;;) {
    const { bytesRead } = await file.read(buffer)
    if (bytesRead === 0) return
    add(buffer.subarray(0, bytesRead))
  }
}
