import type { Destination, DestinationType } from '../../contract/destinations/destination.ts'
import { destinationTypes } from '../../contract/destinations/destination-types.ts'

/** Returns where an export's files go: `s3://bucket/prefix/`, or the folder as it is configured. */
export function destinationPlace(destination: Destination): string {
  const { type, config } = destination
  if (type === 'File') return text(config?.['path'])
  return `${destinationRoot(destination)}/${text(config?.['prefix']).replace(/^\/+/, '')}`
}

/** Returns the part that several destinations can share: the bucket, or the service's disk. */
export function destinationRoot({ type, config }: Destination): string {
  return type === 'S3' ? `s3://${text(config?.['bucket_name'])}` : destinationLabel(type)
}

/** Returns the file format: `Parquet (zstd)`, `JSONLines`. */
export function destinationFormat(destination: Destination): string {
  const config = destination.config ?? {}
  const format = text(config['file_format']) || 'JSONLines'
  const compression = text(config['compression'])
  return compression ? `${format} (${compression})` : format
}

/** Returns ` in eu-central-1`, or an empty text for a destination without a region. */
export function destinationRegion(destination: Destination): string {
  const region = text(destination.config?.['region'])
  return region ? ` in ${region}` : ''
}

/** Returns the name of a destination type for a selection. */
export function destinationLabel(type: DestinationType): string {
  return type === 'S3' ? 'S3 or compatible bucket' : 'Folder on the service’s disk'
}

/** Returns the destination types that the service offers and this dashboard supports. */
export function knownDestinations(offered: readonly string[]): DestinationType[] {
  return destinationTypes.filter((type) => offered.includes(type))
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
