import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRouter, type AnyRouter } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { forgetUrlSignIn, signOuts } from '../api/session.ts'
import { forgetUser } from '../queries/account.ts'
import { sendAllNow } from '../ui/feedback/send-action.ts'

/** Signs out this tab and all others, which share the session. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return () => signOut(router, client, { everywhere: true })
}

/** Signs out: sends the actions that could still be undone, then ends the session. */
export async function signOut(
  router: AnyRouter,
  client: QueryClient,
  { everywhere }: { everywhere: boolean },
): Promise<void> {
  forgetUrlSignIn()
  await sendAllNow()
  await router.navigate({ to: '/login' })
  // The user may have stayed on a form to copy unsaved input.
  if (router.state.location.pathname !== '/login') return
  if (everywhere) {
    // Without a session there is nothing to end.
    await call('signOut', {}).catch(() => undefined)
    signOuts.post()
  }
  forgetUser(client)
}
