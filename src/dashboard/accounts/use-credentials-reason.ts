import { useQuery } from '@tanstack/react-query'
import { sessionsQuery } from '../queries/sessions.ts'

/** Returns why the user cannot change how they sign in; null if they can. */
export function useCredentialsReason(): string | null {
  const { data: sessions } = useQuery(sessionsQuery)
  const current = sessions?.find(({ is_current }) => is_current)
  return current?.method === 'provider'
    ? 'You signed in with your identity provider: change there how you sign in.'
    : null
}
