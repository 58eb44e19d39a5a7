import { expect, test } from 'vitest'
import { NodeType } from '../../../replay/recorded/rrweb.ts'
import { elementPhrase, looksClickable, nameElement } from './element-name.ts'
import { NodeTable } from './node-table.ts'
import { button, element, text } from '../../testing/test-session.ts'

function tableOf(...childNodes: ReturnType<typeof element>[]): NodeTable {
  return new NodeTable({
    node: { id: 1, type: NodeType.Document, childNodes: [element(2, 'body', {}, ...childNodes)] },
  })
}

const nameOf = (table: NodeTable, id: number) => elementPhrase(nameElement(table, id))

test('names a button or link by its visible text', () => {
  const table = tableOf(
    element(10, 'button', {}, element(11, 'span', {}, text(12, '  Add to\n cart '))),
    element(20, 'a', { href: '/checkout' }, text(21, 'Checkout')),
    element(30, 'div', { role: 'button', 'aria-label': 'Close' }, element(31, 'svg')),
    element(40, 'button', {}, element(41, 'img', { alt: 'Basket' })),
    element(50, 'input', { type: 'submit', value: 'Send' }),
  )
  expect([12, 21, 31, 41, 50].map((id) => nameOf(table, id))).toEqual([
    '“Add to cart”',
    '“Checkout”',
    '“Close”',
    '“Basket”',
    '“Send”',
  ])
})

test('names a field by its label, placeholder or name, in this order, and never by its content', () => {
  const table = tableOf(
    element(10, 'label', { for: 'mail' }, text(11, 'Email')),
    element(12, 'input', { id: 'mail', placeholder: 'you@example.com', value: 'typed' }),
    element(20, 'label', {}, text(21, 'Note'), element(22, 'textarea', {}, text(23, 'typed'))),
    element(30, 'input', { placeholder: 'Card number', name: 'card' }),
    element(40, 'input', { name: 'first_name' }),
    element(50, 'span', { id: 'city' }, text(51, 'City')),
    element(52, 'input', { 'aria-labelledby': 'city' }),
    element(60, 'div', { contenteditable: 'true' }, text(61, 'typed')),
  )
  expect([12, 22, 30, 40, 52, 61].map((id) => nameOf(table, id))).toEqual([
    '“Email”',
    '“Note”',
    '“Card number”',
    '“first name”',
    '“City”',
    'a field',
  ])
})

test('never quotes masked text', () => {
  const table = tableOf(
    button(10, '**** ** ****'),
    button(20, '* *'),
    element(30, 'p', {}, text(31, '*****')),
  )
  expect([10, 20, 31].map((id) => nameOf(table, id))).toEqual(['a button', 'a button', 'the page'])
})

test('updates names as the page changes', () => {
  const table = tableOf(button(10, 'Follow'), element(20, 'div'))
  table.mutate({ texts: [{ id: 1010, value: 'Following' }] })
  const added = [
    { parentId: 30, nextId: null, node: text(31, 'New') },
    { parentId: 20, nextId: null, node: element(30, 'button') },
  ]
  table.mutate({ adds: added })
  expect([10, 31].map((id) => nameOf(table, id))).toEqual(['“Following”', '“New”'])
  table.mutate({
    removes: [{ parentId: 2, id: 20 }],
    attributes: [{ id: 10, attributes: { 'aria-label': 'Unfollow' } }],
  })
  expect([10, 31].map((id) => nameOf(table, id))).toEqual(['“Unfollow”', 'the page'])
})

test('survives cyclic or endlessly nested pages', () => {
  const table = tableOf(element(10, 'div', {}, element(11, 'div')))
  table.mutate({ adds: [{ parentId: 11, nextId: null, node: element(10, 'div') }] })
  table.mutate({ adds: [{ parentId: 10, nextId: null, node: element(11, 'div') }] })
  let deep = element(100_000, 'b')
  for (let id = 1000; id < 9000; id += 1) deep = element(id, 'div', {}, deep)
  table.mutate({ adds: [{ parentId: 2, nextId: null, node: deep }] })
  expect([10, 11, 8999].map((id) => nameOf(table, id))).toEqual(['the page', 'the page', 'the page'])
})

test('does not expect a page change from fields and links that open elsewhere', () => {
  const table = tableOf(
    button(10, 'Go'),
    element(20, 'a', { href: '/x' }, text(21, 'In')),
    element(30, 'a', { href: '/x', target: '_blank' }, text(31, 'Out')),
    element(40, 'a', { href: 'mailto:a@b.c' }, text(41, 'Mail')),
    element(50, 'input'),
  )
  const clickable = [10, 20, 30, 40, 50].filter((id) => looksClickable(table, nameElement(table, id)))
  expect(clickable).toEqual([10, 20])
})

/** Performs `work` and returns its number of look-ups in maps and of items of arrays that it searches or moves. */
function stepsOf(work: () => void): number {
  let steps = 0
  const { get } = Map.prototype
  const { indexOf, splice, filter } = Array.prototype
  const counting = <Args extends unknown[], Result>(original: (...args: Args) => Result) =>
    function (this: unknown, ...args: Args): Result {
      steps += Array.isArray(this) ? this.length : 1
      return original.apply(this, args)
    }
  Object.assign(Map.prototype, { get: counting(get) })
  Object.assign(Array.prototype, {
    indexOf: counting(indexOf),
    splice: counting(splice),
    filter: counting(filter),
  })
  try {
    work()
  } finally {
    Object.assign(Map.prototype, { get })
    Object.assign(Array.prototype, { indexOf, splice, filter })
  }
  return steps
}

type Adds = { parentId: number; nextId: number | null; node: object }[]

test.each<[string, (count: number) => Adds[]]>([
  [
    'in one mutation, each before the last',
    (count) => [
      Array.from({ length: count }, (_, index) => ({ parentId: 2, nextId: 3, node: text(10 + index, 'a') })),
    ],
  ],
  [
    'in a mutation each, each before the last',
    (count) =>
      Array.from({ length: count }, (_, index) => [{ parentId: 2, nextId: 3, node: text(10 + index, 'a') }]),
  ],
  [
    'each before its parent',
    (count) => [
      Array.from({ length: count }, (_, index) => ({
        parentId: index + 1 === count ? 2 : 11 + index,
        nextId: null,
        node: element(10 + index, 'i'),
      })),
    ],
  ],
])('twice as many nodes, %s, take about twice as many steps', (_, mutationsOf) => {
  const steps = (count: number) => {
    const table = tableOf(element(3, 'p'))
    const mutations = mutationsOf(count)
    const taken = stepsOf(() => {
      for (const adds of mutations) table.mutate({ adds })
    })
    expect(table.get(9 + count)).toBeDefined()
    expect(table.get(10)).toBeDefined()
    return taken
  }
  expect(steps(2000) / steps(1000)).toBeLessThan(2.2)
})
