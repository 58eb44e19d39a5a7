import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  EventType,
  IncrementalSource,
  mutation,
  NodeType,
  type ReplayEvent,
} from '../../../replay/recorded/rrweb.ts'
import { createPlaceholders, placeholderStart } from './placeholders.ts'
import { createNeutralizer } from './neutralize.ts'

const page = 'https://shop.example/lamps/'

type Attributes = Record<string, unknown>
type Node = { tagName: string; attributes: Attributes; childNodes: Node[] }

/** Neutralizes events of one page in their order; returns whether the last one can be played. */
function neutralize(...events: ReplayEvent[]): boolean {
  const neutralizeEvent = createNeutralizer(createPlaceholders())
  neutralizeEvent({ window: 'a', event: { type: EventType.Meta, timestamp: 0, data: { href: page } } })
  return events.map((event) => neutralizeEvent({ window: 'a', event })).at(-1) ?? false
}

/** Returns the placeholder for an asset. */
function held(url: string): string {
  return placeholderStart + encodeURIComponent(url)
}

/** Neutralizes an element, and checks that a full snapshot and a later addition give the same result. */
function neutralized(tagName: string, attributes: Attributes): Pick<Node, 'tagName' | 'attributes'> {
  const element = () => ({
    type: NodeType.Element,
    id: 2,
    tagName,
    attributes: { ...attributes },
    childNodes: [],
  })
  const root = { type: NodeType.Document, id: 1, childNodes: [element()] }
  const adds = [{ parentId: 1, nextId: null, node: element() }]
  neutralize({ type: EventType.FullSnapshot, timestamp: 0, data: { node: root } })
  neutralize({
    type: EventType.IncrementalSnapshot,
    timestamp: 0,
    data: { source: IncrementalSource.Mutation, adds },
  })
  expect(adds[0]?.node).toEqual(root.childNodes[0])
  return { tagName: root.childNodes[0]?.tagName ?? '', attributes: root.childNodes[0]?.attributes ?? {} }
}

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

test.each([
  [
    'img',
    { src: '/a.png', crossorigin: 'anonymous', loading: 'lazy' },
    { src: held('https://shop.example/a.png') },
  ],
  ['img', { SRC: '//cdn.example/a b.png\n' }, { src: held('https://cdn.example/a%20b.png') }],
  ['input', { src: 'a.png' }, { src: held(`${page}a.png`) }],
  ['video', { poster: 'a.png', src: 'a.mp4' }, { poster: held(`${page}a.png`), 'data-not-loaded': '' }],
  ['td', { background: 'a.png' }, { background: held(`${page}a.png`) }],
  ['image', { href: 'a.png' }, { href: held(`${page}a.png`) }],
  [
    'use',
    { 'xlink:href': '/icons.svg#cart' },
    { 'xlink:href': `${held('https://shop.example/icons.svg')}#cart` },
  ],
  ['use', { href: '#cart' }, { href: '#cart' }],
  [
    'link',
    { rel: 'stylesheet', href: 'a.css', integrity: 'sha256-x' },
    { rel: 'stylesheet', href: held(`${page}a.css`) },
  ],
  ['link', { rel: 'preload', as: 'style', href: 'a.css' }, { as: 'style' }],
  [
    'link',
    { href: '/css/a.css', _cssText: 'p { fill: url(a.svg) }' },
    {
      href: '#',
      _cssText: `p { fill: url("${held('https://shop.example/css/a.svg')}") }`,
    },
  ],
  ['link', { rel: 'icon', href: 'a.ico' }, { href: '#' }],
  ['p', { style: 'background: url(a.png)' }, { style: `background: url("${held(`${page}a.png`)}")` }],
  [
    'p',
    { style: 'mask: url(data:image/png;base64,AAAA), url(#m)' },
    { style: 'mask: url(data:image/png;base64,AAAA), url(#m)' },
  ],
  [
    'style',
    { _cssText: '@import "a.css" print;' },
    { _cssText: `@import url("${held(`${page}a.css`)}") print;` },
  ],
  ['img', { src: 'javascript:x()' }, { src: held('') }],
  ['img', { src: 'data:text/html,<script>' }, { src: held('') }],
  ['img', { src: 'blob:https://shop.example/1' }, { src: held('') }],
])('<%s> with %j leaves placeholders for its assets', (tag, attributes, kept) => {
  expect(neutralized(tag, attributes).attributes).toEqual(kept)
})

test('a preloaded style sheet is an asset only when the page shows it', () => {
  const placeholders = createPlaceholders()
  const neutralizeEvent = createNeutralizer(placeholders)
  const element = (id: number, href: string) => ({
    type: NodeType.Element,
    id,
    tagName: 'link',
    attributes: { rel: 'preload', as: 'style', href },
    childNodes: [],
  })
  const links = [element(2, `${page}a.css`), element(3, `${page}b.css`)]
  const node = { type: NodeType.Document, id: 1, childNodes: links }
  neutralizeEvent({ window: 'a', event: { type: EventType.FullSnapshot, timestamp: 0, data: { node } } })
  expect(placeholders.takeFound()).toEqual([])
  const changes = [
    { id: 2, attributes: { rel: 'stylesheet' } },
    { id: 3, attributes: { rel: 'stylesheet', _cssText: 'p { color: red }' } },
  ]
  neutralizeEvent({ window: 'a', event: mutation(1, { attributes: changes }) })
  expect(changes.map(({ attributes }) => attributes)).toEqual([
    { rel: 'stylesheet', href: held(`${page}a.css`) },
    { rel: 'stylesheet', _cssText: 'p { color: red }' },
  ])
  expect(placeholders.takeFound()).toMatchObject([{ kind: 'stylesheet' }])
})

test('references resolve against the base element, also when it changes', () => {
  const base = { type: NodeType.Element, id: 2, tagName: 'base', attributes: { href: '/a/' }, childNodes: [] }
  const image = (id: number) => ({
    type: NodeType.Element,
    id,
    tagName: 'img',
    attributes: { src: 'lamp.png' },
    childNodes: [],
  })
  const [before, after] = [image(3), image(4)]
  const node = { type: NodeType.Document, id: 1, childNodes: [base, before] }
  neutralize(
    { type: EventType.FullSnapshot, timestamp: 0, data: { node } },
    mutation(1, {
      attributes: [{ id: 2, attributes: { href: '/b/' } }],
      adds: [{ parentId: 1, nextId: null, node: after }],
    }),
  )
  expect([before, after].map(({ attributes }) => attributes.src)).toEqual([
    held('https://shop.example/a/lamp.png'),
    held('https://shop.example/b/lamp.png'),
  ])
  expect(base).toMatchObject({ tagName: 'div', attributes: { href: '#' } })
})

test('a srcset keeps only the candidates that can be loaded, and remembers all', () => {
  const srcset = 'a.png 1x, data:image/png;base64,AA,AA 2x, b.png'
  const all = [`${held(`${page}a.png`)} 1x`, 'data:image/png;base64,AA,AA 2x', held(`${page}b.png`)]
  expect(neutralized('source', { srcset }).attributes).toEqual({
    srcset: 'data:image/png;base64,AA,AA 2x',
    'recorded-srcset': all.join(', '),
  })
})

test('the CSS of events, texts and changed attributes has placeholders too', () => {
  const css = 'a { background: url(a.png) }'
  const expected = `a { background: url("${held(`${page}a.png`)}") }`
  const { Mutation, StyleSheetRule, StyleDeclaration, AdoptedStyleSheet, Font } = IncrementalSource
  const text = (id: number) => ({ type: NodeType.Text, id, textContent: css })
  const style = { type: NodeType.Element, id: 2, tagName: 'style', attributes: {}, childNodes: [text(3)] }
  const image = { type: NodeType.Element, id: 4, tagName: 'img', attributes: {}, childNodes: [text(5)] }
  const changes = (data: object) => ({ type: EventType.IncrementalSnapshot, timestamp: 0, data: { ...data } })
  const events = [
    {
      type: EventType.FullSnapshot,
      timestamp: 0,
      data: { node: { type: 0, id: 1, childNodes: [style, image] } },
    },
    changes({
      source: Mutation,
      adds: [{ parentId: 2, node: text(6) }],
      texts: [3, 5, 6].map((id) => ({ id, value: css })),
      attributes: [
        { id: 4, attributes: { src: 'a.png', srcset: null } },
        { id: 4, attributes: { style: { background: ['url(a.png)', 'important'], color: false } } },
        { id: 9, attributes: { href: 'a.png', style: null } },
      ],
    }),
    changes({ source: StyleSheetRule, adds: [{ rule: css }], replaceSync: css, replace: css }),
    changes({ source: StyleDeclaration, set: { property: 'background', value: 'url(a.png)' } }),
    changes({ source: AdoptedStyleSheet, styles: [{ styleId: 1, rules: [{ rule: css }] }] }),
    changes({ source: Font, family: 'Lamp', fontSource: 'url(a.woff2)' }),
    changes({ source: Font, family: 'Lamp', fontSource: '[1,2]', buffer: true }),
  ]
  neutralize(...events)
  expect([style.childNodes[0]?.textContent, image.childNodes[0]?.textContent]).toEqual([expected, css])
  const url = `url("${held(`${page}a.png`)}")`
  expect(events.slice(1).map(({ data }) => data)).toMatchObject([
    {
      adds: [{ node: { textContent: expected } }],
      texts: [{ value: expected }, { value: css }, { value: expected }],
      attributes: [
        { attributes: { src: held(`${page}a.png`), srcset: null } },
        { attributes: { style: { background: [url, 'important'], color: false } } },
        { attributes: { href: '#', style: null } },
      ],
    },
    { adds: [{ rule: expected }], replaceSync: expected, replace: expected },
    { set: { property: 'background', value: url } },
    { styles: [{ rules: [{ rule: expected }] }] },
    { fontSource: `url("${held(`${page}a.woff2`)}")` },
    { fontSource: '[1,2]' },
  ])
})

test('keeps images embedded in the recording', () => {
  const src = 'data:image/png;base64,AAAA'
  expect(neutralized('img', { src, class: 'lamp' }).attributes).toEqual({ src, class: 'lamp' })
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

test('neutralizes trees of any depth', () => {
  const leaf = { type: NodeType.Element, id: 0, tagName: 'script', attributes: {}, childNodes: [] }
  let node: Record<string, unknown> = leaf
  for (let depth = 0; depth < 100_000; depth += 1)
    node = { type: NodeType.Element, id: depth, childNodes: [node] }
  neutralize({ type: EventType.FullSnapshot, timestamp: 0, data: { node } })
  expect(leaf.tagName).toBe('noscript')
})
