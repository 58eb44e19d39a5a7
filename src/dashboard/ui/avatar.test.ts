import { expect, test } from 'vitest'
import { initialsOf } from './avatar.tsx'

test.each([
  ['Ada Lovelace', 'AL'],
  ['Jean-Luc de la Tour', 'JT'],
  ['ada', 'A'],
  ['ann.miller@shop.example', 'AM'],
  ['山田 太郎', '山太'],
  ['@', '?'],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
