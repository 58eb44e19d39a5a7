import { configIssues, shownLengthMax } from './config-issues.ts'
import { z } from 'zod'
import type { DestinationConfig, DestinationKind } from './destination-kind.ts'
import { destinationKinds } from './destination-kinds.ts'
import { destinationTypes } from './destination-types.ts'
import { compressionsOf, FileFormat, type DestinationInput, type DestinationType } from './destination.ts'

/** A problem with a destination: `attr` is the name in the API's errors, `path` leads to the form field. */
export type DestinationIssue = {
  attr:
    | 'destination'
    | 'destination__non_field_errors'
    | 'destination__type'
    | 'destination__integration_id'
    | `destination__config__${string}`
  /** By default `invalid_input`. */
  code?: 'required' | 'invalid_choice'
  path: string[]
  message: string
}

/**
 * Returns every problem with a destination's type and complete config (secrets included).
 * @param destination with a connection, the config is complete without the fields that the connection replaces
 * @param available the types that this installation offers
 */
export function destinationIssues(
  destination: Pick<DestinationInput, 'type' | 'config'> & { hasConnection?: boolean },
  available: readonly DestinationType[],
): DestinationIssue[] {
  const type = available.find((candidate) => candidate === destination.type)
  if (!type) return [unavailableType(destination.type, available)]
  const config = destination.config ?? {}
  const { hasConnection = false } = destination
  const kind: DestinationKind<z.ZodObject> = destinationKinds[type]
  if (kind.integration?.replaces.length === 0 && !hasConnection)
    return [missingConnection(kind.posthogName ?? type)]
  const empty = emptyFields(kind, config)
  if (empty) return [empty]
  const issues = configIssues({ ...kind, config: schemaOf(kind, hasConnection) }, config)
  return issues.length > 0
    ? issues.map(({ path, message }) => configIssue(path, message))
    : formatIssues(config)
}

/** Returns the schema of a config, which with a connection has none of the fields that the connection replaces. */
export function schemaOf({ config, integration }: DestinationKind<z.ZodObject>, hasConnection: boolean) {
  const replaced = hasConnection ? (integration?.replaces ?? []) : []
  const shape = Object.entries(config.shape).filter(([field]) => !replaced.includes(field))
  return z.strictObject(Object.fromEntries(shape))
}

function missingConnection(name: string): DestinationIssue {
  const message = `Integration is required for ${name} batch exports`
  return { attr: 'destination', path: ['destination', 'integration_id'], message }
}

function emptyFields({ filled = [] }: DestinationKind, config: DestinationConfig): DestinationIssue | null {
  const empty = filled.filter((field) => typeof config[field] === 'string' && config[field].trim() === '')
  const [first] = empty
  if (first === undefined) return null
  const names = empty.map((field) => `'${field}'`).join(', ')
  return configIssue([first], `The following inputs are empty: [${names}]`, 'destination')
}

function unavailableType(type: string, available: readonly DestinationType[]): DestinationIssue {
  const names = available.map((name) => `'${name}'`).join(', ')
  const isOnDisk = destinationTypes.some((known) => known === type && destinationKinds[known].isOnDisk)
  const reason = isOnDisk
    ? ` The ${type} destination writes to the service’s own disk and requires the embedded engines.`
    : ''
  return {
    attr: 'destination__type',
    code: 'invalid_choice',
    path: ['destination', 'type'],
    message: `"${type.slice(0, shownLengthMax)}" is not a valid choice. Available destinations: [${names}].${reason}`,
  }
}

/** Returns an issue of the config, or of the field to which `path` leads. */
function configIssue(
  path: readonly string[],
  message: string,
  attr: DestinationIssue['attr'] = 'destination__non_field_errors',
): DestinationIssue {
  return { attr, path: ['destination', 'config', ...path], message }
}

function formatIssues(config: DestinationConfig): DestinationIssue[] {
  const format = FileFormat.safeParse(config['file_format'] ?? 'JSONLines')
  if (!format.success) {
    const message = `File format ${String(config['file_format']).slice(0, shownLengthMax)} is not supported. Supported file formats are ['Parquet', 'JSONLines']`
    return [configIssue(['file_format'], message, 'destination')]
  }
  const compression = config['compression']
  const allowed = compressionsOf[format.data]
  if (typeof compression !== 'string' || allowed.some((name) => name === compression)) return []
  const names = allowed.map((name) => `'${name}'`).join(', ')
  const message = `Compression ${compression.slice(0, shownLengthMax)} is not supported for file format ${format.data}. Supported compressions are [${names}]`
  return [configIssue(['compression'], message, 'destination')]
}
