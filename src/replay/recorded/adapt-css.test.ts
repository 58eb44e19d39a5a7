import { expect, test } from 'vitest'
import { adaptCss } from './adapt-css.ts'

test('replaces pseudo-classes for focus with attributes of the same specificity', () => {
  expect(adaptCss('a:focus, form:focus-within > b, :not(:FOCUS-VISIBLE)::after { color: red }')).toBe(
    'a[data-replayed-focus], form[data-replayed-focus-within] > b, :not([data-replayed-focus-visible])::after { color: red }',
  )
})

test('leaves names, strings, comments and URLs unchanged', () => {
  for (const css of [
    String.raw`.focus\:ring { color: red }`,
    'p::before { content: ":focus" }',
    String.raw`p::before { content: 'it\'s :focus' }`,
    '/* a:focus */ p { background: url(x:focus.png) }',
    'a:focused, a:focus_ { color: red }',
    'p { --color-scheme: light dark }',
    '/* a:focus',
    'p { background: url(a:focus',
  ])
    expect(adaptCss(css)).toBe(css)
})

test('shows the light theme of a page that has both', () => {
  expect(adaptCss('@media screen and (prefers-color-scheme: dark) { p { color: gold } }')).toBe(
    '@media screen and (max-width: 0) { p { color: gold } }',
  )
  expect(adaptCss('@media (prefers-color-scheme:light) { p { color: gold } }')).toBe(
    '@media (min-width: 0) { p { color: gold } }',
  )
  expect(adaptCss(':root { color-scheme: light dark; color: red }')).toBe(
    ':root { color-scheme: light; color: red }',
  )
  expect(adaptCss(':root{color-scheme:dark}')).toBe(':root{color-scheme: dark}')
})
