import { z } from 'zod'

/** A query string as its schema reads it: of a repeated parameter the last counts, unless the schema takes several. */
export function readQuery(search: string, schema: z.ZodType): Record<string, string | string[]> {
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

/** `repeatable` fields are those that start with a preprocessing step. */
function listFields(schema: z.ZodType): ReadonlySet<string> {
  const found = known.get(schema)
  if (found) return found
  const shape = schema instanceof z.ZodObject ? Object.entries<unknown>(schema.shape) : []
  const names = new Set(shape.filter(([, field]) => isRepeatable(field)).map(([name]) => name))
  known.set(schema, names)
  return names
}

function isRepeatable(field: unknown): boolean {
  return field instanceof z.ZodPipe && field.in instanceof z.ZodTransform
}
