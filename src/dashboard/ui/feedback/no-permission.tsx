import { useLocation } from '@tanstack/react-router'
import { missingScope, scopes } from '../../../contract/scopes.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { scopeInWords } from '../../words/scope.ts'
import { ButtonLink } from '../button-link.tsx'
import { EmptyState } from './empty-state.tsx'

/** The key may not see this: which scope it lacks, and the way to another key. */
export function NoPermission({ error }: { error: ApiProblem }) {
  const { href } = useLocation()
  const scope = scopes.find((scope) => missingScope(scope) === error.message)
  return (
    <EmptyState title="This key may not see this">
      {scope ? (
        <p>
          It lacks the scope <code>{scope}</code>, with which a key can {scopeInWords(scope)}.
        </p>
      ) : (
        <p>{error.message}</p>
      )}
      {/* oxlint-disable-next-line unicorn/no-thenable -- a text in the address, nobody awaits it */}
      <ButtonLink to="/login" search={{ then: href }}>
        Sign in with another key
      </ButtonLink>
    </EmptyState>
  )
}
