import type { z } from 'zod'
import { valueIssues } from './destination-rules.ts'
import {
  compressionsOf,
  configSchemas,
  FileFormat,
  type DestinationInput,
  type DestinationType,
} from './destination.ts'

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
  const parsed = configSchemas[type].safeParse(config, { reportInput: true })
  const issues = [...(parsed.success ? [] : configIssues(parsed.error.issues)), ...ruleIssues(type, config)]
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
    code: 'invalid_choice',
    path: ['destination', 'type'],
    message: `"${type.slice(0, shownLengthMax)}" is not a valid choice. Available destinations: [${names}].${reason}`,
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
  const names = unknown
    .slice(0, namedMax)
    .map((key) => `'${key.slice(0, shownLengthMax)}'`)
    .join(', ')
  return [at([], `Configuration has unknown field/s: ${names}`), ...rest]
}

function ruleIssues(type: DestinationType, config: Record<string, unknown>): DestinationIssue[] {
  return valueIssues(type, config)
    .filter(({ severity }) => severity === 'error')
    .map(({ field, message }) => ({
      attr: 'destination__non_field_errors',
      path: ['destination', 'config', field],
      message: `Configuration has invalid value for '${field}': ${message}`,
    }))
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
        `File format ${String(config['file_format']).slice(0, shownLengthMax)} is not supported. Supported file formats are ['Parquet', 'JSONLines']`,
      ),
    ]
  const compression = config['compression']
  const allowed = compressionsOf[format.data]
  if (typeof compression !== 'string' || allowed.some((name) => name === compression)) return []
  const names = allowed.map((name) => `'${name}'`).join(', ')
  return [
    issue(
      'compression',
      `Compression ${compression.slice(0, shownLengthMax)} is not supported for file format ${format.data}. Supported compressions are [${names}]`,
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
