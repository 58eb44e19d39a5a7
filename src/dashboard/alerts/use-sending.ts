import { useQueryClient } from '@tanstack/react-query'
import { useAccount } from '../account.ts'
import type { Sending } from '../queries/alerts.ts'

/** Returns what a change of alerts needs to know of the page. */
export function useSending(): Sending {
  return { client: useQueryClient(), projectId: useAccount().projectId }
}
