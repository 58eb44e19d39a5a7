import { expect, test } from 'vitest'
import { destinationIssues } from './destination-issues.ts'

const s3 = {
  bucket_name: 'lake',
  region: 'eu-central-1',
  aws_access_key_id: 'AKIA',
  aws_secret_access_key: 'secret',
}
const issues = (type: string, config: Record<string, unknown>) =>
  destinationIssues({ type, config }, ['S3', 'File'])
const messages = (config: Record<string, unknown>) => issues('S3', config).map((issue) => issue.message)

test('a complete destination has no issues', () => {
  expect(issues('S3', s3)).toEqual([])
  expect(issues('S3', { ...s3, file_format: 'Parquet', compression: 'lz4', max_file_size_mb: 64 })).toEqual(
    [],
  )
  expect(issues('File', { path: 'orders' })).toEqual([])
})

test('lists unknown fields in alphabetical order', () => {
  expect(messages({ ...s3, zebra: 1, ant: 2 })).toEqual(["Configuration has unknown field/s: 'ant', 'zebra'"])
})

test('does not repeat long values', () => {
  const long = 'z'.repeat(1e6)
  for (const config of [{ [long]: 1 }, { prefix: long }, { file_format: long }, { compression: long }])
    expect(messages({ ...s3, ...config }).join('').length).toBeLessThan(400)
})

test('reports the name of a missing field and the path of its form field', () => {
  const { region: _, ...rest } = s3
  expect(issues('S3', rest)).toEqual([
    {
      attr: 'destination__non_field_errors',
      path: ['destination', 'config', 'region'],
      message: "Configuration missing required field: 'region'",
    },
  ])
})

test('reports the actual and the expected type of a field', () => {
  expect(messages({ ...s3, bucket_name: 1 })).toEqual([
    "Configuration has invalid type: got 'int', expected 'str'",
  ])
  expect(messages({ ...s3, max_file_size_mb: '5' })).toEqual([
    "Configuration has invalid type: got 'str', expected 'int'",
  ])
  expect(messages({ ...s3, include_events: 'a' })).toEqual([
    "Configuration has invalid type: got 'str', expected 'list'",
  ])
})

test('rejects a compression that the file format does not support', () => {
  expect(issues('S3', { ...s3, file_format: 'CSV' })[0]).toMatchObject({
    attr: 'destination',
    message: "File format CSV is not supported. Supported file formats are ['Parquet', 'JSONLines']",
  })
  expect(messages({ ...s3, compression: 'lz4' })).toEqual([
    "Compression lz4 is not supported for file format JSONLines. Supported compressions are ['gzip', 'brotli', 'zstd']",
  ])
})

test('lists the available types if the requested one is unavailable', () => {
  const [issue] = destinationIssues({ type: 'File', config: { path: 'a' } }, ['S3'])
  expect(issue).toMatchObject({ attr: 'destination__type', message: expect.stringContaining("['S3']") })
})

test('reports a value that breaks a rule along with missing fields, but no warning', () => {
  const config = {
    ...s3,
    region: undefined,
    bucket_name: 'My Bucket',
    prefix: '{nope}',
    endpoint_url: 'javascript:alert(1)',
  }
  expect(issues('S3', config).map(({ path, message }) => `${path.at(-1)}: ${message}`)).toEqual([
    "region: Configuration missing required field: 'region'",
    "endpoint_url: Configuration has invalid value for 'endpoint_url': The endpoint URL must start with https:// or http://.",
  ])
  expect(messages({ ...s3, bucket_name: 'My Bucket' })).toEqual([
    expect.stringContaining("Configuration has invalid value for 'bucket_name': A bucket’s name has 3 to 63"),
  ])
})
