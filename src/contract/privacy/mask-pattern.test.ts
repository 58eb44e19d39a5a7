import { expect, test } from 'vitest'
import { patternProblem } from './mask-pattern.ts'

test.each([
  String.raw`\bEMP-\d{4,6}\b`,
  String.raw`[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){3,7}`,
  String.raw`(?:secret|token)=[\w\]-]{8,64}`,
  String.raw`\d{3}\-\d{2}\-\d{4}`,
  String.raw`(?<year>19|20)\d\d`,
  'a{b',
  String.raw`[A-Z]{2}-?\d{2,10}(?:\.\d{1,4})?`,
])('%s can mask texts', (pattern) => {
  expect(patternProblem(pattern)).toBeNull()
})

const tooMany =
  'This pattern can match in too many ways: lower the limits of repetitions, or repeat fewer parts.'
test.each([
  ['(a+)+b', 'Limit each repetition, for example {1,40} instead of + or *.'],
  [String.raw`\w{1,}@acme`, 'Limit each repetition, for example {1,40} instead of + or *.'],
  ['(?:a?){1,20}b', tooMany],
  ['a{1,40}a{1,40}b', tooMany],
  ['(?:a|aa){12}b', tooMany],
  ['(?:a{500}){500}', tooMany],
  ['a{2000}', tooMany],
  // Slow even on an empty text.
  [String.raw`(?:a?|b?){99}\b`, tooMany],
  // Few ways to match, each of which is long.
  ['(?:a|b){9}c{900}', tooMany],
  ['(?=a)a', 'Lookarounds and backreferences are not supported.'],
  ['(?<!a)b', 'Lookarounds and backreferences are not supported.'],
  [String.raw`(a)\1`, 'Lookarounds and backreferences are not supported.'],
  ['a?', 'This pattern also matches an empty text.'],
  ['(', 'This is not a regular expression.'],
])('%s cannot: %s', (pattern, problem) => {
  expect(patternProblem(pattern)).toBe(problem)
})
