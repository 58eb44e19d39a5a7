import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib'

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 256 * 1024 }

/** A compressor for all frames: making one would take as long as compressing a frame. */
let compressor: ZstdCompress | null = null
let last: Promise<unknown> = Promise.resolve()

/** Compresses bytes, or text as UTF-8, to one frame of zstd, one frame at a time. */
export async function compressFrame(content: Uint8Array | string): Promise<Buffer> {
  const frame = last.then(() => frameOf((compressor ??= openCompressor()), content))
  last = frame.catch(() => (compressor = null))
  return await frame
}

function openCompressor(): ZstdCompress {
  const stream = createZstdCompress(options)
  // Without a listener, an error between two frames would end the process.
  return stream.on('error', () => {
    if (compressor === stream) compressor = null
  })
}

function frameOf(stream: ZstdCompress, content: Uint8Array | string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  const add = (chunk: Buffer) => void chunks.push(chunk)
  stream.on('data', add).once('error', reject)
  stream.write(content)
  stream.flush(constants.ZSTD_e_end, (error?: Error | null) => {
    stream.off('data', add).off('error', reject)
    if (error) reject(error)
    else resolve(Buffer.concat(chunks))
  })
  return promise
}
