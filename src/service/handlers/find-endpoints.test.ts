import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endpoints, type Endpoint } from '../../contract/endpoints.ts'
import { findEndpoints } from './find-endpoints.ts'

const paths = [...new Set(Object.values<Endpoint>(endpoints).map(({ path }) => path))]

test('each path finds its endpoints and its ids, however these are encoded', () => {
  const id = fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => `${text} /%?`)
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.array(id, { minLength: 4, maxLength: 4 }), (path, ids) => {
      const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
      const params = Object.fromEntries(names.map((name, index) => [name, ids[index] ?? '']))
      const url = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
      for (const given of [url, url.slice(0, -1), url.replace('projects', 'environments')]) {
        const found = findEndpoints(given)
        expect(found?.params).toEqual(params)
        expect(found?.named.map(([, endpoint]) => endpoint.path)).toContain(path)
      }
    }),
  )
})

test('a fixed part goes before an id, unless only the id leads on', () => {
  const pathOf = (path: string) => findEndpoints(path)?.named[0]?.[1].path
  const of = '/api/projects/1/batch_exports'
  expect(pathOf(`${of}/overview/`)).toBe('/api/projects/:project_id/batch_exports/overview/')
  expect(pathOf(`${of}/overview/logs/`)).toBe('/api/projects/:project_id/batch_exports/:id/logs/')
})

test.each(['/', '/api/', '/api//users/@me/', '/api/users/@me//', '/api/users/%ff/', '/api/Users/@me/'])(
  '%s has no endpoints',
  (path) => {
    expect(findEndpoints(path)).toBeNull()
  },
)
