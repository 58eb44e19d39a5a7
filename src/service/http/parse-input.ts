import { z } from 'zod'
import type { Issue } from '../../contract/problem.ts'
import { ApiError } from '../problems/api-error.ts'

/**
 * Parses a query or a body by its schema.
 * @throws ApiError 400 with the first issue as its detail, and all issues in `issues`.
 */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const result = schema.safeParse(input, { reportInput: true, error: (issue) => describe(issue).message })
  if (result.success) return result.data
  const issues = result.error.issues.flatMap((issue): Issue[] => {
    const path = issue.path.map(key)
    const message = issue.message.toWellFormed()
    if (issue.code !== 'unrecognized_keys') return [{ path, message }]
    return issue.keys.map((name) => ({ path: [...path, name], message: `"${name}" is not recognised.` }))
  })
  const [first] = issues
  const [cause] = result.error.issues
  if (!first || !cause) throw new Error('a failed parse has an issue')
  throw new ApiError({
    status: 400,
    type: 'validation_error',
    code: describe(cause as z.core.$ZodRawIssue).code,
    detail: first.message,
    attr: first.path.join('__') || null,
    issues,
  })
}

type Description = { code: string; message: string }

/** Describes an issue in the API's wording; a message that the schema defines overrides this one. */
function describe(issue: z.core.$ZodRawIssue): Description {
  if (issue.input === undefined) return { code: 'required', message: 'This field is required.' }
  if (issue.input === null) return { code: 'null', message: 'This field may not be null.' }
  const invalid = (message: string): Description => ({ code: 'invalid_input', message })
  switch (issue.code) {
    case 'invalid_type':
      return invalid(typeMessage(issue.expected, issue.input))
    case 'invalid_value':
      return { code: 'invalid_choice', message: `${quote(issue.input)} is not a valid choice.` }
    case 'too_small':
      if (issue.origin === 'string') return { code: 'blank', message: 'This field may not be blank.' }
      if (issue.origin === 'array') return invalid('This list may not be empty.')
      return invalid(`Ensure this value is greater than or equal to ${issue.minimum}.`)
    case 'too_big':
      if (issue.origin === 'string')
        return invalid(`Ensure this field has no more than ${issue.maximum} characters.`)
      if (issue.origin === 'array')
        return invalid(`Ensure this list has no more than ${issue.maximum} items.`)
      return invalid(`Ensure this value is less than or equal to ${issue.maximum}.`)
    default:
      return invalid(issue.message ?? 'This value is not valid.')
  }
}

function typeMessage(expected: string, input: unknown): string {
  switch (expected) {
    case 'string':
      return 'Not a valid string.'
    case 'boolean':
      return 'Must be a valid boolean.'
    case 'int':
    case 'number':
      return 'A valid integer is required.'
    case 'array':
      return `Expected a list of items but got type "${typeName(input)}".`
    default:
      return `Invalid data. Expected a dictionary, but got ${typeName(input)}.`
  }
}

/** Returns the name of a value's type in the API's messages, which are those of PostHog. */
export function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return 'dict'
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`
}

function key(part: PropertyKey): string | number {
  return typeof part === 'number' ? part : String(part)
}
