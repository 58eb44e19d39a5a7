import { expect, test } from 'vitest'
import { placeItems, textItem, type Item } from './place-items.ts'
import { inherited, lookOf } from './view-look.ts'

const isColor = (color: string) => color !== 'mud'

/** Returns the look of a view with these classes and declarations. */
function look(classes: string, style = '') {
  return lookOf({ class: `view ${classes}`, style }, inherited, 390, isColor)
}

/** Measures texts in a font whose characters are 10 pixels wide. */
const font = { measureText: (text: string) => ({ width: 10 * text.length }) }

function linesOf(text: string, width: number, of: ReturnType<typeof look>): string[] {
  const item = textItem(font, text, width, of)
  return item.kind === 'text' ? item.lines : []
}

test('a text wraps as its view lets it', () => {
  expect(linesOf('one two\nthree', 50, look('text'))).toEqual(['one two', 'three'])
  expect(linesOf('one two\nthree', 50, look('text', 'white-space: pre-wrap'))).toEqual([
    'one',
    'two',
    'three',
  ])
  expect(linesOf('one-two 東京都', 50, look('area'))).toEqual(['one-', 'two 東', '京都'])
  expect(linesOf('東京都東京都', 40, look('area'))).toEqual(['東京都東', '京都'])
  expect(linesOf(' https://shop\n a', 50, look('placeholder'))).toEqual(['https', '://sh', 'op a'])
})

test('wrapping measures each part of a long text a few times', () => {
  let measured = 0
  const counted = {
    measureText: (text: string) => {
      measured += text.length
      return font.measureText(text)
    },
  }
  for (const text of ['東'.repeat(10_000), 'a'.repeat(10_000)])
    for (const classes of ['area', 'placeholder']) textItem(counted, text, 20_000, look(classes))
  expect(measured).toBeLessThan(4 * 50_000)
})

test('the content of a view is placed as in a flex container', () => {
  const item = (width: number): Item => ({ kind: 'text', lines: [''], width, height: 10 })
  const area = { x: 100, y: 50, width: 100, height: 30 }
  const placed = (of: ReturnType<typeof look>, ...widths: number[]) =>
    placeItems(widths.map(item), area, of).map(({ place: { x, y } }) => [x, y])
  expect(placed(look('text'), 20)).toEqual([[100, 50]])
  expect(placed(look('text', 'align-items: flex-end; justify-content: flex-end'), 20)).toEqual([[180, 70]])
  expect(placed(look('button'), 120)).toEqual([[90, 60]])
  expect(placed(look('choice'), 18, 20)).toEqual([
    [100, 60],
    [126, 60],
  ])
  expect(placed(look('choice spread'), 20, 40)).toEqual([
    [100, 60],
    [160, 60],
  ])
  expect(placed(look('navigation-bar'), 20, 20)).toEqual([
    [115, 60],
    [165, 60],
  ])
})

test('the style of a view overrides its class, and views inside it inherit its text', () => {
  const outer = look(
    'placeholder',
    'width: 100vw; height: 5px; color: #ff0000; font-size: 20px; padding-top: 9px',
  )
  expect(outer).toMatchObject({ box: { width: 390, height: 9 }, isPlaceholder: true, padding: { top: 9 } })
  const inner = lookOf({ class: 'view text', style: 'color: mud' }, outer.inherited, 390, isColor)
  expect(inner).toMatchObject({ isPlaceholder: false, whiteSpace: 'pre' })
  expect(inner.inherited).toMatchObject({ color: '#ff0000', fontSize: 20, isCentered: true })
  expect(look('field', 'border: 2px solid ; background-color: mud')).toMatchObject({
    border: { width: 2, color: inherited.color },
    background: 'white',
    padding: { left: 6, top: 0 },
  })
})
