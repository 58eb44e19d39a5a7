import { useLocation } from '@tanstack/react-router'
import { scopeIn } from '../../../contract/accounts/scopes.ts'
import { scopeInWords } from '../../format/scope.ts'
import { ButtonLink } from '../controls/button-link.tsx'
import { EmptyState } from './empty-state.tsx'

type NoPermissionProps = {
  /** The service's message about the missing scope. */
  reason: string
  title?: string
}

/** Says which scope the key lacks, with a link to sign in with another key. */
export function NoPermission({ reason, title = 'This key has no access to this page' }: NoPermissionProps) {
  const { href } = useLocation()
  const scope = scopeIn(reason)
  return (
    <EmptyState title={title}>
      {scope ? (
        <p>
          It lacks the scope <code>{scope}</code>, which lets a key {scopeInWords(scope)}.
        </p>
      ) : (
        <p>{reason}</p>
      )}
      {/* oxlint-disable-next-line unicorn/no-thenable -- a search parameter, never awaited */}
      <ButtonLink to="/login" search={{ then: href }}>
        Sign in with another key
      </ButtonLink>
    </EmptyState>
  )
}
