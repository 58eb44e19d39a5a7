import { expect, test } from 'vitest'
import { isStatus } from './problem.ts'
import { readProblem } from './read-problem.ts'

test('reads every field of an API error', async () => {
  const body = {
    type: 'validation_error',
    code: 'blank',
    detail: 'This field may not be blank.',
    attr: 'name',
    request_id: 'r-1',
    issues: [{ path: ['name'], message: 'This field may not be blank.' }],
  }
  const problem = await readProblem(Response.json(body, { status: 400 }))
  expect(problem).toMatchObject({
    message: 'This field may not be blank.',
    status: 400,
    code: 'blank',
    attr: 'name',
    requestId: 'r-1',
    retryAfterMs: null,
    issues: body.issues,
  })
  expect(isStatus(problem, 400)).toBe(true)
})

test('reads the wait of a throttled request in milliseconds', async () => {
  const response = Response.json(
    { type: 'throttled_error', code: 'throttled', detail: 'Wait.', attr: null, request_id: 'r-2' },
    { status: 429, headers: { 'Retry-After': '7' } },
  )
  await expect(readProblem(response)).resolves.toMatchObject({ status: 429, retryAfterMs: 7000 })
})

test('turns an error without the API’s format into a problem, with its request id if present', async () => {
  const response = new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'X-Request-Id': 'r-3' } })
  await expect(readProblem(response)).resolves.toMatchObject({
    status: 502,
    requestId: 'r-3',
    message: 'The service returned error 502 without an explanation.',
    issues: [],
  })
})
