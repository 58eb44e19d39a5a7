import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { EventType, IncrementalSource, NodeType } from '../../../replay/recorded/rrweb.ts'
import { ReferenceFinder, referencesMax } from './reference-finder.ts'

type Attributes = Record<string, unknown>
const page = 'https://shop.example/lamps/'

function element(tagName: string, attributes: Attributes = {}, ...childNodes: object[]): object {
  return { type: NodeType.Element, tagName, attributes, childNodes }
}
const text = (textContent: string) => ({ type: NodeType.Text, textContent })
const line = (type: number, data: unknown, window = 'w') =>
  JSON.stringify([window, { type, timestamp: 1, data }])
const meta = (href = page, window = 'w') => line(EventType.Meta, { href }, window)
const snapshot = (...nodes: object[]) =>
  line(EventType.FullSnapshot, { node: { type: NodeType.Document, childNodes: nodes } })
const change = (source: number, data: object) => line(EventType.IncrementalSnapshot, { source, ...data })
const mutation = (data: object) => change(IncrementalSource.Mutation, data)

/** Returns the URLs that the lines name, without the page's own; style sheets are marked. */
function find(...lines: string[]): string[] {
  const finder = new ReferenceFinder()
  for (const given of lines) finder.add(given)
  return [...finder.found].map(([url, isStylesheet]) => url.replace(page, '') + (isStylesheet ? ' css' : ''))
}

test.each<[string, object, string[]]>([
  ['an image', element('img', { src: 'a.png' }), ['a.png']],
  [
    'the sharpest useful candidate before the others, and those last',
    element(
      'p',
      {},
      element('img', { srcset: 'a 320w, b 640w, c 1400w, d 3000w' }),
      element('img', { src: 'e' }),
    ),
    ['c', 'e', 'a', 'b', 'd'],
  ],
  ['the largest candidate first', element('source', { srcset: 'a 1x, b 1.5x' }), ['b', 'a']],
  ['the only candidate', element('source', { srcset: 'a' }), ['a']],
  ['a poster, but not the video', element('video', { src: 'v.mp4', poster: 'p.jpg' }), ['p.jpg']],
  ['a sprite', element('use', { 'xlink:href': 'sprite.svg#cart' }), ['sprite.svg']],
  ['no symbol of the page itself', element('use', { href: '#cart' }), []],
  ['an SVG image', element('image', { href: 'a.png' }), ['a.png']],
  ['a style attribute', element('p', { style: 'background: url(a.png)' }), ['a.png']],
  ['a table background', element('table', { background: 'a.png' }), ['a.png']],
  ['a style sheet', element('link', { rel: 'preload stylesheet', href: 'a.css' }), ['a.css css']],
  ['a preloaded style sheet', element('link', { rel: 'preload', as: 'style', href: 'a.css' }), ['a.css css']],
  [
    'a set of images',
    element('p', { style: 'background: image-set("a.png" 1x), \\75rl(b.png)' }),
    ['a.png', 'b.png'],
  ],
  ['no other link', element('link', { rel: 'icon', href: 'a.ico' }), []],
  [
    'a recorded style sheet',
    element('link', {
      rel: 'stylesheet',
      href: '/css/a.css',
      _cssText: '@import "b.css";p{src:url(../c.woff2)}',
    }),
    ['https://shop.example/css/b.css css', 'https://shop.example/c.woff2'],
  ],
  ['a style element', element('style', {}, text('p { background: url(a.png) }')), ['a.png']],
  ['recorded rules', element('style', { _cssText: 'p { background: url(a.png) }' }), ['a.png']],
  ['no text of the page', element('p', {}, text('url(a.png)')), []],
  [
    'no link, script or frame',
    element('div', {}, element('a', { href: 'a' }), element('script', { src: 'b' })),
    [],
  ],
])('finds %s', (_, node, urls) => {
  expect(find(meta(), snapshot(node))).toEqual(urls)
})

test('finds the files that later changes name', () => {
  const found = find(
    meta(),
    mutation({
      adds: [{ node: element('img', { src: '1.png' }) }, { node: text('p { fill: url(2.svg) }') }],
    }),
    mutation({
      attributes: [
        { attributes: { src: '3.png', title: 'x.png' } },
        {
          attributes: { style: { background: 'url(4.png)', mask: ['url(5.png)', 'important'], top: false } },
        },
        { attributes: { href: 'sprite.svg?v=6#cart' } },
        { attributes: { href: 'account' } },
        { attributes: { srcset: '7.png 1x', poster: '8.png', _cssText: '@import "9.css"' } },
      ],
    }),
    mutation({ texts: [{ value: 'p { cursor: url(10.png) }' }] }),
    change(IncrementalSource.StyleSheetRule, { adds: [{ rule: 'p { cursor: url(11.png) }' }] }),
    change(IncrementalSource.StyleSheetRule, { replaceSync: 'p { cursor: url(12.png) }' }),
    change(IncrementalSource.StyleDeclaration, { set: { property: 'background', value: 'url(13.png)' } }),
    change(IncrementalSource.AdoptedStyleSheet, { styles: [{ rules: [{ rule: 'p{cursor:url(14.png)}' }] }] }),
    change(IncrementalSource.Font, { buffer: false, fontSource: 'url(15.woff2)' }),
    change(IncrementalSource.Font, { buffer: true, fontSource: 'url(16.woff2)' }),
    change(IncrementalSource.Scroll, { src: '17.png' }),
  )
  const expected = [
    '1.png',
    '2.svg',
    '3.png',
    '4.png',
    '5.png',
    'sprite.svg?v=6',
    '7.png',
    '8.png',
    '9.css css',
  ]
  expect(found).toEqual([...expected, '10.png', '11.png', '12.png', '13.png', '14.png', '15.woff2'])
})

test('reads compressed snapshots and mutations', () => {
  const pack = (value: unknown) => gzipSync(JSON.stringify(value)).toString('latin1')
  const node = { type: NodeType.Document, childNodes: [element('img', { src: 'a.png' })] }
  const full = JSON.stringify([
    'w',
    { type: EventType.FullSnapshot, timestamp: 1, data: pack({ node }), cv: '2024-10' },
  ])
  const adds = pack([{ node: element('img', { src: 'b.png' }) }])
  expect(find(meta(), full, mutation({ adds }))).toEqual(['a.png', 'b.png'])
})

test('resolves references against the page of each window, or its base element', () => {
  const finder = new ReferenceFinder({
    old: { address: 'https://old.example/', document: null, elements: [] },
  })
  const add = (window: string) =>
    finder.add(
      line(
        EventType.IncrementalSnapshot,
        { source: 0, adds: [{ node: element('img', { src: 'a.png' }) }] },
        window,
      ),
    )
  for (const window of ['old', 'unknown']) add(window)
  finder.add(meta('https://one.example/x/y', 'one'))
  add('one')
  finder.add(meta())
  finder.add(
    snapshot(element('head', {}, element('base', { href: '/base/' }), element('img', { src: 'b.png' }))),
  )
  expect([...finder.found.keys()]).toEqual([
    'https://old.example/a.png',
    'https://one.example/x/a.png',
    'https://shop.example/base/b.png',
  ])
  const next = new ReferenceFinder(finder.bases)
  for (const window of ['old', 'one', 'w'])
    next.add(
      line(
        EventType.IncrementalSnapshot,
        { source: 0, adds: [{ node: element('img', { src: 'c.png' }) }] },
        window,
      ),
    )
  expect([...next.found.keys()]).toEqual([
    'https://old.example/c.png',
    'https://one.example/x/c.png',
    'https://shop.example/base/c.png',
  ])
})

test('references resolve against the new address of the same page', () => {
  const moved = line(EventType.Custom, { tag: '$url_changed', payload: { href: 'https://shop.example/x/y' } })
  expect(find(meta(), moved, mutation({ adds: [{ node: element('img', { src: 'a.png' }) }] }))).toEqual([
    'https://shop.example/x/a.png',
  ])
})

test('survives damaged lines, and stops at its limits', () => {
  const many = Array.from({ length: 3000 }, (_, index) => element('img', { src: `${index}.png` }))
  const damaged = [
    '',
    '{',
    '["w"]',
    line(2, null),
    line(3, { source: 0, adds: [null, { node: 4 }], texts: 'x' }),
  ]
  const finder = new ReferenceFinder()
  for (const given of [...damaged, meta(), snapshot(...many), meta('\0'.repeat(9))]) finder.add(given)
  for (let window = 0; window < 300; window += 1) finder.add(meta(page, `w${window}`))
  expect([finder.found.size, Object.keys(finder.bases).length]).toEqual([referencesMax, 100])
})
