import { expect, test } from 'vitest'
import { EventType, IncrementalSource, type WindowEvent } from '../../../replay/recorded/rrweb.ts'
import { unrecordedCanvases } from './unrecorded-canvases.ts'

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
const drawn = (id: number) => change({ source: IncrementalSource.CanvasMutation, id })

test('counts each canvas without a picture once', () => {
  expect(unrecordedCanvases([])).toBe(0)
  expect(unrecordedCanvases([full(canvas(2)), full(canvas(2)), added({ childNodes: [canvas(3)] })])).toBe(2)
})

test('counts no canvas whose pictures were recorded, with the page or later', () => {
  const picture = canvas(3, { rr_dataURL: 'data:image/png;base64,' })
  expect(unrecordedCanvases([full(canvas(2), picture), drawn(2), full(canvas(3))])).toBe(0)
})
