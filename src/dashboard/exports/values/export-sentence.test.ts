import { expect, test } from 'vitest'
import { exportSentence } from './export-sentence.ts'
import { newExportValues, type ConfigValues, type ExportValues } from './export-values.ts'

function sentence(
  change: Partial<ExportValues>,
  config: Partial<ConfigValues> = {},
  type: 'S3' | 'File' = 'S3',
): string {
  const fresh = newExportValues(type)
  const destination = {
    type,
    integration_id: '',
    config: { ...fresh.destination.config, bucket_name: 'lake', ...config },
  }
  return exportSentence({ ...fresh, ...change, destination }, 'utc')
}

test.each<[string, string]>([
  [
    'Every hour, all events but $pageleave, as Parquet (zstd) to s3://lake/events/.',
    sentence({}, { exclude_events: '$pageleave', prefix: 'events/' }),
  ],
  [
    'Every day, only $pageview, sign up and order, as JSONLines to s3://lake/.',
    sentence(
      { interval: 'day' },
      { include_events: '$pageview, sign up\norder', file_format: 'JSONLines', compression: '' },
    ),
  ],
  [
    'Every hour, only 4 events but not a and b, as Parquet (zstd) to s3://lake/.',
    sentence({}, { include_events: 'a,b,c,d', exclude_events: 'a,b' }),
  ],
  [
    'Every 5 minutes, chosen columns of all events, as Parquet (zstd) in files of at most 100 MB to a bucket.',
    sentence(
      { interval: 'every 5 minutes', hogql_query: 'SELECT uuid FROM events' },
      { bucket_name: '', max_file_size_mb: '100' },
    ),
  ],
  [
    'Every hour, the rows of a query on all events, as Parquet (zstd) to s3://lake/.',
    sentence({ hogql_query: "SELECT uuid FROM events\nwhere event = 'order'" }),
  ],
  [
    'Every hour, chosen columns of all events, as Parquet (zstd) to s3://lake/.',
    sentence({ hogql_query: "SELECT concat(event, ' where ', uuid) AS `where` FROM events" }),
  ],
  [
    'Every week, all persons that changed, as Parquet (zstd) to crm/{year}, from 2026-11-21 08:00 UTC.',
    sentence(
      { interval: 'week', model: 'persons', start_at: '2026-11-21T08:00' },
      { path: 'crm/{year}', exclude_events: 'a' },
      'File',
    ),
  ],
  [
    'Every hour, all recordings with their files, as Parquet (zstd) to a folder, until 2026-11-21 08:00 UTC.',
    sentence({ model: 'recordings', end_at: '2026-11-21T08:00' }, { include_blocks: true }, 'File'),
  ],
])('%s', (expected, said) => {
  expect(said).toBe(expected)
})
