import { expect, test } from 'vitest'
import { assetAttribute, assetUrl, fragmentOf, rewriteSrcset, srcsetCandidates } from './asset-url.ts'

const page = 'https://shop.example/lamps/arc?size=2'

test.each([
  ['lamp.png', 'https://shop.example/lamps/lamp.png'],
  [' /lamp.png\n', 'https://shop.example/lamp.png'],
  ['//cdn.example/a b.png', 'https://cdn.example/a%20b.png'],
  ['http://CDN.example:80/x/../lamp.png?v=1#top', 'http://cdn.example/lamp.png?v=1'],
  ['sprite.svg#cart', 'https://shop.example/lamps/sprite.svg'],
  ['', null],
  ['#cart', null],
  ['data:image/png;base64,AA', null],
  ['blob:https://shop.example/1', null],
  ['javascript:alert(1)', null],
  ['ftp://shop.example/lamp.png', null],
  ['https://user:secret@shop.example/lamp.png', null],
  ['http://[bad', null],
  [`/${'a'.repeat(2028)}`, `https://shop.example/${'a'.repeat(2028)}`.slice(0, 2049)],
  [`/${'a'.repeat(2100)}`, null],
])('resolves %j to %j', (reference, url) => {
  expect(assetUrl(reference, page)).toBe(url && url.length > 2048 ? null : url)
})

test('an invalid base resolves only absolute references', () => {
  expect(assetUrl('lamp.png', 'about:blank')).toBeNull()
  expect(assetUrl('https://cdn.example/lamp.png', '')).toBe('https://cdn.example/lamp.png')
})

test.each([
  ['img', 'src', 'image'],
  ['IMG', 'SrcSet', 'srcset'],
  ['source', 'srcset', 'srcset'],
  ['source', 'src', null],
  ['video', 'poster', 'image'],
  ['video', 'src', null],
  ['iframe', 'src', null],
  ['script', 'src', null],
  ['a', 'href', null],
  ['use', 'xlink:href', 'image'],
  ['feImage', 'href', 'image'],
  ['td', 'background', 'image'],
  ['link', 'href', 'stylesheet'],
  ['div', 'style', 'css'],
])('<%s %s> names assets as %s', (tag, attribute, kind) => {
  expect(assetAttribute(tag, attribute)).toBe(kind)
})

test('reads a srcset as browsers do', () => {
  expect(
    srcsetCandidates(' a.png 1x,b.png  2x, ,c,d.png 640w,e.png,\n data:image/png;base64,AA 3x '),
  ).toEqual([
    { reference: 'a.png', descriptor: '1x' },
    { reference: 'b.png', descriptor: '2x' },
    { reference: 'c,d.png', descriptor: '640w' },
    { reference: 'e.png', descriptor: '' },
    { reference: 'data:image/png;base64,AA', descriptor: '3x' },
  ])
  expect(srcsetCandidates(' ,, ')).toEqual([])
})

test('rewrites a srcset without the candidates that are missing', () => {
  const rewritten = rewriteSrcset('a.png 1x, b.png 2x, c.png', (reference) =>
    reference === 'b.png' ? null : `/r/${reference}`,
  )
  expect(rewritten).toBe('/r/a.png 1x, /r/c.png')
})

test('a reference has a fragment or none', () => {
  expect([fragmentOf('sprite.svg#cart '), fragmentOf('sprite.svg')]).toEqual(['#cart', ''])
})

test.each([
  ['a', ',', 200_000],
  ['', ', ', 100_000],
])('reads %j and many %j in linear time', (start, part, count) => {
  expect(srcsetCandidates(start + part.repeat(count)).length).toBeLessThan(count + 2)
})
