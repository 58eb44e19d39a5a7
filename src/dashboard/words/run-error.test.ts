import { expect, test } from 'vitest'
import { errorInWords } from './run-error.ts'

test('an error falls into what happened, what to do and what the engine said', () => {
  expect(
    errorInWords(
      'There is no bucket "lake" at https://s3.example.com: create it. (NoSuchBucket: The bucket (lake) is gone)',
    ),
  ).toEqual({
    headline: 'There is no bucket "lake" at https://s3.example.com.',
    advice: 'Create it.',
    raw: 'NoSuchBucket: The bucket (lake) is gone',
  })
})

test('an error of any other form is shown as it is', () => {
  expect(errorInWords('The disk is full')).toEqual({ headline: 'The disk is full.', advice: '', raw: null })
})
