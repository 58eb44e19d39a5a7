import { expect, test } from 'vitest'
import { destinationPlace } from './destination.ts'

test('a folder is spelt as it is configured, since that is the text to edit', () => {
  expect(destinationPlace({ type: 'File', config: { path: 'lake/{year}' } })).toBe('lake/{year}')
  expect(destinationPlace({ type: 'File', config: { path: '/' } })).toBe('/')
})

test('a bucket is shown with its prefix', () => {
  const config = { bucket_name: 'lake', prefix: '/raw/' }
  expect(destinationPlace({ type: 'S3', config })).toBe('s3://lake/raw/')
})
