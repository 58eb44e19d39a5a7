import { createHash, hash, type Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { flush, ignoreMissing } from '../engines/durable.ts'

/** Bytes of a file in memory: few enough to stay in the processor's cache until they are hashed. */
const bufferBytes = 1024 ** 2

/** Pause (ms) before a growing file is read or flushed again. */
const pauseMs = 50

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
  await readRest(file, newBuffer(), (chunk) => sum.update(chunk)).finally(() => file.close())
  return checksumOf(sum)
}

/** Returns the CRC-32 of a file, which earlier versions recorded. */
export async function fileCrc32(place: string): Promise<string> {
  let sum = 0
  const file = await open(place)
  await readRest(file, newBuffer(), (chunk) => (sum = crc32(chunk, sum))).finally(() => file.close())
  return `crc32:${sum.toString(16).padStart(8, '0')}`
}

/** Returns the SHA-256 of a stream. */
export async function streamChecksum(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of chunks) sum.update(chunk)
  return checksumOf(sum)
}

/**
 * Returns the SHA-256 of a file that the engine appends to until `complete` is aborted. Hashes what the file has, so that little is
 * left when it is complete. A file that was not created counts as empty.
 */
export async function growingFileChecksum(place: string, complete: AbortSignal): Promise<string> {
  const sum = createHash('sha256')
  const buffer = newBuffer()
  let file: FileHandle | undefined
  try {
    for (;;) {
      // Read before the file, which is complete only if this was true already.
      const isComplete = complete.aborted
      file ??= await open(place).catch(ignoreMissing)
      if (file) await readRest(file, buffer, (chunk) => sum.update(chunk))
      if (isComplete) return checksumOf(sum)
      await pause(complete)
    }
  } finally {
    await file?.close()
  }
}

/** Flushes a file that grows until `complete` is aborted, so that little is left to flush then. It may not exist yet. */
export async function flushGrowing(place: string, complete: AbortSignal): Promise<void> {
  while (!complete.aborted) {
    await flush(place).catch(ignoreMissing)
    await pause(complete)
  }
}

/** Waits, but not longer than until the file is complete. */
function pause(complete: AbortSignal): Promise<void> {
  return setTimeout(pauseMs, undefined, { signal: complete }).catch(() => undefined)
}

function newBuffer(): Buffer {
  return Buffer.allocUnsafe(bufferBytes)
}

/** Reads a file from its current position to its end, into one buffer: new ones would take longer than the checksum. */
async function readRest(
  file: FileHandle,
  buffer: Buffer,
  add: (chunk: Uint8Array) => unknown,
): Promise<void> {
  for (;;) {
    const { bytesRead } = await file.read(buffer)
    if (bytesRead === 0) return
    add(buffer.subarray(0, bytesRead))
  }
}
