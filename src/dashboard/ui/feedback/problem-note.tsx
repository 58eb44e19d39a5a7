import { ApiProblem, isStatus } from '../../api/problem.ts'
import { Button } from '../controls/button.tsx'
import { Icon } from '../icon.tsx'

/** Shows a failure where it happened: the service's message, the request id, and Retry except after a 404. */
export function ProblemNote({ error, onRetry }: { error: Error; onRetry?: (() => void) | undefined }) {
  const requestId = error instanceof ApiProblem ? error.requestId : null
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-md border border-fail px-3 py-2">
      <span className="text-fail-ink">
        <Icon name="alert" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">{error.message}</p>
        {requestId && (
          <p className="text-xs text-ink-3">
            Request <code className="select-all">{requestId}</code>
          </p>
        )}
      </div>
      {onRetry && !isStatus(error, 404) && <Button onClick={onRetry}>Retry</Button>}
    </div>
  )
}
