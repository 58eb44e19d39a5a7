import { expect, test } from 'vitest'
import type { Destination } from '../../../contract/destinations/destination.ts'
import { destinationToTest, exportSchema } from './export-schema.ts'
import {
  inputOfValues,
  newExportValues,
  placeForType,
  valuesOfCopy,
  type ExportValues,
} from './export-values.ts'

const context = { zone: 'utc', offered: ['S3', 'File'], origin: null } as const

function values(change: Partial<ExportValues>, config: Partial<ExportValues['destination']['config']> = {}) {
  const fresh = newExportValues(change.destination?.type ?? 'File')
  const destination = { ...fresh.destination, config: { ...fresh.destination.config, ...config } }
  return { ...fresh, destination, ...change }
}

test('reports all issues at once, at their fields', () => {
  const { error } = exportSchema(context).safeParse(newExportValues('S3'))
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([
    'name',
    'destination.config.bucket_name',
    'destination.config.region',
    'destination.config.aws_access_key_id',
    'destination.config.aws_secret_access_key',
  ])
})

test('sends changed columns, reports wrong ones at their field, and clears the field with the last', () => {
  const inline = { host: 'db.example.com', user: 'spool', password: 'p', database: 'shop' }
  const postgres = (columns: ExportValues['destination']['config']['columns']) => {
    const { destination } = newExportValues('Postgres')
    const config = { ...destination.config, ...inline, columns }
    return values({ name: 'Orders', destination: { ...destination, config } })
  }
  const form = { ...context, offered: ['Postgres'] } as const
  const columns = [{ name: 'distinct_id', as: 'visitor', hash: true }]
  const { destination } = exportSchema(form).parse(postgres(columns))
  expect(destination.config).toEqual({ ...inline, columns })
  const wrong = exportSchema(form).safeParse(postgres([{ name: 'event', as: '_spool_window' }]))
  expect(wrong.error?.issues).toMatchObject([
    {
      path: ['destination', 'config', 'columns'],
      message: 'Names that begin with “_spool_” are the service’s own',
    },
  ])
  const stored: Destination = { type: 'Postgres', config: { database: 'shop', columns }, integration: null }
  expect(inputOfValues(postgres([]), 'utc', stored).destination.config).toMatchObject({ columns: null })
})

test('reports values that break a rule, at their fields', () => {
  const broken = { bucket_name: 's3://My Bucket!!', region: 'eu-west-1', endpoint_url: '' }
  const at = (config: object) => {
    const fresh = newExportValues('S3')
    const destination = { ...fresh.destination, config: { ...fresh.destination.config, ...config } }
    const { error } = exportSchema(context).safeParse({ ...fresh, name: 'n'.repeat(600), destination })
    return Object.fromEntries(error?.issues.map(({ path, message }) => [path.at(-1), message]) ?? [])
  }
  expect(at(broken)).toMatchObject({
    name: 'At most 400 characters.',
    bucket_name: 'Enter only the bucket’s name, without s3://.',
  })
  const elsewhere = at({ ...broken, endpoint_url: 'javascript:alert(1)' })
  expect(elsewhere).toMatchObject({ endpoint_url: 'The endpoint URL must start with https:// or http://.' })
  expect(elsewhere).not.toHaveProperty('bucket_name')
})

test('omits empty fields from a new export', () => {
  const parsed = exportSchema(context).parse(
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
  integration: null,
}
const origin = { id: 'original', interval: 'hour', start_at: null, paused: false, destination: lake } as const

test('omits untyped secrets from an edit, and clears emptied fields', () => {
  const config = { bucket_name: 'lake', region: 'us', prefix: '', compression: '' }
  const edited = values({ name: 'Orders' }, config)
  const input = { ...edited, destination: { ...edited.destination, type: 'S3' as const } }
  const parsed = exportSchema({ ...context, origin: { ...origin, kind: 'edited' } }).parse(input)
  expect(parsed.destination.config).toEqual({
    bucket_name: 'lake',
    region: 'us',
    prefix: '',
    compression: null,
    file_format: 'Parquet',
  })
})

test('needs no secrets for a copy, names its original, and omits emptied fields', () => {
  const fresh = newExportValues('S3')
  const config = { ...fresh.destination.config, bucket_name: 'lake', region: 'us', compression: '' }
  const copied: ExportValues = {
    ...fresh,
    name: 'Orders copy',
    destination: { type: 'S3', config, integration_id: '' },
  }
  const parsed = exportSchema({ ...context, origin: { ...origin, kind: 'cloned' } }).parse(copied)
  expect(parsed.cloned_from).toBe('original')
  expect(parsed.destination.config).toEqual({ bucket_name: 'lake', region: 'us', file_format: 'Parquet' })
})

test('sends emptied fields when a copy is tested, since the original provides all others', () => {
  const fresh = newExportValues('S3')
  const config = { ...fresh.destination.config, bucket_name: 'lake', region: 'us', compression: '' }
  const tested = destinationToTest(
    { ...fresh, destination: { type: 'S3', config, integration_id: '' } },
    { ...context, origin: { ...origin, kind: 'cloned' } },
  )
  expect(tested.issues).toEqual([])
  expect(tested.destination.config).toMatchObject({ region: 'us', prefix: '', compression: null })
})

test('reports an end that is not after the start, at the field of the end', () => {
  const { error } = exportSchema(context).safeParse(
    values({ name: 'Orders', start_at: '2026-11-21T08:00', end_at: '2026-11-21T08:00' }, { path: 'orders' }),
  )
  expect(error?.issues.map(({ path }) => path)).toEqual([['end_at']])
})

test('keeps the path when the destination changes between bucket and folder', () => {
  const { config } = newExportValues('S3').destination
  expect(placeForType({ ...config, prefix: 'lake/{year}' }, 'File')).toBe('lake/{year}')
  expect(placeForType({ ...config, prefix: 'lake', path: 'own' }, 'File')).toBe('own')
})

test.each([
  ['lake/{year}', 'lake-copy/{year}'],
  ['/lake/', 'lake-copy'],
  ['{year}/{month}', 'copy/{year}/{month}'],
  ['', 'copy'],
])('a copy of an export to "%s" suggests a place of its own', (prefix, suggested) => {
  const original = {
    id: '1',
    team_id: 1,
    name: 'Lake',
    paused: false,
    schema: null,
    hogql_query: '',
    created_at: '',
    last_updated_at: '',
    last_paused_at: null,
    paused_because: null,
    pause_reason: null,
    paused_until: null,
    tags: [],
    owner: '',
    note: '',
    start_at: null,
    end_at: null,
    latest_runs: [],
    model: 'events' as const,
    interval: 'hour' as const,
  }
  const copyOf = (destination: Destination) =>
    valuesOfCopy({ ...original, destination }, 'utc').destination.config
  expect(copyOf({ type: 'S3', config: { prefix }, integration: null })).toMatchObject({
    prefix: suggested,
    path: '',
  })
  expect(copyOf({ type: 'File', config: { path: prefix }, integration: null })).toMatchObject({
    path: suggested,
    prefix: '',
  })
})

test('rejects a compression that the format does not support with the service’s message', () => {
  const { error } = exportSchema(context).safeParse(
    values({ name: 'Orders' }, { path: 'orders', file_format: 'JSONLines', compression: 'snappy' }),
  )
  expect(error?.issues).toMatchObject([
    {
      path: ['destination', 'config', 'compression'],
      message: expect.stringContaining('Compression snappy'),
    },
  ])
})

test('reads times in the zone of the form and sends them in UTC', () => {
  const input = inputOfValues(values({ start_at: '2026-11-21T08:00' }), 'utc', null)
  expect(input.start_at).toBe('2026-11-21T08:00:00Z')
  expect(input.end_at).toBeNull()
})
