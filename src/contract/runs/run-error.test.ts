import { expect, test } from 'vitest'
import { errorInWords } from './run-error.ts'

test('splits an error into what happened, what to do and the engine’s message', () => {
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

test('keeps any other error unchanged', () => {
  expect(errorInWords('The disk is full')).toEqual({ headline: 'The disk is full.', advice: '', raw: null })
})
