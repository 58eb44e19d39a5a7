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
  unrecordedCanvases(events, new Set(), async (picture) => picture.endsWith('BLANK'))

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

test('skips canvases whose ids are no numbers', async () => {
  const id: unknown = { toString: 0 }
  const strange = canvas(id as number)
  expect(await count(full(strange, canvas(2)), drawn(id as number, 'A'))).toBe(1)
})

test('looks at few pictures, from the whole recording', async () => {
  const looked: string[] = []
  const look = (events: WindowEvent[]) =>
    unrecordedCanvases(events, new Set(), async (picture) => looked.push(picture) > 0)
  const drawings = (id: number) => Array.from({ length: 95 }, (_, at) => drawn(id, `${id} ${at}`))
  expect(await look([full(canvas(2)), ...drawings(2)])).toBe(1)
  expect(looked.map((picture) => picture.split(' ')[1])).toEqual([
    '0',
    '10',
    '20',
    '30',
    '40',
    '50',
    '60',
    '70',
    '80',
    '90',
  ])
  looked.length = 0
  const ids = Array.from({ length: 20 }, (_, index) => index + 2)
  expect(await look([full(...ids.map((id) => canvas(id))), ...ids.flatMap(drawings)])).toBe(10)
  expect(looked).toHaveLength(100)
})

test('does not look again at a canvas that has a picture', async () => {
  const known = new Set<string>()
  const events = [full(canvas(2), canvas(3)), drawn(2, 'A'), drawn(3, 'BLANK')]
  const looked: string[] = []
  const isBlank = async (picture: string) => {
    looked.push(picture.slice(picture.indexOf(',') + 1))
    return picture.endsWith('BLANK')
  }
  for (const _ of [1, 2]) expect(await unrecordedCanvases(events, known, isBlank)).toBe(1)
  expect(looked).toEqual(['A', 'BLANK', 'BLANK'])
})

test('names the type and the bytes of a frame', () => {
  expect(frameOf(drawn(2, 'AAAA').event)).toBe('data:image/webp;base64,AAAA')
})
