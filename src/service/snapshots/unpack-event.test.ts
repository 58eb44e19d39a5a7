import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { EventType, IncrementalSource, NodeType } from '../../replay/recorded/rrweb.ts'
import { readSessionEvent, unpackData } from './unpack-event.ts'

const compressed = (value: unknown) => gzipSync(JSON.stringify(value)).toString('latin1')
const decompressed = (event: object) => {
  const read = readSessionEvent(JSON.stringify(['w1', { timestamp: 5, cv: '2024-10', ...event }]))
  return read && unpackData(read)
}

test('decompresses a full snapshot', () => {
  const data = {
    node: { id: 1, type: NodeType.Document, childNodes: [] },
    initialOffset: { top: 0, left: 0 },
    name: 'Ünï “x”',
  }
  expect(decompressed({ type: EventType.FullSnapshot, data: compressed(data) })).toEqual(data)
})

test('decompresses the intact parts of a mutation and omits damaged ones', () => {
  const texts = [{ id: 4, value: 'näher' }]
  const adds = compressed([{ parentId: 1 }])
  const data = {
    source: IncrementalSource.Mutation,
    texts: compressed(texts),
    adds: adds.slice(0, -12),
    removes: [],
    attributes: compressed([]),
  }
  expect(decompressed({ type: EventType.IncrementalSnapshot, data })).toEqual({
    source: IncrementalSource.Mutation,
    texts,
    attributes: [],
    removes: [],
  })
})

test('leaves an uncompressed mutation unchanged', () => {
  const data = {
    source: IncrementalSource.Mutation,
    texts: [],
    attributes: [],
    removes: [],
    adds: [{ parentId: 1 }],
  }
  expect(decompressed({ type: EventType.IncrementalSnapshot, data })).toEqual(data)
})

test('returns null for a damaged line and never throws', () => {
  expect(readSessionEvent('["w1", {"type": 3, "timest')).toBeNull()
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      const event = readSessionEvent(line)
      if (event) unpackData(event)
    }),
  )
})

test('omits a part whose text is small and whose values would fill the memory', () => {
  const nested = gzipSync('['.repeat(4_000_000) + ']'.repeat(4_000_000)).toString('latin1')
  const parsed = vi.spyOn(JSON, 'parse')
  const read = readSessionEvent(
    JSON.stringify(['w1', { timestamp: 5, cv: '2024-10', type: EventType.FullSnapshot, data: nested }]),
  )
  parsed.mockClear()
  expect(read && unpackData(read)).toEqual({})
  expect(parsed).not.toHaveBeenCalled()
  parsed.mockRestore()
})
