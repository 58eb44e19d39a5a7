import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { userQuery } from '../queries/account.ts'

/** Returns a function that fetches the user again, after what they may do has changed. */
export function useRefreshUser(): () => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return () => {
    client.removeQueries({ queryKey: userQuery.queryKey })
    return router.invalidate()
  }
}
