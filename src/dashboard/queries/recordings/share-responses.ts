import type { QueryClient } from '@tanstack/react-query'
import { actorIdOf, userQuery } from '../account.ts'

type SharedResponse = { actorId: string; queryKey: readonly unknown[]; data: unknown; updatedAt: number }

/** Sends every response of a live query to the other tabs, so that one request serves all tabs that show the same data. */
export function shareResponses(client: QueryClient): void {
  // The module's URL changes with every build, so tabs of different versions do not share responses.
  const channel = new BroadcastChannel(`spool.responses ${import.meta.url}`)
  const actorId = () => {
    const user = client.getQueryData(userQuery.queryKey)
    return user ? `${actorIdOf(user)} ${user.organization.id}` : null
  }

  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    const { meta, queryKey, state } = event.query
    const { data, dataUpdatedAt: updatedAt } = state
    const actor = actorId()
    if (!meta?.live || actor === null) return
    const response: SharedResponse = { actorId: actor, queryKey, data, updatedAt }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have no target origin
    channel.postMessage(response)
  })

  channel.addEventListener('message', ({ data: response }: MessageEvent<SharedResponse>) => {
    const known = client.getQueryState(response.queryKey)
    // Ignores responses for another user, key or organization, and responses older than a change that this tab is making.
    if (response.actorId !== actorId() || !known || client.isMutating() > 0) return
    if (known.dataUpdatedAt < response.updatedAt)
      client.setQueryData(response.queryKey, response.data, { updatedAt: response.updatedAt })
  })
}
