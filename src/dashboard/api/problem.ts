import type { Issue, QueryPosition } from '../../contract/problem.ts'

/** The service refused a request. `issues` lists every error in its body, for the fields of a form. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: string
  readonly attr: string | null
  readonly issues: readonly Issue[]
  /** null if a proxy or gateway responded instead of the service. */
  readonly requestId: string | null
  /** Time (ms) to wait before the next attempt; null if the response names none. */
  readonly retryAfterMs: number | null
  /** Position of an error in a query, if known. */
  readonly position: QueryPosition | null
  /** When the link of the request expired or was revoked. */
  readonly endedAt: string | null

  constructor(status: number, problem: ProblemFacts) {
    super(problem.detail)
    this.status = status
    this.code = problem.code
    this.attr = problem.attr
    this.issues = problem.issues
    this.requestId = problem.requestId
    this.retryAfterMs = problem.retryAfterMs
    this.position = problem.position ?? null
    this.endedAt = problem.endedAt ?? null
  }
}

type ProblemFacts = Pick<ApiProblem, 'code' | 'attr' | 'issues' | 'requestId' | 'retryAfterMs'> & {
  detail: string
  position?: QueryPosition | undefined
  endedAt?: string | undefined
}

/** The request got no response: the device is offline, or the service is not running. */
export class NetworkFailure extends Error {
  override readonly name = 'NetworkFailure'

  constructor(cause: unknown) {
    super('The service cannot be reached. Check your connection and that the service is running.', { cause })
  }
}

/** The response does not match the contract: the page and the service have different versions. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse'

  constructor(cause: unknown) {
    super('The service sent an unexpected response. Reload the page: it may be older than the service.', {
      cause,
    })
  }
}

export function isStatus(error: unknown, status: number): error is ApiProblem {
  return error instanceof ApiProblem && error.status === status
}

/** Whether a 401 refuses a session, key or link; someone who had no session is not told that it has ended. */
export function isRefusal({ code }: ApiProblem): true | undefined {
  return code === 'not_authenticated' ? undefined : true
}
