import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../src/contract/endpoints.ts'
import { bundle } from './bundle.ts'
import { pureSchemas } from './pure-schemas.ts'
import { removeRequestKeys, withoutRequests } from './without-requests.ts'

async function tableIn(code: string): Promise<Record<string, Record<string, unknown>>> {
  const { endpoints } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)
  return endpoints
}

test('removes request keys regardless of formatting', async () => {
  const code = removeRequestKeys(`
    const path = '/e/', read = 'read', text = () => 1
    export const endpoints = {
      oneLine: { method: 'GET', path, scope: read, query: text(), status: 200, response: 1, summary: 'a { query: 1 }' },
      'lines': {
        // method: 'HEAD',
        method: "POST",
        body: text({
          method: 'PATCH', // }
          deeper: { path: ['}', \`\${text({ response: 0 })}\`] },
        }),
        /* body: 1, */ path: \`\${path}:id/\`,
        'query': { a: 1 }, status: 204,
        loads: { export: 'id' },
        response: 2 /* summary: 'no' */,
        summary: "It's",
        byLink: text,
        handle() { return { path: 3 } },
      },
      none: {},
    }`)
  expect(await tableIn(code)).toEqual({
    oneLine: { method: 'GET', path: '/e/', response: 1 },
    lines: { method: 'POST', path: '/e/:id/', response: 2 },
    none: {},
  })
  expect(code).not.toContain('deeper')
})

test('keeps keys with the same names inside a response and in other tables', async () => {
  const response = { status: 1, body: { query: 2 }, list: [{ summary: 3, scope: null }] }
  const other = 'export const others = { list: { body: 1, summary: 2 } }'
  const code = removeRequestKeys(
    `export const endpoints = { list: { body: 0, response: ${JSON.stringify(response)} } }\n${other}`,
  )
  expect(await tableIn(code)).toEqual({ list: { response } })
  expect(code).toContain(other)
})

test.each([
  ['another name', 'export const table = {}'],
  ['a call', 'export const endpoints = table()'],
  ['an entry from elsewhere', 'export const endpoints = { list }'],
  ['entries from elsewhere', 'export const endpoints = { ...others }'],
  ['keys from elsewhere', 'export const endpoints = { list: { ...common } }'],
  ['a computed key', 'export const endpoints = { list: { [key]: 1 } }'],
])('rejects a table in which request keys cannot be found: %s', (_, code) => {
  expect(() => removeRequestKeys(code)).toThrow('A table of endpoints must')
})

test('the bundle contains each endpoint’s method, path and response, and no schema that only requests use', async () => {
  const contract = resolve(import.meta.dirname, '../src/contract')
  const code = `export { endpoints } from ${JSON.stringify(join(contract, 'endpoints.ts'))}`
  const bundled = await bundle(code, [withoutRequests(), pureSchemas()])
  const table = await tableIn(bundled)
  expect(Object.keys(table)).toEqual(Object.keys(endpoints))
  for (const [name, { method, path }] of Object.entries(endpoints)) {
    expect(Object.keys(table[name] ?? {}).sort()).toEqual(['method', 'path', 'response'])
    expect(table[name]).toMatchObject({ method, path })
  }
  expect(bundled).toContain('blob_key')
  for (const inRequestsOnly of ['start_blob_key', 'cloned_from', 'offsetQuery', 'batch_export:write'])
    expect(bundled).not.toContain(inRequestsOnly)
})
