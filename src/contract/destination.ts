import { z } from 'zod'

export const destinationTypes = ['S3', 'File'] as const
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
  include_events: z.array(z.string()).nullable().optional(),
  exclude_events: z.array(z.string()).nullable().optional(),
}

export const S3Config = z.strictObject({
  bucket_name: z.string().min(1),
  region: z.string().min(1),
  prefix: z.string().optional(),
  aws_access_key_id: z.string().min(1),
  aws_secret_access_key: z.string().min(1),
  endpoint_url: z.string().nullable().optional(),
  encryption: z.enum(['AES256', 'aws:kms']).nullable().optional(),
  kms_key_id: z.string().nullable().optional(),
  use_virtual_style_addressing: z.boolean().optional(),
  ...common,
})
export type S3Config = z.infer<typeof S3Config>

export const FileConfig = z.strictObject({ path: z.string().min(1), ...common })
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

/** A problem with a destination: `attr` is the name in the API's errors, `path` leads to the form field. */
export type DestinationIssue = {
  attr: 'destination' | 'destination__non_field_errors' | 'destination__type'
  path: string[]
  message: string
}

/**
 * Returns every problem with a destination's type and complete config (secrets included).
 * @param available the types that this installation offers
 */
export function destinationIssues(
  destination: DestinationInput,
  available: readonly DestinationType[],
): DestinationIssue[] {
  const type = available.find((candidate) => candidate === destination.type)
  if (!type) return [unavailableType(destination.type, available)]
  const config = destination.config ?? {}
  const parsed = configSchemas[type].safeParse(config, { reportInput: true })
  const issues = parsed.success ? [] : configIssues(parsed.error.issues)
  return issues.length > 0 ? issues : formatIssues(config)
}

function unavailableType(type: string, available: readonly DestinationType[]): DestinationIssue {
  const names = available.map((name) => `'${name}'`).join(', ')
  const reason =
    type === 'File'
      ? ' The File destination writes to the service’s own disk and requires the embedded engines.'
      : ''
  return {
    attr: 'destination__type',
    path: ['destination', 'type'],
    message: `"${type.slice(0, 100)}" is not a valid choice. Available destinations: [${names}].${reason}`,
  }
}

function configIssues(issues: readonly z.core.$ZodIssue[]): DestinationIssue[] {
  const at = (path: readonly PropertyKey[], message: string): DestinationIssue => ({
    attr: 'destination__non_field_errors',
    path: ['destination', 'config', ...path.map(String)],
    message,
  })
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])).sort()
  const rest = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return []
    const field = String(issue.path[0])
    if (issue.input === undefined) return [at(issue.path, `Configuration missing required field: '${field}'`)]
    if (issue.code === 'invalid_type') {
      const message = `Configuration has invalid type: got '${typeName(issue.input)}', expected '${expectedName(issue.expected)}'`
      return [at(issue.path, message)]
    }
    if (issue.code === 'too_small' && issue.origin === 'string')
      return [at(issue.path, `Configuration field may not be blank: '${field}'`)]
    return [at(issue.path, `Configuration has invalid value for '${field}': ${issue.message}`)]
  })
  if (unknown.length === 0) return rest
  const names = unknown.map((key) => `'${key}'`).join(', ')
  return [at([], `Configuration has unknown field/s: ${names}`), ...rest]
}

function formatIssues(config: Record<string, unknown>): DestinationIssue[] {
  const issue = (field: string, message: string): DestinationIssue => ({
    attr: 'destination',
    path: ['destination', 'config', field],
    message,
  })
  const format = FileFormat.safeParse(config['file_format'] ?? 'JSONLines')
  if (!format.success)
    return [
      issue(
        'file_format',
        `File format ${String(config['file_format'])} is not supported. Supported file formats are ['Parquet', 'JSONLines']`,
      ),
    ]
  const compression = config['compression']
  const allowed = compressionsOf[format.data]
  if (typeof compression !== 'string' || allowed.some((name) => name === compression)) return []
  const names = allowed.map((name) => `'${name}'`).join(', ')
  return [
    issue(
      'compression',
      `Compression ${compression} is not supported for file format ${format.data}. Supported compressions are [${names}]`,
    ),
  ]
}

function typeName(value: unknown): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  switch (typeof value) {
    case 'string':
      return 'str'
    case 'boolean':
      return 'bool'
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float'
    default:
      return 'dict'
  }
}

function expectedName(expected: string): string {
  const names: Record<string, string> = {
    string: 'str',
    boolean: 'bool',
    number: 'int',
    int: 'int',
    array: 'list',
  }
  return names[expected] ?? expected
}
