import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventType, IncrementalSource, NodeType, type ReplayEvent } from '../../../replay/recorded/rrweb.ts'
import { createAssets } from '../frame/assets.ts'
import { createNeutralizer } from './neutralize.ts'
import { createPlaceholders } from './placeholders.ts'
import { held, neutralize, neutralized } from '../testing/neutralized.ts'

test('removes everything that could run', () => {
  expect(neutralized('script', { src: 'https://evil.example/a.js' }).tagName).toBe('noscript')
  expect(neutralized('SCRIPT', {}).tagName).toBe('noscript')
  for (const tag of ['object', 'embed', 'portal', 'base', '<b>', '1x'])
    expect(neutralized(tag, {}).tagName).toBe('div')
  expect(neutralized('img', { onerror: 'x()', ONLOAD: 'x()', alt: 'A lamp' }).attributes).toEqual({
    alt: 'A lamp',
  })
  expect(neutralized('iframe', { srcdoc: '<script>x()</script>', width: '10' }).attributes).toEqual({
    width: '10',
  })
  expect(neutralized('meta', { 'http-equiv': 'refresh', content: '0;url=x' }).attributes).toEqual({
    content: '0;url=x',
  })
})

test('removes external references, and marks elements that lose their resource', () => {
  expect(neutralized('a', { href: 'javascript:x()' }).attributes).toEqual({ href: '#' })
  expect(neutralized('a', { href: '#part' }).attributes).toEqual({ href: '#part' })
  expect(neutralized('link', { rel: 'preconnect', href: 'https://evil.example' }).attributes).toEqual({
    href: '#',
  })
  for (const tag of ['iframe', 'audio', 'track'])
    expect(neutralized(tag, { src: 'https://evil.example/a' }).attributes).toEqual({ 'data-not-loaded': '' })
  for (const name of ['data', 'rr_dataURL', 'href'])
    expect(neutralized('video', { [name]: 'https://evil.example/a.png', alt: '' }).attributes).not.toContain(
      'evil',
    )
  expect(neutralized('form', { action: 'https://evil.example/' }).attributes).toEqual({})
})

test('neutralizes attributes that change later', () => {
  const attributes = [
    { id: 1, attributes: { src: 'https://evil.example/a.png', onclick: 'x()', class: 'a' } },
    7,
  ]
  const data: Record<string, unknown> = { source: IncrementalSource.Mutation, attributes, texts: 'none' }
  expect(neutralize({ type: EventType.IncrementalSnapshot, timestamp: 0, data })).toBe(true)
  expect(attributes[0]).toEqual({
    id: 1,
    attributes: { src: held('https://evil.example/a.png'), class: 'a' },
  })
  expect(data).toMatchObject({ texts: [], removes: [], adds: [] })
})

test('keeps the valid positions of a mouse move, and rejects a move without any', () => {
  const position = { x: 1, y: 2, id: 3, timeOffset: -50 }
  const data: Record<string, unknown> = {
    source: IncrementalSource.MouseMove,
    positions: [position, null, 7, { x: 1 }],
  }
  expect(neutralize({ type: EventType.IncrementalSnapshot, timestamp: 0, data })).toBe(true)
  expect(data['positions']).toEqual([position])
  for (const positions of [[], 'none', [null], undefined])
    for (const source of [IncrementalSource.MouseMove, IncrementalSource.TouchMove, IncrementalSource.Drag])
      expect(
        neutralize({ type: EventType.IncrementalSnapshot, timestamp: 0, data: { source, positions } }),
      ).toBe(false)
})

test('rejects impossible window sizes', () => {
  const isPlayable = (width: unknown) =>
    neutralize({
      type: EventType.IncrementalSnapshot,
      timestamp: 0,
      data: { source: IncrementalSource.ViewportResize, width, height: 10 },
    })
  expect([640, 0, -1, 1e9, 'wide', undefined].map(isPlayable)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('rejects a full snapshot without a document', () => {
  expect(neutralize({ type: EventType.FullSnapshot, timestamp: 0, data: {} })).toBe(false)
})

test('leaves no attribute that runs code or refers to another resource, whatever the input', () => {
  const names = fc.constantFrom(
    'src',
    'href',
    'srcset',
    'onclick',
    'OnLoad',
    'style',
    'srcdoc',
    'rel',
    'title',
  )
  const values = fc.oneof(
    fc.webUrl(),
    fc.constant('javascript:x()'),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
  )
  fc.assert(
    fc.property(fc.string(), fc.dictionary(names, values), (tag, attributes) => {
      const node = neutralized(tag, attributes)
      for (const [name, value] of Object.entries(node.attributes)) {
        expect(name).not.toMatch(/^on|^srcdoc$/i)
        if (name === 'rel') expect(value).toMatch(/stylesheet/i)
        if (/^(src|href|srcset)$/.test(name) && value !== null)
          expect(value).toMatch(/^\s*(#|$|data:image\/|data:text\/css,recorded;)/)
      }
    }),
  )
})

test('an image at a blob: address is missing until our recorder puts its picture there', () => {
  const placeholders = createPlaceholders()
  const assets = createAssets('https://spool.example')
  const neutralizeEvent = createNeutralizer(placeholders)
  const show = (src: string) => {
    const node = { type: NodeType.Element, id: 1, tagName: 'img', attributes: { src } }
    neutralizeEvent({ window: 'a', event: { type: EventType.FullSnapshot, timestamp: 0, data: { node } } })
    assets.find(placeholders.takeFound())
    return assets.missing().image
  }
  const blob = 'blob:https://shop.example/1b2'
  expect(show(blob)).toBe(1)
  expect(show(`data:image/svg+xml,%3Csvg/%3E#${blob}`)).toBe(0)
  expect(show(blob)).toBe(0)
})

test('accepts only fonts whose parts have the types that a browser expects', () => {
  const isPlayable = (font: object) => {
    const data = { source: IncrementalSource.Font, family: 'Lamp', ...font }
    return neutralize({ type: EventType.IncrementalSnapshot, timestamp: 0, data }) && data
  }
  const descriptors = { weight: '700', style: { toString: 'x' } }
  const bytes = { fontSource: '[1, 2]', buffer: true }
  expect(isPlayable({ ...bytes, descriptors })).toMatchObject({ ...bytes, descriptors: { weight: '700' } })
  expect(isPlayable({ fontSource: 'local(Lamp)' })).toMatchObject({ fontSource: 'local(Lamp)' })
  for (const fontSource of ['4000000000', '{"length":4e9}', `[${'1,'.repeat(1e7)}1]`])
    for (const buffer of [true, 1]) expect(isPlayable({ fontSource, buffer })).toBe(false)
  expect(isPlayable({ fontSource: ['url(https://evil.example/x)'] })).toBe(false)
  expect(isPlayable({ fontSource: 'local(Lamp)', family: ['Lamp'] })).toBe(false)
})

test('neutralizes trees of any depth', () => {
  const leaf = { type: NodeType.Element, id: 0, tagName: 'script', attributes: {}, childNodes: [] }
  let node: Record<string, unknown> = leaf
  for (let depth = 0; depth < 100_000; depth += 1)
    node = { type: NodeType.Element, id: depth, childNodes: [node] }
  neutralize({ type: EventType.FullSnapshot, timestamp: 0, data: { node } })
  expect(leaf.tagName).toBe('noscript')
})

test('accepts only valid states of a page, and keeps nothing else that was sent', () => {
  const isPlayable = (tag: string, payload: unknown) => {
    const event: ReplayEvent = { type: EventType.Custom, timestamp: 0, data: { tag, payload, more: 1 } }
    return neutralize(event) && event.data
  }
  const payload = { scheme: 'dark', contrast: 'more' }
  expect(isPlayable('spool/preferences', { ...payload, css: 'url(https://evil.example)' })).toEqual({
    tag: 'spool/preferences',
    payload,
  })
  expect(isPlayable('spool/preferences', { ...payload, scheme: 'red' })).toBe(false)
  expect(isPlayable('spool/top-layer', { ids: [1, 2] })).toEqual({
    tag: 'spool/top-layer',
    payload: { ids: [1, 2] },
  })
  for (const ids of ['1', [0], [1.5], [null], Array.from({ length: 101 }, () => 1)])
    expect(isPlayable('spool/top-layer', { ids })).toBe(false)
  const moving = { node: 1, time: 0, rate: 1, at: 0, timing: { iterations: 2 } }
  const keyframes = [{ opacity: '0', maskImage: 'url(https://evil.example/a.svg)' }]
  expect(isPlayable('spool/animations', { list: [{ ...moving, keyframes, src: 'x' }, 7] })).toEqual({
    tag: 'spool/animations',
    payload: { list: [{ ...moving, keyframes: [{ opacity: '0' }] }] },
  })
})
