import { z } from 'zod'
import { RecordingListQuery } from './recordings/recording-filter.ts'

const Parameters = RecordingListQuery.omit({ limit: true, offset: true })

/** Reads a query string of the recordings list: its filters and order, without the question mark. */
export function readListAddress(text: string) {
  return Parameters.safeParse(Object.fromEntries(new URLSearchParams(text)))
}

/** What a saved view and the rule of a collection contain: a query string that the recordings list accepts. */
export const ListAddress = z
  .string()
  .max(8000)
  .superRefine((text, context) => {
    const [issue] = readListAddress(text).error?.issues ?? []
    if (issue)
      context.addIssue({
        code: 'custom',
        message: `${issue.path.join('.') || 'The query'}: ${issue.message}`,
      })
  })
