import { expect, test } from 'vitest'
import { EventType, IncrementalSource, type WindowEvent } from '../../../replay/recorded/rrweb.ts'
import { frameOf, unrecordedCanvases } from './canvas-pictures.ts'

const canvas = (id: number, attributes = {}) => ({ id, tagName: 'canvas', attributes, childNodes: [] })
const full = (...childNodes: object[]): WindowEvent => ({
  window: 'a',
  event: { type: EventType.FullSnapshot, timestamp: 1, data: { node: { id: 1, childNodes } } },
})
const change = (data: Record<string, unknown>): WindowEvent => ({
  window: 'a',
  event: { type: EventType.IncrementalSnapshot, timestamp: 2, data },
})
const added = (node: unknown) => change({ source: IncrementalSource.Mutation, adds: [{ parentId: 1, node }] })
const drawn = (id: number, base64: string, type = 'image/webp') => {
  const blob = { rr_type: 'Blob', type, data: [{ rr_type: 'ArrayBuffer', base64 }] }
  const args = [{ rr_type: 'ImageBitmap', args: [blob] }, 0, 0]
  const commands = [{ property: 'clearRect' }, { property: 'drawImage', args }]
  return change({ source: IncrementalSource.CanvasMutation, id, commands })
}
const count = (...events: WindowEvent[]) =>
  unrecordedCanvases(events, async (picture) => picture.endsWith('BLANK'))

test('counts each canvas without a picture once', async () => {
  expect(await count()).toBe(0)
  expect(await count(full(canvas(2)), full(canvas(2)), added({ childNodes: [canvas(3)] }))).toBe(2)
})

test('counts no canvas whose pictures were recorded, with the page or later', async () => {
  const picture = canvas(3, { rr_dataURL: 'data:image/png;base64,A' })
  expect(await count(full(canvas(2), picture), drawn(2, 'A'), full(canvas(3)))).toBe(0)
})

test('counts a canvas all of whose pictures are blank', async () => {
  const blank = canvas(2, { rr_dataURL: 'data:image/png;base64,BLANK' })
  expect(await count(full(blank))).toBe(1)
  expect(await count(full(blank), drawn(2, 'BLANK'), drawn(2, 'BLANK'))).toBe(1)
  expect(await count(full(blank), drawn(2, 'BLANK'), drawn(2, 'A'))).toBe(0)
})

test('counts no canvas that was recorded in another way than by pictures', async () => {
  const strokes = change({
    source: IncrementalSource.CanvasMutation,
    id: 2,
    commands: [{ property: 'fill' }],
  })
  expect(await count(full(canvas(2)), strokes)).toBe(0)
  expect(await count(full(canvas(2)), drawn(2, 'BLANK', 'image/svg+xml'))).toBe(0)
})

test('names the type and the bytes of a frame', () => {
  expect(frameOf(drawn(2, 'AAAA').event)).toBe('data:image/webp;base64,AAAA')
})
