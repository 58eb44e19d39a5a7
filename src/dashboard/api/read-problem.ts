import { Problem } from '../../contract/problem.ts'
import { ApiProblem } from './problem.ts'

/** Reads the response to a refused request, even if it is not in the API's error format. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const headerId = response.headers.get('X-Request-Id')
  const retryAfterMs = readRetryAfter(response.headers.get('Retry-After'))
  const parsed = Problem.safeParse(await response.json().catch(() => null))
  if (!parsed.success)
    return new ApiProblem(response.status, {
      code: 'error',
      detail: `The service returned error ${response.status} without an explanation.`,
      attr: null,
      issues: [],
      requestId: headerId,
      retryAfterMs,
    })
  const { code, detail, attr, request_id: requestId, issues = [], position } = parsed.data
  return new ApiProblem(response.status, { code, detail, attr, issues, requestId, retryAfterMs, position })
}

export function readRetryAfter(header: string | null): number | null {
  const seconds = Number(header)
  return header !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
