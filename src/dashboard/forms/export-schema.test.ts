import { expect, test } from 'vitest'
import type { Destination } from '../../contract/destination.ts'
import { exportSchema } from './export-schema.ts'
import { inputOfValues, newExportValues, type ExportValues } from './export-values.ts'

const around = { zone: 'utc', offered: ['S3', 'File'], stored: null } as const

function values(change: Partial<ExportValues>, config: Partial<ExportValues['destination']['config']> = {}) {
  const fresh = newExportValues(change.destination?.type ?? 'File')
  const destination = { ...fresh.destination, config: { ...fresh.destination.config, ...config } }
  return { ...fresh, destination, ...change }
}

test('everything that is wrong is said at once, at its field', () => {
  const { error } = exportSchema(around).safeParse(newExportValues('S3'))
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([
    'name',
    'destination.config.bucket_name',
    'destination.config.region',
    'destination.config.aws_access_key_id',
    'destination.config.aws_secret_access_key',
  ])
})

test('a new export is sent without the fields that were left empty', () => {
  const parsed = exportSchema(around).parse(
    values({ name: 'Orders' }, { path: 'orders', include_events: 'a, b\nc' }),
  )
  expect(parsed.destination).toEqual({
    type: 'File',
    config: { path: 'orders', file_format: 'Parquet', compression: 'zstd', include_events: ['a', 'b', 'c'] },
  })
})

test('an edit leaves out a secret that is not typed, and clears what was emptied', () => {
  const stored: Destination = {
    type: 'S3',
    config: { bucket_name: 'lake', region: 'eu', prefix: 'a/', compression: 'zstd', file_format: 'Parquet' },
  }
  const config = { bucket_name: 'lake', region: 'us', prefix: '', compression: '' }
  const edited = values({ name: 'Orders' }, config)
  const input = { ...edited, destination: { ...edited.destination, type: 'S3' as const } }
  const parsed = exportSchema({ ...around, stored }).parse(input)
  expect(parsed.destination.config).toEqual({
    bucket_name: 'lake',
    region: 'us',
    prefix: '',
    compression: null,
    file_format: 'Parquet',
  })
})

test('a compression that the format does not take is refused in the service’s words', () => {
  const { error } = exportSchema(around).safeParse(
    values({ name: 'Orders' }, { path: 'orders', file_format: 'JSONLines', compression: 'snappy' }),
  )
  expect(error?.issues).toMatchObject([
    {
      path: ['destination', 'config', 'compression'],
      message: expect.stringContaining('Compression snappy'),
    },
  ])
})

test('times are sent in UTC, read in the zone of the form', () => {
  const input = inputOfValues(values({ start_at: '2026-11-21T08:00' }), 'utc', null)
  expect(input.start_at).toBe('2026-11-21T08:00:00Z')
  expect(input.end_at).toBeNull()
})
