import { z } from 'zod'
import { EventNames } from '../event-names.ts'
import { destinationTypes } from './destination-types.ts'
import { PlainText } from '../plain-text.ts'

export const DestinationType = z.enum(destinationTypes)
export type DestinationType = z.infer<typeof DestinationType>

export const fileFormats = ['Parquet', 'JSONLines'] as const
export const FileFormat = z.enum(fileFormats)
export type FileFormat = z.infer<typeof FileFormat>

export const compressions = ['gzip', 'brotli', 'zstd', 'lz4', 'snappy'] as const
export const Compression = z.enum(compressions)
export type Compression = z.infer<typeof Compression>

/** Compressions that a file format supports, in the order in which errors list them. */
export const compressionsOf: Record<FileFormat, readonly Compression[]> = {
  Parquet: ['zstd', 'lz4', 'snappy', 'gzip', 'brotli'],
  JSONLines: ['gzip', 'brotli', 'zstd'],
}

const common = {
  file_format: z.string().optional(),
  compression: z.string().nullable().optional(),
  max_file_size_mb: z.int().min(1).nullable().optional(),
  include_events: EventNames.nullable().optional(),
  exclude_events: EventNames.nullable().optional(),
  include_blocks: z.boolean().nullable().optional(),
}

export const S3Config = z.strictObject({
  bucket_name: PlainText.min(1),
  region: PlainText.min(1),
  prefix: PlainText.optional(),
  aws_access_key_id: z.string().min(1),
  aws_secret_access_key: z.string().min(1),
  endpoint_url: PlainText.nullable().optional(),
  encryption: z.enum(['AES256', 'aws:kms']).nullable().optional(),
  kms_key_id: PlainText.nullable().optional(),
  use_virtual_style_addressing: z.boolean().optional(),
  ...common,
})
export type S3Config = z.infer<typeof S3Config>

export const FileConfig = z.strictObject({ path: PlainText.min(1), ...common })
export type FileConfig = z.infer<typeof FileConfig>

export const configSchemas = { S3: S3Config, File: FileConfig } as const

/** Config keys that are encrypted at rest and omitted from every response. */
export const secretFields: Record<DestinationType, readonly string[]> = {
  S3: ['aws_access_key_id', 'aws_secret_access_key'],
  File: [],
}

/** A destination in responses: the config as given, without secrets. */
export const Destination = z.object({
  type: DestinationType,
  config: z.record(z.string(), z.unknown()).nullable(),
})
export type Destination = z.infer<typeof Destination>

/** A destination in requests; `destinationIssues` validates its config. */
export const DestinationInput = z.object({
  type: z.string(),
  config: z.record(z.string(), z.unknown()).nullable().optional(),
})
export type DestinationInput = z.infer<typeof DestinationInput>
