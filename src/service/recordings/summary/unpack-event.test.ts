import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readWindowEvent, unpackData } from './unpack-event.ts'

const packed = (value: unknown) => gzipSync(JSON.stringify(value)).toString('latin1')
const unpacked = (event: object) => {
  const read = readWindowEvent(JSON.stringify(['w1', { timestamp: 5, cv: '2024-10', ...event }]))
  return read && unpackData(read)
}

test('a packed full snapshot is what it was before', () => {
  const data = {
    node: { id: 1, type: 0, childNodes: [] },
    initialOffset: { top: 0, left: 0 },
    name: 'Ünï “x”',
  }
  expect(unpacked({ type: 2, data: packed(data) })).toEqual(data)
})

test('of a packed mutation the parts that are whole are read, a damaged one is left out', () => {
  const texts = [{ id: 4, value: 'näher' }]
  const adds = packed([{ parentId: 1 }])
  const data = {
    source: 0,
    texts: packed(texts),
    adds: adds.slice(0, -12),
    removes: [],
    attributes: packed([]),
  }
  expect(unpacked({ type: 3, data })).toEqual({ source: 0, texts, attributes: [], removes: [] })
})

test('a mutation that was not packed stays as it is', () => {
  const data = { source: 0, texts: [], attributes: [], removes: [], adds: [{ parentId: 1 }] }
  expect(unpacked({ type: 3, data })).toEqual(data)
})

test('any damaged line is no event, and no line makes the reader fail', () => {
  expect(readWindowEvent('["w1", {"type": 3, "timest')).toBeNull()
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      const event = readWindowEvent(line)
      if (event) unpackData(event)
    }),
  )
})
