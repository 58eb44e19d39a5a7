import { expect, test } from 'vitest'
import { matchInWords } from '../sharing/element-masks.tsx'
import { countMatches, selectorOf } from './chosen-elements.ts'

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

test('counts the elements that each selector matches, in words', () => {
  const counts: Record<string, number> = { '.total': 0, p: 1, b: 1200 }
  const querySelectorAll = (selector: string) => {
    if (!(selector in counts)) throw new SyntaxError('not a selector')
    return { length: counts[selector] }
  }
  const frame = { contentDocument: { querySelectorAll } as unknown as Document }
  expect(countMatches(frame, ['.total', 'p', 'b', '[[']).map(matchInWords)).toEqual([
    'matches nothing at this moment',
    'matches 1 element at this moment',
    'matches 1,200 elements at this moment',
    'is not a CSS selector',
  ])
})
