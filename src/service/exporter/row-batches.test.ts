import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowBatches } from './row-batches.ts'

async function cut(chunks: readonly Uint8Array[], rowsMax: number, bytesMax: number) {
  const batches = await Array.fromAsync(rowBatches(Readable.from(chunks), rowsMax, bytesMax))
  return batches.map(({ rows, body }) => ({ rows, body: body.toString() }))
}

/** Cuts bytes at these places. */
function chunksOf(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

test('any stream gives all rows in order, within the bounds, and the same batches for any chunks', async () => {
  const input = fc.record({
    rows: fc.array(fc.record({ text: fc.string({ unit: 'binary', maxLength: 30 }) }), { maxLength: 20 }),
    places: fc.array(fc.nat(), { maxLength: 10 }),
    rowsMax: fc.integer({ min: 1, max: 7 }),
    bytesMax: fc.integer({ min: 10, max: 200 }),
  })
  await fc.assert(
    fc.asyncProperty(input, async ({ rows, places, rowsMax, bytesMax }) => {
      const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      const batches = await cut(chunksOf(bytes, places), rowsMax, bytesMax)
      expect(batches.flatMap(({ body }) => JSON.parse(body) as unknown[])).toEqual(rows)
      for (const batch of batches) {
        expect(JSON.parse(batch.body)).toHaveLength(batch.rows)
        expect(batch.rows).toBeLessThanOrEqual(rowsMax)
        // A larger row is alone.
        if (batch.rows > 1) expect(Buffer.byteLength(batch.body)).toBeLessThanOrEqual(bytesMax)
      }
      expect(await cut([bytes], rowsMax, bytesMax)).toEqual(batches)
    }),
    { numRuns: 50 },
  )
})

test('a batch is not cut before it is full', async () => {
  const lines = Buffer.from('{"a":1}\n{"a":2}\n{"a":3}\n')
  expect(await cut([lines], 2, 1000)).toEqual([
    { rows: 2, body: '[{"a":1},{"a":2}]' },
    { rows: 1, body: '[{"a":3}]' },
  ])
  expect((await cut([lines], 1000, 17)).map(({ rows }) => rows)).toEqual([2, 1])
  expect((await cut([lines], 1000, 16)).map(({ rows }) => rows)).toEqual([1, 1, 1])
})

test('rows that end within a line are an error', async () => {
  await expect(cut([Buffer.from('{"a":1}\n{"a"')], 10, 1000)).rejects.toThrow('within a line')
})
