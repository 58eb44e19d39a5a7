import { textsOf, type TextOf } from '../../contract/destinations/destination-kind.ts'
import { tableDefaults } from '../../contract/destinations/tables/table-defaults.ts'
import type { DestinationPlace, DestinationType } from '../../contract/destinations/destination.ts'
import { destinationTypes } from '../../contract/destinations/destination-types.ts'

type ShownKind = {
  label: string
  bucket: ((text: TextOf) => string) | null
  folder: 'prefix' | 'path' | 'url'
  /** Schema, if the database has schemas, and table; null for a destination of files. */
  table?: (text: TextOf) => string
  /** Format of the rows, if it cannot be chosen. */
  format?: string
}

const inTable = { bucket: (text: TextOf) => text('database'), folder: 'path' } as const
const tableOf = (text: TextOf) => text('table_name') || tableDefaults.table_name

const inBucket = { bucket: (text: TextOf) => `s3://${text('bucket_name')}`, folder: 'prefix' } as const

/** Separate from the contract's `destinationKinds`, which would load all schemas with the first page. */
const kinds: Record<DestinationType, ShownKind> = {
  S3: { label: 'S3 or compatible bucket', ...inBucket },
  AwsS3: { label: 'Amazon S3 bucket', ...inBucket },
  S3Compatible: { label: 'S3-compatible bucket', ...inBucket },
  AzureBlob: {
    label: 'Azure Blob Storage container',
    bucket: (text) => text('container_name'),
    folder: 'prefix',
  },
  SFTP: { label: 'Folder on an SFTP server', bucket: null, folder: 'path' },
  File: { label: 'Folder on the service’s disk', bucket: null, folder: 'path' },
  Postgres: {
    label: 'Table in a PostgreSQL database',
    ...inTable,
    table: (text) => `${text('schema') || tableDefaults.schema}.${tableOf(text)}`,
  },
  ClickHouse: { label: 'Table in a ClickHouse database', ...inTable, table: tableOf },
  MySQL: { label: 'Table in a MySQL database', ...inTable, table: tableOf },
  Webhook: { label: 'Webhook', bucket: null, folder: 'url', format: 'JSON' },
}

/** Returns where an export's rows go: `s3://bucket/prefix/`, the folder as it is configured, or `public.table in database`. */
export function destinationPlace({ type, config }: DestinationPlace): string {
  const { bucket, folder, table } = kinds[type]
  const text = textsOf(config)
  if (table) return `${table(text)} in ${text('database')}`
  return bucket ? `${bucket(text)}/${text(folder).replace(/^\/+/, '')}` : text(folder)
}

/** Returns the part that several destinations can share: the bucket, or the service's disk. */
export function destinationRoot({ type, config }: DestinationPlace): string {
  return kinds[type].bucket?.(textsOf(config)) ?? destinationLabel(type)
}

/** Returns the file format: `Parquet (zstd)`, `JSONLines`; null for a table. */
export function destinationFormat(destination: DestinationPlace): string | null {
  const { format: fixed } = kinds[destination.type]
  if (fixed) return fixed
  const text = textsOf(destination.config)
  if (kinds[destination.type].table) return null
  const format = text('file_format') || 'JSONLines'
  const compression = text('compression')
  return compression ? `${format} (${compression})` : format
}

/** Returns ` in eu-central-1`, or an empty text for a destination without a region. */
export function destinationRegion(destination: DestinationPlace): string {
  const region = textsOf(destination.config)('region')
  return region ? ` in ${region}` : ''
}

export function destinationLabel(type: DestinationType): string {
  return kinds[type].label
}

/** Returns the destination types that the service offers and this dashboard supports. */
export function knownDestinations(offered: readonly string[]): DestinationType[] {
  return destinationTypes.filter((type) => offered.includes(type))
}
