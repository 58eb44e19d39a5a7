import { expect, test } from 'vitest'
import { adaptCss } from './adapt-css.ts'
import { withContrast } from './adapted-css.ts'

test('replaces pseudo-classes for focus with attributes of the same specificity', () => {
  expect(adaptCss('a:focus, form:focus-within > b, :not(:FOCUS-VISIBLE)::after { color: red }')).toBe(
    'a[data-replayed-focus], form[data-replayed-focus-within] > b, :not([data-replayed-focus-visible])::after { color: red }',
  )
})

test('replaces the pseudo-class for the target of the address', () => {
  expect(adaptCss('h2:target > a, h2:target-within { color: red }')).toBe(
    'h2[data-replayed-target] > a, h2:target-within { color: red }',
  )
})

test('replaces :hover with the class that rrweb gives to elements under the recorded pointer', () => {
  expect(adaptCss(String.raw`a:hover > b, .hover\:x:Hover::before, p:not(:hover) { color: red }`)).toBe(
    String.raw`a.\:hover > b, .hover\:x.\:hover::before, p:not(.\:hover) { color: red }`,
  )
})

test('replaces limits of the size of the screen with limits of that of the window', () => {
  expect(adaptCss('@media (min-device-width: 9px) and (MAX-device-height:2em) { p { color: red } }')).toBe(
    '@media (min-width: 9px) and (MAX-height:2em) { p { color: red } }',
  )
})

test('adapts what follows a quoted URL or a pseudo-element that contains a selector', () => {
  const before = `p { background: url("data:,'rotate(1)'") } ::slotted(a:hover), .a--b:hover { color: red }`
  expect(adaptCss(`${before} a:hover { background: url( 'x(1).svg' ) } b:hover { color: red }`)).toBe(
    before.replaceAll(':hover', String.raw`.\:hover`) +
      String.raw` a.\:hover { background: url( 'x(1).svg' ) } b.\:hover { color: red }`,
  )
})

test('adapts megabytes of hostile CSS in linear time', () => {
  for (const part of [' ', '( ', '(hover ', 'url( ', '::part(', '--a', 'animation ', ':', '\\'])
    expect(adaptCss(`${part.repeat(200_000)}:hover`)).toContain(part)
})

test('leaves names, strings, comments, URLs, media features and custom properties unchanged', () => {
  for (const css of [
    String.raw`.focus\:ring { color: red }`,
    'p::before { content: ":focus" }',
    String.raw`p::before { content: 'it\'s :focus' }`,
    '/* a:focus */ p { background: url(x:focus.png) }',
    'a:focused, a:focus_, a:hovered, a::hover { color: red }',
    '@media (hover:hover) and ( any-hover :hover) { p { color: red } }',
    'p { --min-device-width: 1px } .max-device-width { color: red }',
    'p { animation:hover 1s; animation-name:hover; --state:hover }',
    '::-webkit-scrollbar-thumb:hover, x-a::part(b):hover { color: red }',
    '@media (prefers-color-scheme: dark) { :root { color-scheme: light dark } }',
    '/* a:focus',
    'p { background: url(a:focus',
  ])
    expect(adaptCss(css)).toBe(css)
})

test.each([
  ['no-preference', ['no-preference']],
  ['more', ['more', '']],
  ['less', ['less', '']],
  ['custom', ['custom', '']],
  ['forced', ['']],
] as const)('shows the visitor’s contrast instead of the viewer’s: %s', (contrast, met) => {
  for (const value of ['no-preference', 'more', 'less', 'custom', ''] as const) {
    const query = value === '' ? '(PREFERS-CONTRAST)' : `( prefers-contrast:${value} )`
    const adapted = adaptCss(`@media screen and ${query} { p::before { content: "(prefers-contrast)" } }`)
    const isMet = (met as readonly string[]).includes(value)
    expect(withContrast(adapted, contrast)).toBe(
      `@media screen and (${isMet ? 'min' : 'max'}-width: 0) { p::before { content: "(prefers-contrast)" } }`,
    )
  }
})

test('ignores the viewer’s forced colors', () => {
  expect(adaptCss('@media (forced-colors:none) { p { top: 0 } }')).toBe(
    '@media (min-width: 0) { p { top: 0 } }',
  )
  expect(adaptCss('@media (forced-colors) { p::before { content: "(forced-colors)" } }')).toBe(
    '@media (max-width: 0) { p::before { content: "(forced-colors)" } }',
  )
})
