import { Readable } from 'node:stream'
import { zstdCompressSync } from 'node:zlib'
import type { StoredLines } from './blocks.ts'

/** A stream of lines; `sendFrames` makes it send the frames of zstd in which they are stored instead, before anything is read. */
export type LineStream = Readable & { sendFrames: () => void }

/** Streams blocks of lines, joined by newlines. */
export function streamLines(blocks: AsyncIterable<StoredLines>): LineStream {
  let isFrames = false
  const stream = Readable.from(
    (async function* () {
      let isFirst = true
      for await (const { lines, frame } of blocks) {
        if (!isFirst && lines.length > 0) yield isFrames ? newlineFrame : newline
        isFirst &&= lines.length === 0
        yield isFrames ? frame : lines
      }
    })(),
    { objectMode: false },
  )
  return Object.assign(stream, { sendFrames: () => void (isFrames = true) })
}

const newline = Buffer.from('\n')
const newlineFrame = zstdCompressSync(newline)

export function isLineStream(payload: unknown): payload is LineStream {
  return payload instanceof Readable && 'sendFrames' in payload
}
