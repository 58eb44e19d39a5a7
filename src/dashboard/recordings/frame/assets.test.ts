import { expect, test } from 'vitest'
import { adaptCss } from '../../../replay/recorded/adapt-css.ts'
import { createAssets } from './assets.ts'
import { createPlaceholders } from '../reader/placeholders.ts'

const page = 'https://shop.example/'
const lamp = { url: 'https://shop.example/lamp.png', path: '/recorded-assets/1' }

test('an asset is a placeholder until it is stored, and follows its path when that changes', () => {
  const placeholders = createPlaceholders()
  const assets = createAssets('https://spool.example')
  const event = { data: { rule: placeholders.holdInCss('a { fill: url(lamp.png#top) }', page) } }
  expect(assets.resolve(event)).toBe(event)
  expect(assets.learn([lamp])).toBe(true)
  const shown = 'a { fill: url("https://spool.example/recorded-assets/1#top") }'
  expect(assets.resolve(event)).toEqual({ data: { rule: shown } })
  expect(assets.learn([{ ...lamp, path: '/recorded-assets/2' }])).toBe(false)
  expect(assets.resolve(event)).toEqual({ data: { rule: shown.replace('/1', '/2') } })
})

test('a resolved srcset has the candidates that are stored', () => {
  const placeholders = createPlaceholders()
  const assets = createAssets('https://spool.example')
  const all = placeholders.holdInSrcset('lamp.png 1x, desk.png 2x', page)
  assets.learn([lamp])
  const kept = { id: 1, attributes: { class: 'a' } }
  const nodes = assets.resolve([{ attributes: { srcset: '', 'recorded-srcset': all } }, kept])
  expect(nodes[0]?.attributes).toMatchObject({ srcset: 'https://spool.example/recorded-assets/1 1x' })
  expect(nodes[1]).toBe(kept)
  const change = { 'recorded-srcset': placeholders.holdInSrcset('sofa.png', page) }
  expect(assets.resolve(change)).toEqual({ ...change, srcset: '' })
})

test('style sheets show the visitor’s contrast; those of the service are requested with it', () => {
  const placeholders = createPlaceholders()
  const assets = createAssets('https://spool.example')
  const css = '@import "a.css"; @media (prefers-contrast: more) { a { fill: url(lamp.png) } }'
  const event = { data: { rule: placeholders.holdInCss(adaptCss(css), page) } }
  assets.find(placeholders.takeFound())
  assets.learn([lamp, { url: 'https://shop.example/a.css', path: '/recorded-assets/2' }])
  const shown = (query: string, condition: string) =>
    `@import url("https://spool.example/recorded-assets/2${query}"); @media ${condition} { a { fill: url("https://spool.example/recorded-assets/1") } }`
  expect(assets.resolve(event)).toEqual({ data: { rule: shown('', '(max-width: 0)') } })
  assets.visitor.contrast = 'more'
  expect(assets.resolve(event)).toEqual({ data: { rule: shown('?contrast=more', '(min-width: 0)') } })
})

test('counts each missing asset once, by kind', () => {
  const placeholders = createPlaceholders()
  const assets = createAssets('https://spool.example')
  placeholders.holdInCss(
    '@import "a.css"; @font-face { src: url(a.woff2?v=1) } a { mask: url(m.png), url(m.png) }',
    page,
  )
  placeholders.hold('lamp.png', page, 'image')
  placeholders.hold('blob:https://shop.example/1', page, 'image')
  // A background, of which page state has no picture.
  placeholders.holdInCss('a { background: url(blob:https://shop.example/2) }', page)
  assets.find(placeholders.takeFound())
  expect(assets.missing()).toEqual({ image: 4, font: 1, stylesheet: 1 })
  assets.learn([lamp])
  expect(assets.missing()).toEqual({ image: 3, font: 1, stylesheet: 1 })
})

test('an event whose text looks like a placeholder is harmless', () => {
  const assets = createAssets('https://spool.example')
  assets.learn([lamp])
  const event = { text: 'data:text/css,recorded;%zz data:text/css,recorded;constructor' }
  expect(assets.resolve(event)).toBe(event)
})
