import { expect, test } from 'vitest'
import { z } from 'zod'
import { destinationKinds } from './destinations/destination-kinds.ts'
import { endpoints, type Endpoint } from './endpoints.ts'

test.each(Object.entries<Endpoint>(endpoints))(
  '%s loads an object for each parameter of its path',
  (_, endpoint) => {
    const params = Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, name]) => name)
    expect(Object.values(endpoint.loads ?? {})).toEqual(params)
  },
)

const bodies = [
  ...Object.entries<Endpoint>(endpoints).flatMap(([name, { body }]) => (body ? [[name, body] as const] : [])),
  ...Object.entries(destinationKinds).map(([type, { config }]) => [type, config] as const),
]

test.each(bodies)('every list in the body of %s has a maximum length', (_, body) => {
  expect(unboundedLists(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))).toEqual([])
})

test('a list without a maximum is found', () => {
  const body = z.object({ names: z.object({ list: z.array(z.string()).optional() }).nullable() })
  expect(unboundedLists(z.toJSONSchema(body))).toEqual(['properties.names.anyOf.0.properties.list'])
})

/** Returns the paths of arrays without `maxItems` in a JSON schema. */
function unboundedLists(schema: unknown, path: string[] = []): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const isUnbounded = 'type' in schema && schema.type === 'array' && !('maxItems' in schema)
  const nested = Object.entries(schema).flatMap(([key, value]) => unboundedLists(value, [...path, key]))
  return isUnbounded ? [path.join('.'), ...nested] : nested
}
