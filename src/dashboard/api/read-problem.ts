import type { Issue, Problem } from '../../contract/problem.ts'
import { ApiProblem } from './problem.ts'

/** Reads the response to a refused request, even if it is not in the API's error format. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const headerId = response.headers.get('X-Request-Id')
  const retryAfterMs = readRetryAfter(response.headers.get('Retry-After'))
  const body: unknown = await response.json().catch(() => null)
  if (!isProblem(body))
    return new ApiProblem(response.status, {
      code: 'error',
      detail: `The service returned error ${response.status} without an explanation.`,
      attr: null,
      issues: [],
      requestId: headerId,
      retryAfterMs,
    })
  const { request_id: requestId, ended_at: endedAt, issues = [], ...facts } = body
  return new ApiProblem(response.status, { ...facts, issues, requestId, retryAfterMs, endedAt })
}

/** Checks without the contract's schema, which would be part of the first load. */
function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false
  const { type, code, detail, attr, request_id: id, issues = [], position } = body as Partial<Problem>
  return (
    [type, code, detail, id, attr ?? ''].every((each) => typeof each === 'string') &&
    attr !== undefined &&
    Array.isArray(issues) &&
    issues.every(({ path, message }: Partial<Issue>) => Array.isArray(path) && typeof message === 'string') &&
    (position === undefined || Number.isInteger(position.offset))
  )
}

export function readRetryAfter(header: string | null): number | null {
  const seconds = Number(header)
  return header !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
