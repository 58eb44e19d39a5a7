import { expect, test } from 'vitest'
import { auditSentence, auditValue } from './audit-words.ts'

const sentence = (action: string, name: string | null) => {
  const { before, name: shown, after } = auditSentence({ action, object: { type: '', id: null, name } })
  return `${before}${shown ?? ''}${after}`
}

test.each([
  ['export.paused', 'Orders', 'paused the export Orders'],
  ['export.cloned', 'Orders', 'created the export Orders as a clone'],
  ['export.cloned', null, 'created the export as a clone'],
  ['sign_in.succeeded', null, 'signed in'],
  ['access.refused', 'GET /api/', 'was refused: GET /api/'],
  ['note.created', 'a name', 'wrote a note'],
  ['of.another_version', 'a name', 'of.another_version'],
])('%s of %s in words', (action, name, expected) => {
  expect(sentence(action, name)).toBe(expected)
})

test('values in words', () => {
  const values = [null, '', false, 3, ['a', 'b'], [], { a: 1 }, 'text']
  expect(values.map(auditValue)).toEqual(['none', 'none', 'no', '3', 'a, b', 'none', '{"a":1}', 'text'])
})
