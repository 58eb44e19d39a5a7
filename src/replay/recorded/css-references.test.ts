import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cssReferences, rewriteCss } from './css-references.ts'

test('finds the references in CSS, but not those in comments, strings and namespaces', () => {
  const css = `@charset "utf-8"; @import "a.css" screen; @IMPORT URL( 'b.css' );@namespace url(http://ns.example/);
    /* url(no.png) */ .a { background: url(c.png) no-repeat, url("d\\"e.png"), url( 'f\\
g.png' ); content: "url(no.png)" }
    @font-face { src: local("Lamp"), url(h\\20 i.woff2) format("woff2"), url(j.eot?#iefix) }
    .b { background: url(); mask: url("unterminated`
  expect(cssReferences(css)).toEqual([
    { reference: 'a.css', isImport: true },
    { reference: 'b.css', isImport: true },
    { reference: 'c.png', isImport: false },
    { reference: 'd"e.png', isImport: false },
    { reference: 'fg.png', isImport: false },
    { reference: 'h i.woff2', isImport: false },
    { reference: 'j.eot?#iefix', isImport: false },
    { reference: 'unterminated', isImport: false },
  ])
})

test.each([
  ['image-set("a.png" 1x, url(b.png) 2x type("image/png"))', ['a.png', 'b.png']],
  ["-webkit-image-set('a.png' 1x, url('b.png') 2x)", ['a.png', 'b.png']],
  ['image-set("a.png" 1x), "no.png"', ['a.png']],
  ['IMAGE\\-set({"no.png"} "a.png" 1x', ['a.png']],
  ['\\75rl(a.png)', ['a.png']],
  ['u\\72 l( "a.png")', ['a.png']],
  ['\\000055\\52\\4c(a\\2e png)', ['a.png']],
  ['url("a.png" crossorigin(anonymous))', ['a.png']],
  ['url(no no.png), url(a.png)', ['a.png']],
  ['url(no"no.png"), no-url(no.png), "url(no.png)", url\\(no.png)', []],
  ['url(a.png', ['a.png']],
])('finds the references in %s', (value, references) => {
  const css = `a { background: ${value}`
  expect(cssReferences(css).map(({ reference }) => reference)).toEqual(references)
  const names = [...references]
  const rewritten = rewriteCss(css, (reference) => `/stored/${names.splice(names.indexOf(reference), 1)[0]}`)
  expect(cssReferences(rewritten).map(({ reference }) => reference)).toEqual(
    references.map((reference) => `/stored/${reference}`),
  )
})

test('finds imports however they are written', () => {
  const css = String.raw`@\69mport/**/"a.css";@import/**/ url(b.css)supports(x);@import u\72l("c.css") "no.css";@media"no.css"{}`
  expect(cssReferences(css)).toEqual(
    ['a.css', 'b.css', 'c.css'].map((reference) => ({ reference, isImport: true })),
  )
})

test('rewrites references in CSS, keeping their fragments and everything else', () => {
  const css =
    '@import "a.css" screen;/*url(x)*/.a{fill:url(s.svg#p);background:url(keep.png);content:"url(x)"}'
  const rewritten = rewriteCss(css, (reference) => (reference === 'keep.png' ? null : `/r?${reference[0]}"`))
  expect(rewritten).toBe(
    String.raw`@import url("/r?a\22 ") screen;/*url(x)*/.a{fill:url("/r?s\22 #p");background:url(keep.png);content:"url(x)"}`,
  )
})

test('a rewritten reference is read back unchanged, whatever its characters', () => {
  const property = fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (given, isImport) => {
    const reference = given.replaceAll('#', '')
    const css = rewriteCss(isImport ? '@import "x"' : 'a{b:url(x)}', () => reference)
    expect(cssReferences(css)).toEqual([{ reference, isImport }])
  })
  fc.assert(property)
})

test.each([
  ['@import', ' ', 200_000],
  ['url(', ' ', 200_000],
  ['url(', 'x', 5_000_000],
  ['url("', '\\"', 100_000],
  ['"', 'x', 20_000_000],
  ['', 'x', 20_000_000],
  ['', '\\75', 200_000],
  ['/', '*', 200_000],
  ['', '/*', 100_000],
  ['', '"\\"', 70_000],
  ['', '"\n', 200_000],
  ['', 'url(', 50_000],
  ['', "url('", 40_000],
  ['', 'image-set(', 50_000],
])('reads %j and many %j in linear time', (start, part, count) => {
  const hostile = start + part.repeat(count)
  expect(rewriteCss(hostile, () => null)).toBe(hostile)
})
