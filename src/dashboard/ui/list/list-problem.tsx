import { isStatus } from '../../api/problem.ts'
import { NoPermission } from '../feedback/no-permission.tsx'
import { ProblemNote } from '../feedback/problem-note.tsx'

/** Shows why a list could not be fetched: no permission, or a failure with Retry. */
export function ListProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (isStatus(error, 403)) return <NoPermission reason={error.message} />
  return <ProblemNote error={error} onRetry={onRetry} />
}
