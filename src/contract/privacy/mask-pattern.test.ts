import { expect, test } from 'vitest'
import { patternProblem } from './mask-pattern.ts'

test.each([
  String.raw`\bEMP-\d{4,6}\b`,
  String.raw`[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){3,7}`,
  String.raw`(?:secret|token)=[\w\]-]{8,64}`,
  String.raw`\d{3}\-\d{2}\-\d{4}`,
  String.raw`(?<year>19|20)\d\d`,
  'a{b',
])('%s can mask texts', (pattern) => {
  expect(patternProblem(pattern)).toBeNull()
})

test.each([
  ['(a+)+b', 'Give each repetition an end, such as {1,40} instead of + or *.'],
  [String.raw`\w{1,}@acme`, 'Give each repetition an end, such as {1,40} instead of + or *.'],
  ['(?:a?){1,20}b', 'This pattern can match in too many ways: repeat less, or fewer parts.'],
  ['a{1,40}a{1,40}b', 'This pattern can match in too many ways: repeat less, or fewer parts.'],
  ['(?:a|aa){12}b', 'This pattern can match in too many ways: repeat less, or fewer parts.'],
  ['(?:a{500}){500}', 'This pattern can match in too many ways: repeat less, or fewer parts.'],
  ['a{2000}', 'This pattern can match in too many ways: repeat less, or fewer parts.'],
  ['(?=a)a', 'Look-arounds and references back cannot be used.'],
  ['(?<!a)b', 'Look-arounds and references back cannot be used.'],
  [String.raw`(a)\1`, 'Look-arounds and references back cannot be used.'],
  ['a?', 'This pattern also matches an empty text.'],
  ['(', 'This is not a regular expression.'],
])('%s cannot: %s', (pattern, problem) => {
  expect(patternProblem(pattern)).toBe(problem)
})
