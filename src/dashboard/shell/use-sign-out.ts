import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRouter, type AnyRouter } from '@tanstack/react-router'
import { session, signOutOtherTabs } from '../api/session.ts'
import { sendAllNow } from '../ui/feedback/send-action.ts'

/** Signs out this tab and all others that use the same key. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return () => signOut(router, client, { everywhere: true })
}

/** Signs out: sends the actions that could still be undone, then forgets the key. */
export async function signOut(
  router: AnyRouter,
  client: QueryClient,
  { everywhere }: { everywhere: boolean },
): Promise<void> {
  await sendAllNow()
  await router.navigate({ to: '/login' })
  // The user may have stayed on a form to copy unsaved input.
  if (router.state.location.pathname !== '/login') return
  if (everywhere) signOutOtherTabs()
  session.signOut()
  client.clear()
}
