import { expect, test } from 'vitest'
import type { Destination } from '../../../contract/destination.ts'
import { destinationToTry, exportSchema } from './export-schema.ts'
import { configForType, inputOfValues, newExportValues, type ExportValues } from './export-values.ts'

const around = { zone: 'utc', offered: ['S3', 'File'], origin: null } as const

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

const lake: Destination = {
  type: 'S3',
  config: { bucket_name: 'lake', region: 'eu', prefix: 'a/', compression: 'zstd', file_format: 'Parquet' },
}
const origin = { id: 'original', interval: 'hour', start_at: null, paused: false, destination: lake } as const

test('an edit leaves out a secret that is not typed, and clears what was emptied', () => {
  const config = { bucket_name: 'lake', region: 'us', prefix: '', compression: '' }
  const edited = values({ name: 'Orders' }, config)
  const input = { ...edited, destination: { ...edited.destination, type: 'S3' as const } }
  const parsed = exportSchema({ ...around, origin: { ...origin, kind: 'edited' } }).parse(input)
  expect(parsed.destination.config).toEqual({
    bucket_name: 'lake',
    region: 'us',
    prefix: '',
    compression: null,
    file_format: 'Parquet',
  })
})

test('a copy needs no secrets, names its original, and is sent without what was emptied', () => {
  const fresh = newExportValues('S3')
  const config = { ...fresh.destination.config, bucket_name: 'lake', region: 'us', compression: '' }
  const copied: ExportValues = { ...fresh, name: 'Orders copy', destination: { type: 'S3', config } }
  const parsed = exportSchema({ ...around, origin: { ...origin, kind: 'cloned' } }).parse(copied)
  expect(parsed.cloned_from).toBe('original')
  expect(parsed.destination.config).toEqual({ bucket_name: 'lake', region: 'us', file_format: 'Parquet' })
})

test('a trial of a copy says what was emptied, since the rest comes from the original', () => {
  const fresh = newExportValues('S3')
  const config = { ...fresh.destination.config, bucket_name: 'lake', region: 'us', compression: '' }
  const tried = destinationToTry(
    { ...fresh, destination: { type: 'S3', config } },
    { ...around, origin: { ...origin, kind: 'cloned' } },
  )
  expect(tried.issues).toEqual([])
  expect(tried.destination.config).toMatchObject({ region: 'us', prefix: '', compression: null })
})

test('an end that is not after the start is refused at the end', () => {
  const { error } = exportSchema(around).safeParse(
    values({ name: 'Orders', start_at: '2026-11-21T08:00', end_at: '2026-11-21T08:00' }, { path: 'orders' }),
  )
  expect(error?.issues.map(({ path }) => path)).toEqual([['end_at']])
})

test('a folder chosen instead of a bucket lies where the files lay', () => {
  const { config } = newExportValues('S3').destination
  expect(configForType({ ...config, prefix: 'lake/{year}' }, 'File')).toEqual({ path: 'lake/{year}' })
  expect(configForType({ ...config, prefix: 'lake', path: 'own' }, 'File')).toEqual({})
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
