import { Compression, FileFormat } from '../../contract/destinations/destination.ts'
import { FileConfig } from '../../contract/destinations/file.ts'
import { regionError, S3Config } from '../../contract/destinations/s3.ts'
import type { SecretBox } from '../engines/secret-box.ts'
import type { DestinationColumns } from '../store/runs/batch-exports.ts'
import { ExportError } from '../problems/export-error.ts'
import type { ExplainedExport } from './explain-error.ts'
import { endpointUrl } from './s3/s3-location.ts'

export type OpenDestination = (
  | { type: 'S3'; config: S3Config; prefix: string }
  | { type: 'File'; config: FileConfig; prefix: string }
) & {
  format: FileFormat
  compression: Compression | null
  fileBytesMax: number | null
  /** Whether an export of recordings also writes their blocks. */
  includesBlocks: boolean
}

/** Opens a stored destination, with its secrets and defaults. @throws ExportError when the destination is incomplete. */
export function openDestination(row: DestinationColumns, box: SecretBox): OpenDestination {
  const secrets: unknown = row.destination_secrets ? JSON.parse(box.open(row.destination_secrets)) : {}
  const config = { ...row.destination_config, ...Object(secrets) }
  try {
    if (row.destination_type === 'File') {
      const file = FileConfig.parse(config)
      return { type: 'File', config: file, prefix: file.path, ...layout(file) }
    }
    const s3 = S3Config.parse(config)
    return { type: 'S3', config: s3, prefix: s3.prefix ?? '', ...layout(s3) }
  } catch (cause) {
    // The zod error is not shown because it would quote values, including secrets.
    throw new ExportError(
      'The destination is incomplete: open the export and save its destination again.',
      true,
      { cause },
    )
  }
}

function layout(config: S3Config | FileConfig) {
  return {
    format: FileFormat.parse(config.file_format ?? 'JSONLines'),
    compression: Compression.nullable().parse(config.compression ?? null),
    includesBlocks: config.include_blocks === true,
    fileBytesMax: config.max_file_size_mb ? config.max_file_size_mb * 1024 * 1024 : null,
  }
}

/** Returns what an explanation of an error at this destination names, and what it must never show. */
export function explainedAt(destination: OpenDestination, hasQuery: boolean): ExplainedExport {
  if (destination.type === 'File') return { secrets: [], hasQuery }
  const { aws_secret_access_key, aws_access_key_id, bucket_name, endpoint_url, region } = destination.config
  // An invalid region has no endpoint; the error says so.
  const endpoint = endpoint_url || regionError(region) === null ? endpointUrl(destination.config) : undefined
  return { secrets: [aws_secret_access_key, aws_access_key_id], hasQuery, bucket: bucket_name, endpoint }
}
