import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { session } from '../api/session.ts'
import { sendAllNow } from '../ui/feedback/send-later.ts'

/** Signs out: sends the actions that could still be undone, then forgets the key. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return async () => {
    await sendAllNow()
    await router.navigate({ to: '/login' })
    if (router.state.location.pathname !== '/login') return
    session.signOut()
    client.clear()
  }
}
