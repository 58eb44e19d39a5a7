import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventType, IncrementalSource, NodeType } from '../../../contract/rrweb.ts'
import { readSessionEvent, unpackData } from './unpack-event.ts'

const packed = (value: unknown) => gzipSync(JSON.stringify(value)).toString('latin1')
const unpacked = (event: object) => {
  const read = readSessionEvent(JSON.stringify(['w1', { timestamp: 5, cv: '2024-10', ...event }]))
  return read && unpackData(read)
}

test('a packed full snapshot is what it was before', () => {
  const data = {
    node: { id: 1, type: NodeType.Document, childNodes: [] },
    initialOffset: { top: 0, left: 0 },
    name: 'Ünï “x”',
  }
  expect(unpacked({ type: EventType.FullSnapshot, data: packed(data) })).toEqual(data)
})

test('of a packed mutation the parts that are whole are read, a damaged one is left out', () => {
  const texts = [{ id: 4, value: 'näher' }]
  const adds = packed([{ parentId: 1 }])
  const data = {
    source: IncrementalSource.Mutation,
    texts: packed(texts),
    adds: adds.slice(0, -12),
    removes: [],
    attributes: packed([]),
  }
  expect(unpacked({ type: EventType.IncrementalSnapshot, data })).toEqual({
    source: IncrementalSource.Mutation,
    texts,
    attributes: [],
    removes: [],
  })
})

test('a mutation that was not packed stays as it is', () => {
  const data = {
    source: IncrementalSource.Mutation,
    texts: [],
    attributes: [],
    removes: [],
    adds: [{ parentId: 1 }],
  }
  expect(unpacked({ type: EventType.IncrementalSnapshot, data })).toEqual(data)
})

test('any damaged line is no event, and no line makes the reader fail', () => {
  expect(readSessionEvent('["w1", {"type": 3, "timest')).toBeNull()
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      const event = readSessionEvent(line)
      if (event) unpackData(event)
    }),
  )
})
