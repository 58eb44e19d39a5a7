import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { ignoreMissing } from '../engines/durable.ts'

/** Computes a checksum over chunks of bytes. */
type Checksum = { update(chunk: Uint8Array): void; text(): string }

function sha256(): Checksum {
  const hash = createHash('sha256')
  return { update: (chunk) => void hash.update(chunk), text: () => `sha256:${hash.digest('hex')}` }
}

function crc(): Checksum {
  let sum = 0
  return {
    update: (chunk) => (sum = crc32(chunk, sum)),
    text: () => `crc32:${sum.toString(16).padStart(8, '0')}`,
  }
}

/** Bytes of a file in memory: few enough to stay in the processor's cache until they are hashed. */
const bufferBytes = 1024 ** 2

/** Interval (ms) at which a growing file is polled. */
const pollIntervalMs = 100

/** Returns the SHA-256 of a text, as `sha256:` and hexadecimal digits. */
export function textChecksum(text: string): string {
  const sum = sha256()
  sum.update(Buffer.from(text))
  return sum.text()
}

/** Returns the SHA-256 of a file. */
export function fileChecksum(place: string): Promise<string> {
  return checksumOfFile(sha256(), place)
}

/** Returns the CRC-32 of a file, which earlier versions recorded. */
export function fileCrc32(place: string): Promise<string> {
  return checksumOfFile(crc(), place)
}

/** Returns the SHA-256 of a stream. */
export async function streamChecksum(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const sum = sha256()
  for await (const chunk of chunks) sum.update(chunk)
  return sum.text()
}

/**
 * Returns the SHA-256 of a file that the engine appends to until `complete` is aborted. Meanwhile the file is also flushed, so
 * that little is left to hash and to flush when it is complete. A file that was not created counts as empty.
 */
export async function growingFileChecksum(place: string, complete: AbortSignal): Promise<string> {
  const sum = sha256()
  let file: FileHandle | undefined
  try {
    for (;;) {
      // Read before the file, which is complete only if this was true already.
      const isComplete = complete.aborted
      file ??= await open(place).catch(ignoreMissing)
      if (file) await addRest(sum, file)
      if (isComplete) return sum.text()
      await file?.sync()
      await setTimeout(pollIntervalMs, undefined, { signal: complete }).catch(() => undefined)
    }
  } finally {
    await file?.close()
  }
}

async function checksumOfFile(sum: Checksum, place: string): Promise<string> {
  const file = await open(place)
  try {
    await addRest(sum, file)
    return sum.text()
  } finally {
    await file.close()
  }
}

/** Adds a file's bytes from its current position to its end. */
async function addRest(sum: Checksum, file: FileHandle): Promise<void> {
  // One buffer for all reads: a stream would allocate one for each, which takes longer than the checksum.
  const buffer = Buffer.allocUnsafe(bufferBytes)
  for (;;) {
    const { bytesRead } = await file.read(buffer)
    if (bytesRead === 0) return
    sum.update(buffer.subarray(0, bytesRead))
  }
}
