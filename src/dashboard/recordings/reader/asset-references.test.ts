import { expect, test } from 'vitest'
import { EventType, IncrementalSource, mutation, NodeType } from '../../../replay/recorded/rrweb.ts'
import { held, neutralize, neutralized, page } from '../testing/neutralized.ts'
import { createPlaceholders } from './placeholders.ts'
import { createNeutralizer } from './neutralize.ts'

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
