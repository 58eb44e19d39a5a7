import type { QueryClient } from '@tanstack/react-query'
import { isStatus } from '../../api/problem.ts'
import { counted } from '../../words/amount.ts'
import { reportFailures } from '../feedback/failure-report.ts'
import { sendEach, type Outcome } from '../../api/send-each.ts'

type SendToAll<Item, Answer> = {
  send: (item: Item) => Promise<Answer>
  /** Does it again for those that failed. */
  again: (failed: Item[]) => void
  /** Hears how many of the requests have been answered. */
  onProgress?: ((ended: number) => void) | undefined
  /** What one of them is: "export". */
  one: string
  /** What could not be done: "paused". */
  undone: string
  /** Makes the lists fresh. */
  refresh: () => Promise<void>
}

/**
 * Sends one request for each of a list, makes the list fresh, and reports those that failed when others did not.
 * @throws the first failure when nothing worked at all, or a refused key.
 */
export async function sendToAll<Item extends { id: string; name: string }, Answer>(
  client: QueryClient,
  items: readonly Item[],
  { send, again, onProgress, one, undone, refresh }: SendToAll<Item, Answer>,
): Promise<Outcome<Item, Answer>> {
  // As a mutation, so that the cache hears of a refused key.
  const mutation = client.getMutationCache().build(client, {
    mutationFn: async () => {
      const outcome = await sendEach(items, send, { onProgress })
      const refused = outcome.failed.find(({ error }) => isStatus(error, 401))
      const fatal = refused ?? (outcome.done.length === 0 ? outcome.failed[0] : undefined)
      if (fatal) throw fatal.error
      return outcome
    },
  })
  const outcome = await mutation.execute(undefined)
  await refresh()
  if (outcome.failed.length > 0)
    reportFailures({
      title: `${outcome.failed.length} of ${counted(items.length, one)} could not be ${undone}`,
      failures: outcome.failed.map(({ item, error }) => ({
        id: item.id,
        name: item.name,
        why: error.message,
      })),
      retry: () => again(outcome.failed.map(({ item }) => item)),
    })
  return outcome
}
