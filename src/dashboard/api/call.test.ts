import { afterEach, expect, test, vi } from 'vitest'
import { address, call } from './call.ts'
import { UnexpectedResponse } from './problem.ts'

afterEach(() => vi.unstubAllGlobals())

test('fills in the parameters of a path, repeats lists and omits empty values', () => {
  const url = new URL(
    address(
      '/api/projects/:project_id/batch_exports/:id/logs/',
      { project_id: '1', id: 'a b' },
      { level: ['INFO', 'ERROR'], search: '', limit: 100, before: undefined },
    ),
  )
  expect(url.pathname + url.search).toBe(
    '/api/projects/1/batch_exports/a%20b/logs/?level=INFO&level=ERROR&limit=100',
  )
})

test.each(['{"unexpected":true}', '[]', 'null', '"text"', '<!doctype html>'])(
  'the response %s to a request of the first page is unexpected, although its schema is not loaded',
  async (body) => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)))
    const overview = call('overviewOfBatchExports', { params: { project_id: '1' } }, { key: 'phx_key' })
    await expect(overview).rejects.toBeInstanceOf(UnexpectedResponse)
  },
)
