import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoints.ts'
import { cleanInput } from './clean-input.ts'
import { parseInput } from './parse-input.ts'

/** Parses the query by the endpoint's schema. @throws ApiError 400 when the query is invalid. */
export function readEndpointQuery({ query }: Endpoint, search: string): unknown {
  return query && parseInput(query, cleanInput(readQuery(search, query)))
}

/** Reads a query string; the last of a repeated parameter counts, unless the schema accepts several. */
function readQuery(search: string, schema: z.ZodType): Record<string, string | string[]> {
  const params = new URLSearchParams(search)
  const lists = listFields(schema)
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name)
      return [name, lists.has(name) ? values : (values.at(-1) ?? '')]
    }),
  )
}

const known = new WeakMap<z.ZodType, ReadonlySet<string>>()

function listFields(schema: z.ZodType): ReadonlySet<string> {
  const found = known.get(schema)
  if (found) return found
  const shape = schema instanceof z.ZodObject ? Object.entries<unknown>(schema.shape) : []
  const names = new Set(shape.filter(([, field]) => isRepeatable(field)).map(([name]) => name))
  known.set(schema, names)
  return names
}

/** Returns whether a parameter may be repeated, that is, whether the contract defines it with `repeatable`. */
export function isRepeatable(field: unknown): field is z.ZodPipe<z.ZodTransform, z.ZodOptional<z.ZodArray>> {
  if (!(field instanceof z.ZodPipe) || !(field.in instanceof z.ZodTransform)) return false
  return field.out instanceof z.ZodOptional && field.out.unwrap() instanceof z.ZodArray
}
