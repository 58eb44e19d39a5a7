import type { z } from 'zod'
import type { DestinationConfig } from './destination-kind.ts'
import { issuesOfValues, type ValueRules } from './value-issues.ts'

/** A problem with a config; `path` leads to the field, or is empty. */
type ConfigIssue = { path: string[]; message: string }

/** Unknown fields that a message names, and characters of a text that it repeats. */
const namedMax = 10
export const shownLengthMax = 100

/** Returns every problem with the complete config (secrets included) of a destination or a connection. */
export function configIssues(
  kind: ValueRules & { config: z.ZodType },
  config: DestinationConfig,
): ConfigIssue[] {
  const parsed = kind.config.safeParse(config, { reportInput: true })
  const broken = issuesOfValues(kind, config).filter(({ severity }) => severity === 'error')
  return [
    ...(parsed.success ? [] : schemaIssues(parsed.error.issues)),
    ...broken.map(({ field, message }) => invalidValue(field, message)),
  ]
}

function schemaIssues(issues: readonly z.core.$ZodIssue[]): ConfigIssue[] {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])).sort()
  const rest = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return []
    const field = String(issue.path[0])
    const at = (message: string) => ({ path: issue.path.map(String), message })
    if (issue.input === undefined) return [at(`Configuration missing required field: '${field}'`)]
    if (issue.code === 'invalid_type')
      return [
        at(
          `Configuration has invalid type: got '${typeName(issue.input)}', expected '${typeNames[issue.expected] ?? issue.expected}'`,
        ),
      ]
    if (issue.code === 'too_small' && issue.origin === 'string')
      return [at(`Configuration field may not be blank: '${field}'`)]
    return [{ ...invalidValue(field, issue.message), path: issue.path.map(String) }]
  })
  if (unknown.length === 0) return rest
  const names = unknown
    .slice(0, namedMax)
    .map((key) => `'${key.slice(0, shownLengthMax)}'`)
    .join(', ')
  return [{ path: [], message: `Configuration has unknown field/s: ${names}` }, ...rest]
}

function invalidValue(field: string, message: string): ConfigIssue {
  return { path: [field], message: `Configuration has invalid value for '${field}': ${message}` }
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
