import { expect, test } from 'vitest'
import type { Compression, FileFormat } from '../../contract/destinations/destination.ts'
import { valueIssues } from '../../contract/destinations/value-issues.ts'
import { s3KeyProblem } from '../../contract/destinations/s3.ts'
import { fileKey, manifestKey, recordingKey, type FileKeyParts } from './file-key.ts'

const interval = { start: Date.UTC(2023, 0, 1, 23), end: Date.UTC(2023, 0, 2, 0) }
const name = '2023-01-01T23:00:00+00:00-2023-01-02T00:00:00+00:00'

function parts(change: Partial<FileKeyParts> = {}): FileKeyParts {
  return { prefix: '', model: 'events', interval, format: 'JSONLines', compression: null, ...change }
}

test.each([
  ['', `${name}.jsonl`],
  ['/', `${name}.jsonl`],
  ['a', `a/${name}.jsonl`],
  ['a/', `a/${name}.jsonl`],
  ['/a/b', `a/b/${name}.jsonl`],
  ['./a//.//b/.', `a/b/${name}.jsonl`],
  ['{year}/{month}/{day}/{hour}:{minute}:{second}', `2023/01/02/00:00:00/${name}.jsonl`],
  [
    '{table}/{data_interval_start}/{data_interval_end}',
    `events/2023-01-01T23:00:00+00:00/2023-01-02T00:00:00+00:00/${name}.jsonl`,
  ],
  ['{other}/{YEAR}/{}/{year', `{other}/{YEAR}/{}/{year/${name}.jsonl`],
])('the prefix %j gives the key %j', (prefix, key) => {
  expect(fileKey(parts({ prefix }), null)).toBe(key)
})

test.each<[FileFormat, Compression | null, string]>([
  ['JSONLines', null, '.jsonl'],
  ['JSONLines', 'gzip', '.jsonl.gz'],
  ['JSONLines', 'brotli', '.jsonl.br'],
  ['JSONLines', 'zstd', '.jsonl.zst'],
  ['JSONLines', 'lz4', '.jsonl.lz4'],
  ['JSONLines', 'snappy', '.jsonl.sz'],
  ['Parquet', null, '.parquet'],
  ['Parquet', 'zstd', '.parquet'],
])('a %s file with compression %s ends in %s', (format, compression, ending) => {
  expect(fileKey(parts({ format, compression }), null)).toBe(name + ending)
})

test('numbered files have a manifest beside them', () => {
  expect(fileKey(parts({ prefix: 'p', compression: 'gzip' }), 0)).toBe(`p/${name}-0.jsonl.gz`)
  expect(fileKey(parts({ prefix: 'p', format: 'Parquet' }), 12)).toBe(`p/${name}-12.parquet`)
  expect(manifestKey(parts({ prefix: 'p/{day}' }))).toBe(`p/02/${name}_manifest.json`)
})

test('every session has a recording with a name of its own, which fits below every accepted prefix', () => {
  const longest = 'long/'.repeat(205)
  const length = Array.from(longest, (_, index) => index).findLast(
    (count) => valueIssues('S3', { prefix: longest.slice(0, count), include_blocks: true }).length === 0,
  )
  const prefix = longest.slice(0, length)
  const ids = [
    'a',
    'a:b',
    ':'.repeat(36),
    ':'.repeat(99),
    ':'.repeat(100),
    `${':'.repeat(99)}.`,
    'x'.repeat(100),
  ]
  const keys = ids.map((id) => recordingKey(parts({ prefix }), id))
  for (const key of keys) expect([key, s3KeyProblem(key)]).toEqual([key, null])
  expect(new Set(keys).size).toBe(ids.length)
  for (const [index, id] of ids.entries())
    if (encodeURIComponent(id).length <= 108)
      expect(keys[index]).toContain(`_recordings/${encodeURIComponent(id)}.json.zst`)
})
