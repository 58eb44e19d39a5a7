import { randomBytes } from 'node:crypto'
import { ZstdCompress, zstdDecompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { compressFrame } from './compress-frame.ts'

test('contents that are compressed at the same time stay apart, whatever their size', async () => {
  // Random bytes do not become shorter, so that the long ones fill several of the compressor's buffers.
  const contents = [1, 700_000, 20, 1, 300_000, 9].map((size) => randomBytes(size))
  const frames = await Promise.all([...contents.map(compressFrame), compressFrame('text ü')])
  expect(frames.map((frame) => zstdDecompressSync(frame))).toEqual([...contents, Buffer.from('text ü')])
})

test('a compressor that fails, during a frame or between two, is replaced, and no frame is lost silently', async () => {
  const flush = vi.spyOn(ZstdCompress.prototype, 'flush')
  const failed = compressFrame('a')
  const compressor = () => flush.mock.contexts.at(-1) as ZstdCompress | undefined
  // The frame begins, but the compressor's thread has no turn yet.
  await Promise.resolve()
  compressor()?.destroy()
  await expect(failed).rejects.toThrow('destroyed')
  expect(zstdDecompressSync(await compressFrame('b'))).toEqual(Buffer.from('b'))
  compressor()?.destroy(new Error('no memory'))
  await new Promise(setImmediate)
  expect(zstdDecompressSync(await compressFrame('c'))).toEqual(Buffer.from('c'))
})
