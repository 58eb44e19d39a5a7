import { z } from 'zod'
import { objects } from '../bulk-action-input.ts'
import { Instant } from '../datetime.ts'
import { ListAddress } from '../list-address.ts'
import { plainName } from '../plain-text.ts'
import { RecordingFilter } from './recording-filter.ts'

/** Collections of a project, and recordings in one that is made by hand. */
export const collectionsMax = 200
export const collectedMax = 10_000

/** A named set of recordings: chosen by hand, or all that match a rule. */
export const RecordingCollection = z.object({
  id: z.string(),
  name: z.string(),
  /** The rule: a query string of the list, without the question mark; null for a collection made by hand. */
  query: z.string().nullable(),
  /** Null with a rule: count the recordings that the list finds with the filter `collection`. */
  recording_count: z.int().nullable(),
  /** Whether a link opens it. */
  shared: z.boolean(),
  /** Label of the key that created it. */
  created_by: z.string(),
  created_at: Instant,
  updated_at: Instant,
})
export type RecordingCollection = z.infer<typeof RecordingCollection>

export const CollectionInput = z.strictObject({
  name: plainName(100),
  query: ListAddress.nullable().default(null),
})

/** Only a collection with a rule can get another rule. */
export const CollectionUpdate = z
  .strictObject({ name: plainName(100).optional(), query: ListAddress.optional() })
  .refine((body) => body.name !== undefined || body.query !== undefined, {
    error: 'Nothing to update: send at least one of name and query.',
  })

/** The recordings to add: their ids or a filter, in the format of the list's URL. */
export const CollectionAddition = z.strictObject(objects(RecordingFilter))
