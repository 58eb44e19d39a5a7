import { expect, test } from 'vitest'
import { isStatus, readProblem } from './problem.ts'

test('a refused request becomes a problem with everything that the service said', async () => {
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

test('a throttled request says how long to wait, in milliseconds', async () => {
  const response = Response.json(
    { type: 'throttled_error', code: 'throttled', detail: 'Wait.', attr: null, request_id: 'r-2' },
    { status: 429, headers: { 'Retry-After': '7' } },
  )
  await expect(readProblem(response)).resolves.toMatchObject({ status: 429, retryAfterMs: 7000 })
})

test('an answer that is not the API’s own is a problem too, with the request’s id where it has one', async () => {
  const response = new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'X-Request-Id': 'r-3' } })
  await expect(readProblem(response)).resolves.toMatchObject({
    status: 502,
    requestId: 'r-3',
    message: 'The service answered 502 without saying why.',
    issues: [],
  })
})
