import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import type { Objects } from '../../engines/objects.ts'

/** Bytes of one block before compression; capture makes far smaller ones. */
export const blockSizeMax = 64 * 1024 * 1024
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** How much longer lines mostly are than packed. Room for them in one piece spares copying many together. */
const usualRatio = 4

const compress = promisify<Uint8Array | string, typeof compression, Buffer>(zstdCompress)
const decompress = promisify<Uint8Array, { maxOutputLength: number; chunkSize: number }, Buffer>(
  zstdDecompress,
)

/** Where the blocks of a recording lie. The session id goes into it as a hash, since it may hold any of `-_.:`. */
export function blockFolder(projectId: number, sessionId: string): string {
  return `recordings/${projectId}/${createHash('sha256').update(sessionId).digest('hex').slice(0, 32)}/`
}

/** Durable when it resolves. `lines`: `["<window id>", <rrweb event>]` for each event, joined by newlines. */
export async function writeBlock(objects: Objects, key: string, lines: string): Promise<void> {
  await objects.put(key, await compress(lines, compression))
}

/** The lines of a block as UTF-8. @throws when the object is not there, or is no block. */
export async function readBlock(objects: Objects, key: string): Promise<Buffer> {
  const packed = await objects.get(key)
  if (!packed) throw new Error(`the block ${key} of a recording is missing`)
  return await decompress(packed, {
    maxOutputLength: blockSizeMax,
    chunkSize: usualRatio * packed.length + 1024,
  })
}
