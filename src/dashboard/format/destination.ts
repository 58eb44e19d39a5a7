import type { Destination, DestinationType } from '../../contract/destinations/destination.ts'
import { destinationTypes } from '../../contract/destinations/destination-types.ts'

/** Returns where an export's files go: `s3://bucket/prefix/`, or the folder as it is configured. */
export function destinationPlace({ type, config }: Destination): string {
  switch (type) {
    case 'S3':
      return `s3://${text(config?.['bucket_name'])}/${text(config?.['prefix']).replace(/^\/+/, '')}`
    case 'File':
      return text(config?.['path'])
  }
}

/** Returns the part that several destinations can share: the bucket, or the service's disk. */
export function destinationRoot(destination: Destination): string {
  switch (destination.type) {
    case 'S3':
      return `s3://${text(destination.config?.['bucket_name'])}`
    case 'File':
      return destinationLabel('File')
  }
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
  switch (type) {
    case 'S3':
      return 'S3 or compatible bucket'
    case 'File':
      return 'Folder on the service’s disk'
  }
}

/** Returns the destination types that the service offers and this dashboard supports. */
export function knownDestinations(offered: readonly string[]): DestinationType[] {
  return destinationTypes.filter((type) => offered.includes(type))
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
