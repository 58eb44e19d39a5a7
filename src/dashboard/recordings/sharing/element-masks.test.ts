import { expect, test } from 'vitest'
import { matchInWords, selectorOf } from './element-masks.tsx'

type Node = Parameters<typeof selectorOf>[0]

const node = (localName: string, names: string[], parentElement: Node | null = null, id = ''): Node => ({
  localName,
  id,
  classList: names as unknown as DOMTokenList,
  parentElement,
})

test.each([
  ['its id', node('p', ['total'], null, 'sum'), '#sum'],
  ['its classes', node('p', ['total', 'large'], node('div', ['cart'])), 'p.total.large'],
  ['the classes of its parent', node('b', [], node('p', ['total'])), 'p.total > b'],
  ['the id of an ancestor', node('b', [], node('p', [], node('div', [], null, 'cart'))), '#cart > p > b'],
  ['names that need no escape', node('p', [':hover', 'md:flex', 'rrweb-paused', 'address']), 'p.address'],
  ['its tag and those of its ancestors', node('b', [], node('p', [], node('body', []))), 'body > p > b'],
])('an element is selected by %s', (_, element, selector) => {
  expect(selectorOf(element)).toBe(selector)
})

test('says how many elements a selector matches', () => {
  const page = (length: number) => ({ querySelectorAll: () => ({ length }) }) as unknown as Document
  expect(matchInWords(page(0), 'p')).toBe('matches nothing at this moment')
  expect(matchInWords(page(1), 'p')).toBe('matches 1 element at this moment')
  expect(matchInWords(page(1200), 'p')).toBe('matches 1,200 elements at this moment')
  const refusing = () => {
    throw new SyntaxError('not a selector')
  }
  expect(matchInWords({ querySelectorAll: refusing }, '[[')).toBe('is not a CSS selector')
})
