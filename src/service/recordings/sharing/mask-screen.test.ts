import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventType, IncrementalSource, type ReplayEvent } from '../../../replay/recorded/rrweb.ts'
import type { LinkMask } from '../../../contract/recordings/sharing.ts'
import { maskScreenEvent } from './mask-screen.ts'

const place = { x: 1, y: 2, width: 30, height: 40 }
const snapshot = (...wireframes: object[]): ReplayEvent => ({
  type: EventType.FullSnapshot,
  timestamp: 1,
  data: { wireframes, initialOffset: { top: 0, left: 0 } },
})
const mutation = (data: object): ReplayEvent => ({
  type: EventType.IncrementalSnapshot,
  timestamp: 2,
  data: { source: IncrementalSource.Mutation, ...data },
})
const masked = (wireframe: object, ...kinds: LinkMask['kind'][]) =>
  maskScreenEvent(snapshot({ ...place, ...wireframe }), new Set(kinds))?.data['wireframes']

test.each<[string, object, LinkMask['kind'], object]>([
  ['a text', { type: 'text', text: 'Ada L.' }, 'text', { type: 'text', text: '*** **' }],
  ['a text of no input', { type: 'text', text: 'Ada' }, 'inputs', { type: 'text', text: 'Ada' }],
  [
    'an input under text',
    { type: 'input', inputType: 'select', value: 'Euro', options: ['Euro'] },
    'text',
    { type: 'input', inputType: 'select', value: '****' },
  ],
  [
    'an input',
    { type: 'input', inputType: 'checkbox', checked: true, label: 'Agree' },
    'inputs',
    { type: 'input', inputType: 'checkbox', label: '*****' },
  ],
  [
    'a progress bar',
    { type: 'input', inputType: 'progress', value: 3, max: 5 },
    'inputs',
    { type: 'input', inputType: 'progress', value: '', max: 5 },
  ],
  ['an image', { type: 'image', base64: 'AAAA', label: 'Lamp' }, 'images', { type: 'image', label: 'Lamp' }],
  ['an image under text', { type: 'image', base64: 'AAAA' }, 'text', { type: 'image', base64: 'AAAA' }],
  [
    'a background',
    { type: 'div', backgroundImage: 'AAAA', backgroundSize: 'cover' },
    'images',
    { type: 'div', backgroundSize: 'cover' },
  ],
  ['a screenshot', { type: 'screenshot', base64: 'AAAA' }, 'inputs', { type: 'screenshot' }],
  [
    'a web page',
    { type: 'web_view', url: 'https://a.example' },
    'text',
    { type: 'web_view', url: '*****************' },
  ],
])('masks %s', (_, wireframe, kind, shown) => {
  expect(masked(wireframe, kind)).toEqual([{ ...place, ...shown }])
})

test('masks what a change adds and updates, with the views inside', () => {
  const inner = { id: 2, type: 'text', text: 'Ada' }
  const outer = { id: 1, type: 'div', childWireframes: [{ id: 3, childWireframes: [inner] }] }
  const change = {
    removes: [{ id: 9 }],
    updates: [{ wireframe: inner }],
    adds: [{ parentId: 5, wireframe: outer }],
  }
  const shown = { ...inner, text: '***' }
  expect(maskScreenEvent(mutation(change), new Set(['text'] as const))?.data).toEqual({
    source: IncrementalSource.Mutation,
    removes: [{ id: 9 }],
    updates: [{ wireframe: shown }],
    adds: [{ parentId: 5, wireframe: { ...outer, childWireframes: [{ id: 3, childWireframes: [shown] }] } }],
  })
})

test('shows touches and sizes of the screen, and nothing else that it cannot mask', () => {
  const shownSources = Object.values(IncrementalSource).filter((source) => {
    const event = mutation({ source, texts: [], text: 'Ada' })
    return maskScreenEvent(event, new Set(['images'] as const)) !== null
  })
  const { MouseInteraction, TouchMove, ViewportResize } = IncrementalSource
  expect(new Set(shownSources)).toEqual(new Set([MouseInteraction, TouchMove, ViewportResize]))
  const page = { type: EventType.FullSnapshot, timestamp: 1, data: { node: { type: 0, childNodes: [] } } }
  expect(maskScreenEvent(page, new Set(['images'] as const))).toBeNull()
})

test('no masked text is sent, whatever a recorder sends', () => {
  const secret = fc.constant('SECRET')
  const content = fc.oneof(secret, fc.array(secret), fc.record({ deep: secret }))
  const field = fc.constantFrom('text', 'label', 'value', 'url', 'options', 'checked', 'title', 'base64')
  const fields = fc.dictionary(field, content)
  const { tree } = fc.letrec<{ tree: object }>((tie) => ({
    tree: fc
      .tuple(
        fields,
        fc.constantFrom('text', 'input', 'screenshot', 'new'),
        fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie('tree'), { maxLength: 3 })),
      )
      .map(([fields, type, childWireframes]) => ({ ...fields, type, childWireframes })),
  }))
  fc.assert(
    fc.property(tree, (wireframe) => {
      const kinds = new Set(['text', 'images'] as const)
      for (const event of [snapshot(wireframe), mutation({ adds: [{ wireframe }] })])
        expect(JSON.stringify(maskScreenEvent(event, kinds))).not.toContain('SECRET')
    }),
  )
})
