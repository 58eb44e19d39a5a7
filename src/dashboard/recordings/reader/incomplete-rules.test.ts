import { expect, test } from 'vitest'
import { EventType, IncrementalSource, type WindowEvent } from '../../../replay/recorded/rrweb.ts'
import { incompleteRules } from './incomplete-rules.ts'

/** As Chrome prints `padding: var(--size); padding-top: 0` and `border: solid var(--width); border-top-width: 0`. */
const padding = 'padding-right: ; padding-bottom: ; padding-left: ; padding-top: 0px;'
const border = 'border-right-width: ; border-top-width: 0px;'

const element = (tagName: string, attributes = {}) => ({ tagName, attributes, childNodes: [] })
const full = (...childNodes: object[]): WindowEvent => ({
  window: 'a',
  event: { type: EventType.FullSnapshot, timestamp: 1, data: { node: { id: 1, childNodes } } },
})
const change = (data: Record<string, unknown>): WindowEvent => ({
  window: 'a',
  event: { type: EventType.IncrementalSnapshot, timestamp: 2, data },
})
const sheet = (css: string) => full(element('link', { _cssText: css }), element('p', { class: 'card wide' }))

test('counts each rule of a recorded style sheet that lacks values', () => {
  const css = `.card { ${padding} } @media (min-width: 0.5em) { p.wide, .x { color: red; ${border} } } p { ${border} }`
  expect(incompleteRules([sheet(css), sheet(css)])).toBe(3)
})

test('counts no whole rules and no empty variables', () => {
  const css = '.card { --empty: ; padding: var(--size); } .wide::after { content: ": ;"; } p { color: red; }'
  expect(incompleteRules([sheet(css)])).toBe(0)
})

test('counts only rules whose classes the page has, also later', () => {
  const css = `.card .spinner { ${border} } .p-\\[1px\\] { ${padding} }`
  const added = (className: string) =>
    change({
      source: IncrementalSource.Mutation,
      adds: [{ node: element('div', { class: className }) }],
    })
  const changed = change({
    source: IncrementalSource.Mutation,
    attributes: [{ id: 1, attributes: { class: 'spinner' } }],
  })
  expect(incompleteRules([sheet(css)])).toBe(0)
  expect(incompleteRules([sheet(css), added('p-[1px]')])).toBe(1)
  expect(incompleteRules([sheet(css), added('p-[1px]'), changed])).toBe(2)
})

test('skips rules that are no text', () => {
  const rules = [{ rule: { toString: 0 } }, { rule: [[]] }, {}, { rule: `p { ${padding} }` }]
  const adopted = change({ source: IncrementalSource.AdoptedStyleSheet, styles: [{ styleId: 1, rules }] })
  expect(incompleteRules([adopted])).toBe(1)
})

test('counts rules of style sheets that a script adopts or changes', () => {
  const adopted = change({
    source: IncrementalSource.AdoptedStyleSheet,
    styles: [{ styleId: 1, rules: [{ rule: `p { ${padding} }` }] }],
  })
  const changed = change({
    source: IncrementalSource.Mutation,
    attributes: [{ id: 1, attributes: { _cssText: `div { ${border} }` } }],
  })
  expect(incompleteRules([adopted, changed])).toBe(2)
})
