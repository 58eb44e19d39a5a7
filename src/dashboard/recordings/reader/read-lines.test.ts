import { expect, test } from 'vitest'
import { EventType, IncrementalSource, NodeType } from '../../../replay/recorded/rrweb.ts'
import { createPlaceholders } from './placeholders.ts'
import { createNeutralizer } from './neutralize.ts'
import { readLines as read } from './read-lines.ts'

const readLines = (text: string) =>
  read(new TextEncoder().encode(text), createNeutralizer(createPlaceholders()))

function pack(value: unknown): Promise<string> {
  return gzip(JSON.stringify(value))
}

/** Compresses a text; the gzip bytes are returned as Latin-1 text. */
async function gzip(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

function line(event: unknown, window = 'a'): string {
  return JSON.stringify([window, event])
}

const node = {
  type: NodeType.Document,
  id: 1,
  childNodes: [{ type: NodeType.Text, id: 2, textContent: 'Grüße' }],
}

test('unpacks events that posthog-js packed as a whole or in parts', async () => {
  const adds = [{ parentId: 1, nextId: null, node: { type: NodeType.Text, id: 3, textContent: 'new' } }]
  const none = await pack([])
  const mutation = {
    source: IncrementalSource.Mutation,
    texts: none,
    attributes: none,
    removes: none,
    adds: await pack(adds),
  }
  const { events, unreadable } = await readLines(
    [
      line({ type: EventType.FullSnapshot, timestamp: 1, cv: '2024-10', data: await pack({ node }) }),
      line({ type: EventType.IncrementalSnapshot, timestamp: 2, cv: '2024-10', data: mutation }, 'b'),
      line({
        type: EventType.IncrementalSnapshot,
        timestamp: 3,
        data: { source: IncrementalSource.Mutation, adds },
      }),
    ].join('\n'),
  )
  expect(unreadable).toBe(0)
  expect(events.map(({ window }) => window)).toEqual(['a', 'b', 'a'])
  expect(events[0]?.event.data).toEqual({ node })
  expect(events[1]?.event.data).toEqual({
    source: IncrementalSource.Mutation,
    texts: [],
    attributes: [],
    removes: [],
    adds,
  })
  expect(events[2]?.event.data).toMatchObject({ adds })
})

test('counts and skips lines that contain no event or cannot be unpacked', async () => {
  const { events, unreadable } = await readLines(
    [
      'no json',
      '{}',
      '[1, 2]',
      line({ type: EventType.IncrementalSnapshot }),
      line({ type: EventType.FullSnapshot, timestamp: 1, data: {} }),
      line({ type: EventType.FullSnapshot, timestamp: 1, cv: '2024-10', data: 'no gzip' }),
      '',
      line({ type: EventType.Meta, timestamp: 1, data: null }),
    ].join('\n'),
  )
  expect(unreadable).toBe(6)
  expect(events).toEqual([{ window: 'a', event: { type: EventType.Meta, timestamp: 1, data: {} } }])
})

test('reads characters of several bytes, and lines after them', async () => {
  const texts = ['Grüße, 5 €', '日本語 🎉', 'plain']
  const { events, unreadable } = await readLines(
    texts
      .map((text, timestamp) =>
        line({ type: EventType.Custom, timestamp, data: { tag: 'note', payload: { text } } }),
      )
      .join('\n'),
  )
  expect(unreadable).toBe(0)
  expect(events.map(({ event }) => event.data['payload'])).toEqual(texts.map((text) => ({ text })))
})

test('stops unpacking an event that would exhaust the memory', async () => {
  const bomb = await gzip(' '.repeat(80_000_000))
  const { events, unreadable } = await readLines(
    line({ type: EventType.FullSnapshot, timestamp: 1, cv: '2024-10', data: bomb }),
  )
  expect({ events, unreadable }).toEqual({ events: [], unreadable: 1 })
})

test('reads no events from an empty text', async () => {
  expect(await readLines('')).toEqual({ events: [], unreadable: 0 })
})
