import { expect, test } from 'vitest'
import { endpoints, type Endpoint } from './endpoints.ts'

test.each(Object.entries<Endpoint>(endpoints))(
  '%s loads an object for each parameter of its path',
  (_, endpoint) => {
    const params = Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, name]) => name)
    expect(Object.values(endpoint.loads ?? {})).toEqual(params)
  },
)
