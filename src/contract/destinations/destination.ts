import { z } from 'zod'
import { EventNames } from '../event-names.ts'
import { destinationTypes } from './destination-types.ts'

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

/** Config keys of every destination: the events that it receives. */
export const eventFields = {
  include_events: EventNames.nullable().optional(),
  exclude_events: EventNames.nullable().optional(),
}

/** Config keys of every destination that receives files. */
export const fileFields = {
  file_format: z.string().optional(),
  compression: z.string().nullable().optional(),
  max_file_size_mb: z.int().min(1).nullable().optional(),
  ...eventFields,
  include_blocks: z.boolean().nullable().optional(),
}

/** A destination in responses: the config as given, without secrets. */
export const Destination = z.object({
  type: DestinationType,
  config: z.record(z.string(), z.unknown()).nullable(),
  /** Id of its connection; null if it has none. */
  integration: z.int().nullable(),
})
export type Destination = z.infer<typeof Destination>
/** What names the place of a destination. */
export type DestinationPlace = Pick<Destination, 'type' | 'config'>

/** Id of a connection; PostHog's clients also send it as text. */
const IntegrationId = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
  z.int(),
)

/**
 * A destination in requests; `destinationIssues` validates its config. `integration` is read if there is no `integration_id`, so that
 * a response can be sent back; files that define exports name the connection instead.
 */
export const DestinationInput = z.object({
  type: z.string(),
  config: z
    .record(z.string(), z.unknown())
    .nullable()
    .optional()
    .describe(
      'Fields of the type. For a table, `columns` changes columns of the export: a list of `name` with `as` (its name in the table), `hash: true` (HMAC-SHA-256, null stays null) or `omit: true`.',
    ),
  integration_id: IntegrationId.nullable().optional(),
  integration: z
    .union([IntegrationId, z.strictObject({ kind: z.string(), name: z.string() })], {
      error: 'Enter the id of a connection, or its kind and name.',
    })
    .nullable()
    .optional(),
})
export type DestinationInput = z.infer<typeof DestinationInput>
