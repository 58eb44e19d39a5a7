import { expect, test } from 'vitest'
import type { DestinationPlace } from '../destinations/destination.ts'
import { failureCause, readFailureKey } from './failure-cause.ts'

const lake: DestinationPlace = { type: 'S3', config: { bucket_name: 'lake', region: 'eu-central-1' } }
const sea: DestinationPlace = { type: 'S3', config: { bucket_name: 'sea', region: 'eu-central-1' } }
const folder: DestinationPlace = { type: 'File', config: { path: 'a' } }
const unknownKey =
  "The store does not know the access key: check the destination's access key id. (InvalidAccessKeyId: 4711)"
const typeError = (value: string) =>
  `The export's query cannot be computed: change it. (CANNOT_PARSE_TEXT Cannot parse string '${value}' as Int64)`

test('failures in one bucket have one cause, whatever window, object or request they name', () => {
  const first = failureCause(unknownKey, lake)
  expect(first).toMatchObject({ class: 'credentials', destination: 's3://lake' })
  expect(failureCause(unknownKey.replace('4711', '4712'), lake).key).toBe(first.key)
  expect(failureCause(unknownKey, sea).key).not.toBe(first.key)
  const file = (day: number) =>
    `The file a/2026-03-0${day}T00:00:00+00:00.jsonl cannot be created: a folder or link with this name exists. Rename that one, or change the destination's path.`
  expect(failureCause(file(1), folder)).toEqual(failureCause(file(2), folder))
})

test('a query that cannot be computed has one cause in all exports, and another per kind of error', () => {
  const first = failureCause(typeError('12a'), lake)
  expect(first).toMatchObject({ class: 'query', destination: null })
  expect(failureCause(typeError('99 x'), folder).key).toBe(first.key)
  const column = typeError('x').replace('CANNOT_PARSE_TEXT', 'UNKNOWN_IDENTIFIER')
  expect(failureCause(column, lake).class).toBe('schema')
})

test('an unreachable store has one cause for all its buckets', () => {
  const at = (bucket: string): DestinationPlace => ({
    type: 'S3',
    config: { bucket_name: bucket, region: 'x', endpoint_url: 'https://s3.example' },
  })
  const refused = 'https://s3.example refused the connection: check the endpoint. (ECONNREFUSED)'
  expect(failureCause(refused, at('a'))).toEqual(failureCause(refused, at('b')))
  expect(failureCause(refused, at('a')).destination).toBe('https://s3.example')
})

test('a key says its class and destination, and stays short', () => {
  const { key, ...rest } = failureCause(`${'x'.repeat(10_000)}\ud800|`, lake)
  expect(readFailureKey(key)).toEqual(rest)
  expect(key.length).toBeLessThan(600)
  const odd: DestinationPlace = { type: 'S3', config: { bucket_name: 'a|b'.repeat(500), endpoint_url: null } }
  const { key: oddKey, ...oddRest } = failureCause(unknownKey, odd)
  expect(readFailureKey(oddKey)).toEqual(oddRest)
})
