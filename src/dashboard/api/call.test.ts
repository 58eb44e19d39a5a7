import { expect, test } from 'vitest'
import { address } from './call.ts'

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
