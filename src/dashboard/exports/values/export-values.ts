import type { FieldPath } from 'react-hook-form'
import type { z } from 'zod'
import type { BatchExport, BatchExportCreate } from '../../../contract/exports/batch-export.ts'
import type { ColumnChange } from '../../../contract/destinations/tables/column-changes.ts'
import type { DestinationKind } from '../../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import type { DestinationInput, DestinationType } from '../../../contract/destinations/destination.ts'
import type { ExportLabels } from '../../../contract/exports/export-labels.ts'
import type { Zone } from '../../format/preferences.ts'
import { queryLines } from '../../format/query-lines.ts'
import { fieldTime, readFieldTime } from '../../format/time.ts'

/** The export that a form edits or copies. */
export type Origin = Pick<BatchExport, 'id' | 'interval' | 'start_at' | 'paused' | 'destination'> & {
  kind: 'edited' | 'cloned'
}

/** A batch export's form values: the API's shape, with strings for text fields. */
export type ExportValues = Pick<BatchExport, 'name' | 'model' | 'hogql_query' | 'interval'> & {
  /** Id of the connection; "" for none. */
  destination: { type: DestinationType; config: ConfigValues; integration_id: string }
  /** Value of a `datetime-local` field; "" for none. */
  start_at: string
  end_at: string
} & ExportLabels

const noChanges: readonly ColumnChange[] = []

const emptyConfig = {
  bucket_name: '',
  region: '',
  prefix: '',
  endpoint_url: '',
  aws_access_key_id: '',
  aws_secret_access_key: '',
  encryption: '',
  kms_key_id: '',
  use_virtual_style_addressing: false,
  container_name: '',
  legacy_parquet_extension: false,
  path: '',
  host: '',
  port: '',
  user: '',
  password: '',
  has_self_signed_cert: false,
  database: '',
  schema: '',
  table_name: '',
  append_only: false,
  columns: noChanges,
  url: '',
  batch_size: '',
  /** A line per header: its name, a colon and its value, or no value for the stored one. */
  headers: '',
  signing_secret: '',
  file_format: 'Parquet',
  compression: 'zstd',
  max_file_size_mb: '',
  /** Names separated by line breaks or commas. */
  include_events: '',
  exclude_events: '',
  include_blocks: false,
}
export type ConfigValues = typeof emptyConfig

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
  'destination.integration_id',
  'destination.config.bucket_name',
  'destination.config.region',
  'destination.config.prefix',
  'destination.config.aws_access_key_id',
  'destination.config.aws_secret_access_key',
  'destination.config.endpoint_url',
  'destination.config.encryption',
  'destination.config.kms_key_id',
  'destination.config.container_name',
  'destination.config.path',
  'destination.config.host',
  'destination.config.port',
  'destination.config.user',
  'destination.config.password',
  'destination.config.database',
  'destination.config.schema',
  'destination.config.table_name',
  'destination.config.columns',
  'destination.config.url',
  'destination.config.batch_size',
  'destination.config.headers',
  'destination.config.signing_secret',
  'destination.config.file_format',
  'destination.config.compression',
  'destination.config.max_file_size_mb',
  'interval',
  'start_at',
  'end_at',
] as const satisfies FieldPath<ExportValues>[]

export type ExportField = (typeof exportFields)[number]

const listFields: readonly string[] = ['include_events', 'exclude_events']
const numberFields: readonly string[] = ['max_file_size_mb', 'port', 'batch_size']
/** Fields that are cleared with "" or cannot be cleared; all others are cleared with null. */
const clearedWithText: readonly string[] = [
  'prefix',
  'file_format',
  'bucket_name',
  'container_name',
  'region',
  'path',
  'url',
  'schema',
  'table_name',
]

export function newExportValues(type: DestinationType): ExportValues {
  return {
    name: '',
    model: 'events',
    hogql_query: '',
    destination: { type, config: emptyConfig, integration_id: '' },
    interval: 'hour',
    start_at: '',
    end_at: '',
    tags: [],
    owner: '',
    note: '',
  }
}

export function valuesOfExport(batchExport: BatchExport, zone: Zone): ExportValues {
  const { name, model, interval, tags, owner, note, destination } = batchExport
  const given = Object.entries(destination.config ?? {}).map(([key, value]) => [
    key,
    key === 'columns' ? (value ?? noChanges) : valueOf(value),
  ])
  const same = { name, model, interval, tags, owner, note }
  const plain = { file_format: 'JSONLines', compression: '' }
  const time = (instant: string | null) => (instant === null ? '' : fieldTime(Date.parse(instant), zone))
  return {
    ...same,
    hogql_query: queryLines(batchExport.hogql_query).join('\n'),
    destination: {
      type: destination.type,
      config: { ...emptyConfig, ...plain, ...Object.fromEntries(given) },
      integration_id: destination.integration === null ? '' : String(destination.integration),
    },
    start_at: time(batchExport.start_at),
    end_at: time(batchExport.end_at),
  }
}

/** Returns the initial form values of a copy, with a prefix or path of its own. */
export function valuesOfCopy(original: BatchExport, zone: Zone): ExportValues {
  const values = valuesOfExport(original, zone)
  const { type, config, integration_id } = values.destination
  const { folderField: field, holds } = destinationKinds[type]
  return {
    ...values,
    name: `${original.name} copy`,
    destination: {
      type,
      // Windows of several exports can share a table or a receiver.
      config: holds !== 'files' ? config : { ...config, [field]: placeOfCopy(config[field]) },
      integration_id,
    },
  }
}

/** Returns a prefix, path or table for a copy: `lake/{year}` becomes `lake-copy/{year}`, `{year}` becomes `copy/{year}`. */
function placeOfCopy(place: string): string {
  const [first = '', ...rest] = place.split('/').filter((name) => name !== '')
  const own = first === '' || first.includes('{') ? ['copy', first] : [`${first}-copy`]
  return [...own, ...rest].filter((name) => name !== '').join('/')
}

/** Returns the prefix or path after the type has changed: an empty one is taken from another type. */
export function placeForType(config: ConfigValues, type: DestinationType): string {
  const { holds } = destinationKinds[type]
  const alike = destinationTypes.filter((name) => destinationKinds[name].holds === holds)
  const places = [type, ...alike].map((name) => config[destinationKinds[name].folderField])
  return places.find((place) => place !== '') ?? ''
}

function valueOf(value: unknown): string | boolean {
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'object' && value !== null) return headerLines(value)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/**
 * Returns the form values as a request body. The service merges it into a `stored` destination of the same type, so a cleared
 * field is sent as empty and an untyped secret is omitted.
 */
export function inputOfValues(
  values: ExportValues,
  zone: Zone,
  stored: DestinationInput | null,
): BatchExportCreate {
  const { hogql_query: query, destination, ...rest } = values
  const noEvents = rest.model === 'events' ? {} : { include_events: '', exclude_events: '' }
  const noBlocks = rest.model === 'recordings' ? {} : { include_blocks: false }
  const { type } = destination
  const config = { ...destination.config, ...noEvents, ...noBlocks }
  return {
    ...rest,
    hogql_query: query.trim() === '' ? null : query,
    start_at: readFieldTime(values.start_at, zone),
    end_at: readFieldTime(values.end_at, zone),
    destination: {
      type,
      config: withoutReplaced(
        destination,
        configOf(type, config, stored?.type === type ? (stored.config ?? {}) : null),
      ),
      ...connectionOf(destination),
    },
  }
}

/** Returns the connection that a destination of a type with connections uses. */
function connectionOf({ type, integration_id: id }: ExportValues['destination']): {
  integration_id?: number | null
} {
  if (destinationKinds[type].integration === null) return {}
  return { integration_id: id === '' ? null : Number(id) }
}

/** Returns a config without the fields for which the chosen connection stands. */
function withoutReplaced(
  { type, integration_id: id }: ExportValues['destination'],
  config: Record<string, unknown>,
) {
  const replaced = id === '' ? [] : (destinationKinds[type].integration?.replaces ?? [])
  return Object.fromEntries(Object.entries(config).filter(([name]) => !replaced.includes(name)))
}

/** Returns the fields of a type that have values, and empty values for `stored` fields that have none. */
export function configOf(
  type: DestinationType,
  config: ConfigValues,
  stored: Record<string, unknown> | null,
): Record<string, unknown> {
  const { config: schema, secrets, namedSecrets = [] }: DestinationKind<z.ZodObject> = destinationKinds[type]
  const names = Object.keys(schema.shape).filter((name): name is keyof ConfigValues => name in emptyConfig)
  const entries = names.flatMap((name): [string, unknown][] => {
    const value = config[name]
    if (typeof value === 'boolean') return value || stored?.[name] !== undefined ? [[name, value]] : []
    if (typeof value !== 'string' && value.length > 0) return [[name, value]]
    if (typeof value === 'string' && value.trim() !== '') return [[name, typedValue(name, value)]]
    if (stored !== null && name in stored && namedSecrets.includes(name)) return [[name, {}]]
    const clears = stored !== null && name in stored && !secrets.includes(name)
    return clears ? [[name, clearedWithText.includes(name) ? '' : null]] : []
  })
  return Object.fromEntries(entries)
}

function typedValue(name: string, value: string): unknown {
  if (numberFields.includes(name)) return Number(value)
  if (name === 'headers') return headersIn(value)
  return listFields.includes(name) ? namesIn(value) : value.trim()
}

/** Writes a line for each header, whose values are unknown. */
function headerLines(headers: object): string {
  return Object.keys(headers)
    .map((name) => `${name}:`)
    .join('\n')
}

/** Parses lines such as `Authorization: Bearer …`; a header without a value is null. */
function headersIn(text: string): Record<string, string | null> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.trim(), value.join(':').trim() || null]
    }),
  )
}

/** Parses event names separated by line breaks or commas. */
export function namesIn(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
