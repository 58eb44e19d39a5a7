import type { FieldPath } from 'react-hook-form'
import type { ExportValues } from './export-values.ts'

/** All fields that the service may report issues for, in the form's order. */
export const exportFields = [
  'name',
  'model',
  'hogql_query',
  'destination.config.include_events',
  'destination.config.exclude_events',
  'destination.config.include_blocks',
  'tags',
  'owner',
  'note',
  'destination.type',
  'destination.config.bucket_name',
  'destination.config.region',
  'destination.config.prefix',
  'destination.config.aws_access_key_id',
  'destination.config.aws_secret_access_key',
  'destination.config.endpoint_url',
  'destination.config.encryption',
  'destination.config.kms_key_id',
  'destination.config.path',
  'destination.config.file_format',
  'destination.config.compression',
  'destination.config.max_file_size_mb',
  'interval',
  'start_at',
  'end_at',
] as const satisfies FieldPath<ExportValues>[]

export type ExportField = (typeof exportFields)[number]
