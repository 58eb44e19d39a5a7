import { Readable, pipeline } from 'node:stream'
import { constants, createZstdDecompress } from 'node:zlib'
import { DamagedFile, withoutSeal } from './seal.ts'

/** The window (bytes, as a power of two) that a decompressor may have to keep in memory. */
const windowLogMax = 23

type Limits = { compressed: number; content: number; line: number }

/** The file is larger than allowed. */
export class TooLargeFile extends Error {}

/**
 * Reads the lines of a file, one at a time.
 * @throws DamagedFile for a file that was changed or cut, or is not a recording file; TooLargeFile; the error of `body`.
 */
export async function* readLines(body: AsyncIterable<Buffer>, limits: Limits): AsyncGenerator<string> {
  const decompressed = createZstdDecompress({
    params: { [constants.ZSTD_d_windowLogMax]: windowLogMax },
  })
  const sealed = withoutSeal(atMost(body, limits.compressed))
  // The reader of `decompressed` receives a failure.
  pipeline(Readable.from(sealed, { objectMode: false }), decompressed, () => undefined)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let parts: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of atMost(decompressed, limits.content)) {
      let start = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        yield decoder.decode(Buffer.concat([...parts, chunk.subarray(start, end)]))
        parts = []
        length = 0
        start = end + 1
      }
      const rest = chunk.subarray(start)
      length += rest.length
      if (length > limits.line) throw new TooLargeFile('a line is too long')
      parts.push(rest)
    }
  } catch (error) {
    throw isDecodingError(error) ? new DamagedFile('it cannot be decompressed', { cause: error }) : error
  }
  if (length > 0) throw new DamagedFile('its last line is incomplete')
}

const newline = 0x0a

async function* atMost(bytes: AsyncIterable<Buffer>, max: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > max) throw new TooLargeFile('the file is too large')
    yield chunk
  }
}

/** Whether zstd or the UTF-8 decoder rejected the file. */
function isDecodingError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return /^(ZSTD|Z_|ERR_ENCODING_INVALID|ERR_BUFFER_TOO_LARGE)/.test(String(error.code))
}
