import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { compressFrame } from './compress-frame.ts'
import type { Objects } from '../engines/objects/objects.ts'

/** Bytes of a block before compression; capture writes far smaller blocks. */
export const blockSizeMax = 64 * 1024 * 1024
/** Typical compression ratio. Sizing the buffer by it avoids copying many chunks. */
const typicalRatio = 4

const decompress = promisify<Uint8Array, { maxOutputLength: number; chunkSize: number }, Buffer>(
  zstdDecompress,
)

/** Returns the folder of a recording's blocks. It contains a hash of the session id, which may contain any of `-_.:`. */
export function blockFolder(projectId: number, sessionId: string): string {
  return `recordings/${projectId}/${createHash('sha256').update(sessionId).digest('hex').slice(0, 32)}/`
}

/** Writes a block durably. `lines`: UTF-8 text with `["<window id>", <rrweb event>]` for each event, joined by newlines. */
export async function writeBlock(objects: Objects, key: string, lines: Uint8Array | string): Promise<void> {
  await objects.put(key, await compressFrame(lines))
}

/** A block whose object is missing or damaged. */
export class LostBlock extends Error {}

/** Reads the lines of a block as UTF-8. @throws LostBlock */
export async function readBlock(objects: Objects, key: string): Promise<Buffer> {
  const compressed = await objects.get(key)
  if (!compressed) throw new LostBlock(`block ${key} of a recording is missing`)
  return await decompressLines(compressed).catch((cause: unknown) => {
    throw new LostBlock(`block ${key} of a recording is damaged`, { cause })
  })
}

/** Returns the lines of a frame of zstd, as UTF-8. @throws if it is damaged or larger than a block may be. */
export async function decompressLines(compressed: Uint8Array): Promise<Buffer> {
  return await decompress(compressed, {
    maxOutputLength: blockSizeMax,
    chunkSize: typicalRatio * compressed.length + 1024,
  })
}
