import { Problem, type Issue, type QueryPosition } from '../../contract/problem.ts'

/** The service refused a request. `issues` holds everything that is wrong with its body, for a form's fields. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: string
  readonly attr: string | null
  readonly issues: readonly Issue[]
  /** null where something between here and the service answered in its place. */
  readonly requestId: string | null
  /** Milliseconds to wait before asking again; null when the answer names none. */
  readonly retryAfterMs: number | null
  /** Where a query is wrong, when that is known. */
  readonly position: QueryPosition | null

  constructor(status: number, problem: ProblemFacts) {
    super(problem.detail)
    this.status = status
    this.code = problem.code
    this.attr = problem.attr
    this.issues = problem.issues
    this.requestId = problem.requestId
    this.retryAfterMs = problem.retryAfterMs
    this.position = problem.position ?? null
  }
}

type ProblemFacts = Pick<ApiProblem, 'code' | 'attr' | 'issues' | 'requestId' | 'retryAfterMs'> & {
  detail: string
  position?: QueryPosition | undefined
}

/** The request never got an answer: offline, or the service is not running. */
export class NetworkFailure extends Error {
  override readonly name = 'NetworkFailure'

  constructor(cause: unknown) {
    super('The service cannot be reached. Check the connection, or whether the service is running.', {
      cause,
    })
  }
}

/** The request went well, but its answer is not what the contract says: page and service are of different versions. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer'

  constructor(cause: unknown) {
    super('The answer is not what this page expects. Reload the page: it may be older than the service.', {
      cause,
    })
  }
}

/** Reads the answer to a refused request; what is not the API's own error shape becomes a problem all the same. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const headerId = response.headers.get('X-Request-Id')
  const retryAfterMs = readRetryAfter(response.headers.get('Retry-After'))
  const parsed = Problem.safeParse(await response.json().catch(() => null))
  if (!parsed.success)
    return new ApiProblem(response.status, {
      code: 'error',
      detail: `The service answered ${response.status} without saying why.`,
      attr: null,
      issues: [],
      requestId: headerId,
      retryAfterMs,
    })
  const { code, detail, attr, request_id: requestId, issues = [], position } = parsed.data
  return new ApiProblem(response.status, { code, detail, attr, issues, requestId, retryAfterMs, position })
}

function readRetryAfter(header: string | null): number | null {
  const seconds = Number(header)
  return header !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}

export function isStatus(error: unknown, status: number): error is ApiProblem {
  return error instanceof ApiProblem && error.status === status
}
