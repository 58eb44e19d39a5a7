import { useLocation } from '@tanstack/react-router'
import { missingScope, scopes } from '../../../contract/scopes.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { scopeInWords } from '../../words/scope.ts'
import { ButtonLink } from '../button-link.tsx'
import { EmptyState } from './empty-state.tsx'

/** Says which scope the key lacks, with a link to sign in with another key. */
export function NoPermission({ error }: { error: ApiProblem }) {
  const { href } = useLocation()
  const scope = scopes.find((scope) => missingScope(scope) === error.message)
  return (
    <EmptyState title="This key has no access to this page">
      {scope ? (
        <p>
          It lacks the scope <code>{scope}</code>, which lets a key {scopeInWords(scope)}.
        </p>
      ) : (
        <p>{error.message}</p>
      )}
      {/* oxlint-disable-next-line unicorn/no-thenable -- a search parameter, never awaited */}
      <ButtonLink to="/login" search={{ then: href }}>
        Sign in with another key
      </ButtonLink>
    </EmptyState>
  )
}
