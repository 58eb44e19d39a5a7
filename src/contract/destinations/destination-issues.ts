import type { z } from 'zod'
import type { DestinationConfig } from './destination-kind.ts'
import { destinationKinds } from './destination-kinds.ts'
import { destinationTypes } from './destination-types.ts'
import { compressionsOf, FileFormat, type DestinationInput, type DestinationType } from './destination.ts'
import { valueIssues } from './value-issues.ts'

/** A problem with a destination: `attr` is the name in the API's errors, `path` leads to the form field. */
export type DestinationIssue = {
  attr:
    | 'destination'
    | 'destination__non_field_errors'
    | 'destination__type'
    | `destination__config__${string}`
  /** By default `invalid_input`. */
  code?: 'required' | 'invalid_choice'
  path: string[]
  message: string
}

/** Unknown fields that a message names, and characters of a text that it repeats. */
const namedMax = 10
const shownLengthMax = 100

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
  const parsed = destinationKinds[type].config.safeParse(config, { reportInput: true })
  const issues = [...(parsed.success ? [] : configIssues(parsed.error.issues)), ...ruleIssues(type, config)]
  return issues.length > 0 ? issues : formatIssues(config)
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
  path: readonly PropertyKey[],
  message: string,
  attr: DestinationIssue['attr'] = 'destination__non_field_errors',
): DestinationIssue {
  return { attr, path: ['destination', 'config', ...path.map(String)], message }
}

function configIssues(issues: readonly z.core.$ZodIssue[]): DestinationIssue[] {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])).sort()
  const rest = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return []
    const field = String(issue.path[0])
    if (issue.input === undefined)
      return [configIssue(issue.path, `Configuration missing required field: '${field}'`)]
    if (issue.code === 'invalid_type') {
      const message = `Configuration has invalid type: got '${typeName(issue.input)}', expected '${typeNames[issue.expected] ?? issue.expected}'`
      return [configIssue(issue.path, message)]
    }
    if (issue.code === 'too_small' && issue.origin === 'string')
      return [configIssue(issue.path, `Configuration field may not be blank: '${field}'`)]
    return [configIssue(issue.path, `Configuration has invalid value for '${field}': ${issue.message}`)]
  })
  if (unknown.length === 0) return rest
  const names = unknown
    .slice(0, namedMax)
    .map((key) => `'${key.slice(0, shownLengthMax)}'`)
    .join(', ')
  return [configIssue([], `Configuration has unknown field/s: ${names}`), ...rest]
}

function ruleIssues(type: DestinationType, config: DestinationConfig): DestinationIssue[] {
  return valueIssues(type, config)
    .filter(({ severity }) => severity === 'error')
    .map(({ field, message }) =>
      configIssue([field], `Configuration has invalid value for '${field}': ${message}`),
    )
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

const typeNames: Record<string, string> = {
  string: 'str',
  boolean: 'bool',
  number: 'int',
  int: 'int',
  array: 'list',
}

function typeName(value: unknown): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number' && !Number.isInteger(value)) return 'float'
  return typeNames[typeof value] ?? 'dict'
}
