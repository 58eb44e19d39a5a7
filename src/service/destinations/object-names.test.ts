import fc from 'fast-check'
import { expect, test } from 'vitest'
import { windowAt } from '../../contract/interval.ts'
import { fileKey } from './file-key.ts'
import { canShareFiles, type NamedExport } from './object-names.ts'

let count = 0

function s3(prefix: string, change: Partial<NamedExport> = {}, config: object = {}): NamedExport {
  return {
    id: String((count += 1)),
    project_id: 1,
    model: 'events',
    interval: 'hour',
    destination_type: 'S3',
    integration_config: null,
    destination_config: { bucket_name: 'lake', region: 'eu-central-1', prefix, ...config },
    ...change,
  }
}

function file(path: string, change: Partial<NamedExport> = {}): NamedExport {
  return s3('', { destination_type: 'File', destination_config: { path }, ...change })
}

const store = { endpoint_url: 'https://store.example:9000' }

test.each([
  ['the same prefix', s3('a'), s3('a')],
  ['slashes around a prefix', s3('/a/b'), s3('a/b/')],
  ['no prefix', s3(''), s3('/')],
  ['another region of Amazon', s3('a'), s3('a', {}, { region: 'us-east-1' })],
  ['an endpoint of Amazon', s3('a'), s3('a', {}, { endpoint_url: 'https://s3.eu-central-1.amazonaws.com/' })],
  [
    'an endpoint in another spelling',
    s3('a', {}, store),
    s3('a', {}, { endpoint_url: 'HTTPS://Store.example:9000/' }),
  ],
  ['another project', s3('a'), s3('a', { project_id: 2 })],
  ['another model', s3('a'), s3('a', { model: 'persons' })],
  [
    'another compression within Parquet',
    s3('a', {}, { file_format: 'Parquet' }),
    s3('a', {}, { file_format: 'Parquet', compression: 'zstd' }),
  ],
  [
    'manifests of two formats',
    s3('a', {}, { max_file_size_mb: 5 }),
    s3('a', {}, { max_file_size_mb: 9, file_format: 'Parquet' }),
  ],
  ['a variable and its value', s3('a/{year}'), s3('a/2031')],
  ['parts of an instant', s3('{data_interval_end}'), s3('{year}-{month}-{day}T{hour}:00:00+00:00')],
  ['two variables that are equal in some windows', s3('{month}'), s3('{day}')],
  ['the table and its name', s3('{table}/x', { model: 'persons' }), s3('persons/x')],
  ['a variable against text on each side', s3('{year}/03'), s3('2031/{month}')],
  ['the minute of an hour', s3('a/{minute}'), s3('a/00')],
  ['slashes around and inside a path', file('a//b'), file('/a/./b/')],
])('two exports can write the same files: %s', (_, one, other) => {
  expect(canShareFiles(one, other)).toBe(true)
})

test.each([
  ['another prefix', s3('a'), s3('b')],
  ['a longer prefix', s3('a'), s3('a/b')],
  ['another bucket', s3('a'), s3('a', {}, { bucket_name: 'sea' })],
  ['another store', s3('a'), s3('a', {}, store)],
  ['another interval', s3('a'), s3('a', { interval: 'day' })],
  ['another format', s3('a'), s3('a', {}, { file_format: 'Parquet' })],
  ['another compression', s3('a'), s3('a', {}, { compression: 'gzip' })],
  ['a bucket and a folder', s3('a'), file('a')],
  ['another project’s folder', file('a'), file('a', { project_id: 2 })],
  ['another table', s3('{table}'), s3('{table}', { model: 'persons' })],
  ['text that is not a year', s3('a/{year}'), s3('a/abcd')],
  ['a number that is not a month', s3('a/{month}'), s3('a/40')],
  ['a minute at which no hour starts', s3('a/{minute}'), s3('a/30')],
  ['one digit that would need two values', s3('{year}/{year}'), s3('2030/2031')],
  ['an unknown variable', s3('{plan}'), s3('{year}')],
])('two exports never write the same files: %s', (_, one, other) => {
  expect(canShareFiles(one, other)).toBe(false)
})

test('never overlooks exports that write the same file', () => {
  const piece = fc.constantFrom(
    'a',
    '/',
    '2',
    '0',
    '02',
    '-',
    '{year}',
    '{month}',
    '{day}',
    '{hour}',
    '{table}',
  )
  const prefix = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('').replace(/\/+/g, '/'))
  const model = fc.constantFrom('events' as const, 'persons' as const)
  const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(prefix, prefix, model, model, time, (one, other, oneModel, otherModel, at) => {
      const interval = windowAt('hour', at.getTime())
      const keyOf = (text: string, of: NamedExport['model']) =>
        fileKey({ prefix: text, model: of, interval, format: 'JSONLines', compression: null }, null)
      const isSame = keyOf(one, oneModel) === keyOf(other, otherModel)
      const found = canShareFiles(s3(one, { model: oneModel }), s3(other, { model: otherModel }))
      expect(found || !isSame).toBe(true)
    }),
    { numRuns: 5000 },
  )
})
