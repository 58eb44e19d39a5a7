import { useLocation } from '@tanstack/react-router'
import { scopeIn } from '../../../contract/accounts/scopes.ts'
import { scopeInWords } from '../../format/scope.ts'
import { ButtonLink } from '../controls/button-link.tsx'
import { EmptyState } from './empty-state.tsx'

export type MissingScopeProps = {
  /** The service's message about the missing scope. */
  reason: string
  title?: string
}

/** Says which scope the key lacks, with a link to sign in with another key; of a person who signed in, the role. */
export function MissingScope({ reason, title = 'This key has no access to this page' }: MissingScopeProps) {
  const { href } = useLocation()
  const scope = scopeIn(reason)
  if (reason.startsWith('Your role'))
    return <EmptyState title={title.replace('This key', 'Your role')}>{reason}</EmptyState>
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
