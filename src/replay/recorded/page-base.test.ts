import { expect, test } from 'vitest'
import { PageBase } from './page-base.ts'
import { EventType, mutation, NodeType, type ReplayEvent } from './rrweb.ts'

const page = 'https://shop.example/lamps/arc'

function element(id: number, tagName: string, attributes: object = {}, ...childNodes: object[]): object {
  return { type: NodeType.Element, id, tagName, attributes, childNodes }
}
const baseElement = (id: number, href?: string) => element(id, 'base', href === undefined ? {} : { href })
const meta = (href: string) => ({ type: EventType.Meta, timestamp: 1, data: { href } })
const snapshot = (...childNodes: object[]) => ({
  type: EventType.FullSnapshot,
  timestamp: 1,
  data: { node: { type: NodeType.Document, id: 1, childNodes } },
})
/** Returns the base URL after the events. */
function baseAfter(...events: ReplayEvent[]): string {
  const base = new PageBase()
  for (const event of events) base.follow(event)
  return base.url
}

test.each([
  ['the page without a base element', [snapshot(element(2, 'html'))], page],
  ['its base element', [snapshot(baseElement(2, '/shop/'))], 'https://shop.example/shop/'],
  [
    'the first base element with an address',
    [snapshot(element(2, 'div', {}, baseElement(3), baseElement(4, '../a/')), baseElement(5, '/b/'))],
    'https://shop.example/a/',
  ],
  ['the page if the base is no web address', [snapshot(baseElement(2, 'javascript:x()'))], page],
  [
    'the next page without the base of the last',
    [snapshot(baseElement(2, '/a/')), meta(page), snapshot()],
    page,
  ],
  [
    'a snapshot without compounding the base',
    [snapshot(baseElement(2, 'a/')), snapshot(baseElement(2, 'a/'))],
    `${page.slice(0, -3)}a/`,
  ],
  [
    'an added base',
    [snapshot(), mutation(1, { adds: [{ parentId: 1, node: baseElement(2, '/a/') }] })],
    'https://shop.example/a/',
  ],
  [
    'a changed base',
    [snapshot(baseElement(2, '/a/')), mutation(1, { attributes: [{ id: 2, attributes: { href: '/b/' } }] })],
    'https://shop.example/b/',
  ],
  [
    'a base that loses its address',
    [snapshot(baseElement(2, '/a/')), mutation(1, { attributes: [{ id: 2, attributes: { href: null } }] })],
    page,
  ],
  [
    'a removed base',
    [snapshot(baseElement(2, '/a/')), mutation(1, { removes: [{ id: 2, parentId: 1 }] })],
    page,
  ],
  ['the page instead of a base in a frame', [snapshot({ ...baseElement(3, '/a/'), rootId: 2 })], page],
  [
    'a base of a page after the first',
    [snapshot({ ...baseElement(3, '/a/'), rootId: 1 })],
    'https://shop.example/a/',
  ],
  [
    'the new address of a page with a relative base',
    [
      snapshot(baseElement(2, 'a/')),
      {
        type: EventType.Custom,
        timestamp: 1,
        data: { tag: '$url_changed', payload: { href: 'https://shop.example/x/y' } },
      },
    ],
    'https://shop.example/x/a/',
  ],
])('references resolve against %s', (_, events, url) => {
  expect(baseAfter(meta(page), ...events)).toBe(url)
})

test('the state survives storage', () => {
  const before = new PageBase()
  for (const event of [meta(page), snapshot(baseElement(2, '/a/'))]) before.follow(event)
  const after = new PageBase(JSON.parse(JSON.stringify(before.state)))
  expect(after.url).toBe('https://shop.example/a/')
  after.follow(mutation(1, { attributes: [{ id: 2, attributes: { href: '/b/' } }] }))
  expect(after.url).toBe('https://shop.example/b/')
})
