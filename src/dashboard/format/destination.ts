import { textsOf, type TextOf } from '../../contract/destinations/destination-kind.ts'
import type { DestinationPlace, DestinationType } from '../../contract/destinations/destination.ts'
import { destinationTypes } from '../../contract/destinations/destination-types.ts'

type ShownKind = {
  label: string
  bucket: ((text: TextOf) => string) | null
  folder: 'prefix' | 'path' | 'table_name'
}

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
    bucket: (text) => `${text('host')}/${text('database')}/${text('schema') || 'public'}`,
    folder: 'table_name',
  },
  ClickHouse: {
    label: 'Table in a ClickHouse database',
    bucket: (text) => `${text('host')}/${text('database')}`,
    folder: 'table_name',
  },
  MySQL: {
    label: 'Table in a MySQL database',
    bucket: (text) => `${text('host')}/${text('database')}`,
    folder: 'table_name',
  },
}

/** Returns where an export's files go: `s3://bucket/prefix/`, or the folder as it is configured. */
export function destinationPlace({ type, config }: DestinationPlace): string {
  const { bucket, folder } = kinds[type]
  const text = textsOf(config)
  return bucket ? `${bucket(text)}/${text(folder).replace(/^\/+/, '')}` : text(folder)
}

/** Returns the part that several destinations can share: the bucket, or the service's disk. */
export function destinationRoot({ type, config }: DestinationPlace): string {
  return kinds[type].bucket?.(textsOf(config)) ?? destinationLabel(type)
}

/** Returns the file format: `Parquet (zstd)`, `JSONLines`. */
export function destinationFormat(destination: DestinationPlace): string {
  const text = textsOf(destination.config)
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
