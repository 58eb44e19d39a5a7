import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { readBody, readText, statedSize } from './read-body.ts'

const beginning = '[{"event":"a","token":"phc_1"},'
const bytesMax = 32 * 1024

test('the beginning of a body is read from no more gzip data than contains 128 KB', async () => {
  // Without repetitions, 100 numbers fill some hundred bytes.
  const numbers = Array.from({ length: 100 }, (_, index) => Math.imul(index, 0x9e3779b1)).join()
  const honest = gzipSync(beginning + numbers + ' '.repeat(1e7))
  const { text, isWhole } = await readText({ bytes: honest, isWhole: false }, bytesMax)
  expect([text.startsWith(beginning), isWhole]).toEqual([true, false])
  const bomb = gzipSync(Buffer.alloc(1e7, '['))
  // What follows the first bytes is not even decompressed.
  bomb.fill(0xff, 1000)
  expect((await readText({ bytes: bomb, isWhole: false }, bytesMax)).text).toMatch(/^\[{1000,}$/)
})

test('a body states no more bytes than it can contain', () => {
  const forged = gzipSync(beginning)
  forged.writeUInt32LE(0xffffffff, forged.length - 4)
  expect(statedSize(forged)).toBe(forged.length * 1032)
})

test.each([
  ['deep nesting beside a list', `[],"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, /nested/],
  ['deep nesting in a snapshot', `[{"a":${'['.repeat(5000)}${']'.repeat(5000)}}]}`, /nested/],
  ['too many events beside a list', `[]},"a":[${'{},'.repeat(50_000)}{}]`, /50,000 events/],
])('a body of snapshots with %s is refused before it is parsed', async (_, rest, message) => {
  const parse = vi.spyOn(JSON, 'parse')
  const body = Buffer.from(`{"properties":{"$snapshot_data":${rest}}`)
  await expect(readBody(body)).rejects.toThrow(message)
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})
