import { expect, test } from 'vitest'
import { markConstantsPure } from './pure-schemas.ts'

test('marks the initializers of top-level constants', () => {
  const code = `const a = b(), c = { d: 1 };\nexport const E = z\n  .object({ f: g() })\n  .strict()`
  expect(markConstantsPure(code)).toBe(
    'const a = /* @__PURE__ */ (() => (b()))(), c = /* @__PURE__ */ (() => ({ d: 1 }))();\n' +
      'export const E = /* @__PURE__ */ (() => (z\n  .object({ f: g() })\n  .strict()))()',
  )
})

test.each([
  'function f() { const a = b(); c(a) }',
  'export const f = (a) => { const b = check(a) }',
  'const f = function () { const a = b() }',
  'export class A { b = c(); static { d() } }',
  'register(schema())',
  "export const a = 'text', b = 1, c = `${a}`",
  'let a',
])('leaves all other code unchanged: %s', (code) => {
  expect(markConstantsPure(code)).toBe(code)
})
