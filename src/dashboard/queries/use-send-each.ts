import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { sendEach, type Outcome } from '../api/send-each.ts'
import { invalidate } from './endpoint-query.ts'
import { runEndpoints } from './exports/run-endpoints.ts'

/** Returns a function that sends one request per item, refreshes the runs and returns the outcome. */
export function useSendEach<Item, ResponseBody>(
  send: (item: Item) => Promise<ResponseBody>,
): (items: readonly Item[]) => Promise<Outcome<Item, ResponseBody>> {
  const client = useQueryClient()
  // Each request is a mutation, so that the mutation cache handles a 401.
  const { mutateAsync } = useMutation({ mutationFn: send })
  return useCallback(
    async (items) => {
      const outcome = await sendEach(items, (item) => mutateAsync(item))
      await invalidate(client, ...runEndpoints)
      return outcome
    },
    [client, mutateAsync],
  )
}
