import type { BatchExport } from '../../contract/batch-export.ts'
import { destinationTypes, type Destination, type DestinationType } from '../../contract/destination.ts'

type Placed = Pick<BatchExport, 'destination' | 'team_id' | 'in_shared_folder'>

/** Returns where an export's files go: `s3://bucket/prefix/` or the folder's path. */
export function destinationPlace({ destination, team_id, in_shared_folder }: Placed): string {
  const config = destination.config ?? {}
  switch (destination.type) {
    case 'S3': {
      const prefix = text(config['prefix']).replace(/^\/+/, '')
      return `s3://${text(config['bucket_name'])}/${prefix}`
    }
    case 'File':
      return `exports/${in_shared_folder ? '' : `${team_id}/`}${folder(config)}`
  }
}

/** Returns the place for a list of one project: without the folder that holds all its exports. */
export function destinationInProject(placed: Placed): string {
  const { destination, in_shared_folder } = placed
  const isInProjectFolder = destination.type === 'File' && !in_shared_folder
  return isInProjectFolder ? folder(destination.config ?? {}) : destinationPlace(placed)
}

function folder(config: Record<string, unknown>): string {
  return text(config['path']).replace(/^\/+/, '')
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
