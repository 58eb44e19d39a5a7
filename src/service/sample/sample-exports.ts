import type { Model } from '../../contract/exports/batch-export.ts'
import type { FileConfig } from '../../contract/destinations/file.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { Interval } from '../../contract/interval.ts'

export type SampleExport = {
  name: string
  /** By default, events. */
  model?: Model
  interval: Interval
  config: FileConfig
  /** If it does not write files. */
  destination?: Pick<BatchExportRow, 'destination_type' | 'destination_config' | 'integration_id'>
  query?: string
  /** Number of windows before the current one at which the export started. */
  windowsBack: number
  /** Windows with runs of an export that is now paused, as ranges (from, up to) counted back from the current window. */
  pausedRanges?: readonly (readonly [number, number])[]
  /** Why it is paused. */
  pauseReason?: string
}

/** File at the path where the failing export needs a folder. */
export const blockingFile = {
  path: 'finance',
  text: 'This file is part of the sample project: the export "Finance hand-over" needs a folder with this name and fails.\nGive the export another path, or remove this file, and retry its runs.\n',
}

/** One export of each kind, newest last. */
export const sampleExports: readonly SampleExport[] = [
  {
    name: 'Weekly orders and carts',
    interval: 'week',
    config: {
      path: 'weekly/{year}-{month}-{day}/{table}',
      file_format: 'Parquet',
      compression: 'zstd',
      max_file_size_mb: 1,
      include_events: ['product viewed', 'added to cart', 'checkout started', 'order placed'],
    },
    windowsBack: 4,
  },
  {
    name: 'Daily archive',
    interval: 'day',
    config: { path: 'archive', file_format: 'JSONLines', compression: 'gzip' },
    windowsBack: 14,
  },
  {
    model: 'persons',
    name: 'Customers to the CRM',
    interval: 'day',
    config: { path: 'crm/{table}', file_format: 'Parquet', compression: 'snappy' },
    windowsBack: 7,
  },
  {
    name: 'Finance hand-over',
    interval: 'day',
    config: {
      path: `${blockingFile.path}/{year}/{month}`,
      file_format: 'JSONLines',
      include_events: ['order placed'],
    },
    windowsBack: 5,
  },
  {
    name: 'Lake, hourly',
    interval: 'hour',
    config: { path: 'lake/{year}/{month}/{day}', file_format: 'Parquet', compression: 'zstd' },
    windowsBack: 72,
  },
  {
    name: 'Search terms',
    interval: 'hour',
    config: { path: 'search', file_format: 'JSONLines', compression: 'zstd', include_events: ['search'] },
    windowsBack: 48,
    pausedRanges: [
      [48, 31],
      [25, 12],
    ],
    pauseReason: 'The search page is being rebuilt.',
  },
  {
    name: 'Orders with their revenue',
    interval: 'every 30 minutes',
    config: { path: 'revenue', file_format: 'Parquet', compression: 'zstd' },
    query: `SELECT timestamp, distinct_id, properties.order_id AS order_id, properties.product_name AS product, toFloat(properties.revenue) AS revenue FROM events WHERE event = 'order placed'`,
    windowsBack: 48,
  },
  {
    name: 'Live feed',
    interval: 'every 5 minutes',
    config: { path: 'live', file_format: 'JSONLines', exclude_events: ['$autocapture', '$pageleave'] },
    windowsBack: 72,
  },
]
