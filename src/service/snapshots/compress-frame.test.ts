import { randomBytes } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressFrame } from './compress-frame.ts'

test('contents that are compressed at the same time stay apart, whatever their size', async () => {
  // Random bytes do not become shorter, so that the long ones fill several of the compressor's buffers.
  const contents = [1, 700_000, 20, 1, 300_000, 9].map((size) => randomBytes(size))
  const frames = await Promise.all([...contents.map(compressFrame), compressFrame('text ü')])
  expect(frames.map((frame) => zstdDecompressSync(frame))).toEqual([...contents, Buffer.from('text ü')])
})
