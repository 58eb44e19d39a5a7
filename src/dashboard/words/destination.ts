import { destinationTypes, type Destination, type DestinationType } from '../../contract/destination.ts'

/** Where the files go: `s3://bucket/prefix/` or the folder's path. */
export function destinationPlace(destination: Destination): string {
  const config = destination.config ?? {}
  switch (destination.type) {
    case 'S3': {
      const prefix = text(config['prefix']).replace(/^\/+/, '')
      return `s3://${text(config['bucket_name'])}/${prefix}`
    }
    case 'File':
      return `exports/${text(config['path']).replace(/^\/+/, '')}`
  }
}

/** What several destinations have in common: the bucket, or the service's own disk. */
export function destinationRoot(destination: Destination): string {
  switch (destination.type) {
    case 'S3':
      return `s3://${text(destination.config?.['bucket_name'])}`
    case 'File':
      return destinationLabel('File')
  }
}

/** How they are written: `Parquet (zstd)`, `JSONLines`. */
export function destinationFormat(destination: Destination): string {
  const config = destination.config ?? {}
  const format = text(config['file_format']) || 'JSONLines'
  const compression = text(config['compression'])
  return compression ? `${format} (${compression})` : format
}

/** ` in eu-central-1`, or nothing for what has no region. */
export function destinationRegion(destination: Destination): string {
  const region = text(destination.config?.['region'])
  return region ? ` in ${region}` : ''
}

/** A type in words, for a choice. */
export function destinationLabel(type: DestinationType): string {
  switch (type) {
    case 'S3':
      return 'S3 or compatible bucket'
    case 'File':
      return 'Folder on the service’s disk'
  }
}

/** The types that are offered here and known to this dashboard. */
export function knownDestinations(offered: readonly string[]): DestinationType[] {
  return destinationTypes.filter((type) => offered.includes(type))
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
