import type { QueryClient } from '@tanstack/react-query'
import { currentKeyQuery } from './account.ts'

type Answer = { keyId: string; queryKey: readonly unknown[]; data: unknown; updatedAt: number }

/** Hands every answer of a live query to the other tabs, so that one request serves all that show the same. */
export function shareAnswers(client: QueryClient): void {
  // Built anew, this module has another address: pages of two versions do not hand each other what they cannot read.
  const channel = new BroadcastChannel(`spool.answers ${import.meta.url}`)
  const keyId = () => client.getQueryData(currentKeyQuery.queryKey)?.id ?? null

  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    const { meta, queryKey, state } = event.query
    const key = keyId()
    if (!meta?.live || key === null) return
    const answer: Answer = { keyId: key, queryKey, data: state.data, updatedAt: state.dataUpdatedAt }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage(answer)
  })

  channel.addEventListener('message', ({ data: answer }: MessageEvent<Answer>) => {
    const known = client.getQueryState(answer.queryKey)
    // What another key may see is not for this tab, and what this tab has just changed is newer.
    if (answer.keyId !== keyId() || !known || client.isMutating() > 0) return
    if (known.dataUpdatedAt < answer.updatedAt)
      client.setQueryData(answer.queryKey, answer.data, { updatedAt: answer.updatedAt })
  })
}
