import { expect, test } from 'vitest'
import { ApiProblem, NetworkFailure } from '../../api/problem.ts'
import { issuesByField } from './server-issues.ts'

const names = [
  'name',
  'destination.type',
  'destination.config.bucket_name',
  'destination.config.include_events',
] as const

function problem(issues: ApiProblem['issues'], attr: string | null = null): ApiProblem {
  const facts = { code: 'invalid_input', detail: 'No.', attr, issues, requestId: 'r-1', retryAfterMs: null }
  return new ApiProblem(400, facts)
}

test('assigns an issue to the field its path names, and issues of list items to the list', () => {
  const { fields, rest } = issuesByField(
    problem([
      { path: ['destination', 'config', 'bucket_name'], message: 'Which?' },
      { path: ['destination', 'config', 'include_events', 2], message: 'Not a valid string.' },
    ]),
    names,
  )
  expect(fields).toEqual([
    { name: 'destination.config.bucket_name', message: 'Which?' },
    { name: 'destination.config.include_events', message: 'Not a valid string.' },
  ])
  expect(rest).toEqual([])
})

test('returns issues without a matching field separately', () => {
  const { fields, rest } = issuesByField(
    problem([
      { path: ['name'], message: 'Blank.' },
      { path: ['destination', 'config'], message: 'Configuration has unknown field/s: a' },
    ]),
    names,
  )
  expect(fields).toEqual([{ name: 'name', message: 'Blank.' }])
  expect(rest).toEqual(['Configuration has unknown field/s: a'])
})

test('assigns a problem without issues to the field its attr names', () => {
  expect(issuesByField(problem([], 'destination__type'), names).fields).toEqual([
    { name: 'destination.type', message: 'No.' },
  ])
})

test('assigns a network failure to no field', () => {
  expect(issuesByField(new NetworkFailure(new TypeError('fetch failed')), names)).toMatchObject({
    fields: [],
  })
})
