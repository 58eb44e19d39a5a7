import { z } from 'zod'
import { Instant } from './instant.ts'

/** Start of the signed paths of assets; requests for these need no key. */
export const assetPathStart = '/recorded-assets/'

/** The files that a recording shows but does not hold, in the order in which they were found. */
export const RecordedAssets = z.object({
  results: z.array(
    z.object({
      /** Absolute URL without a fragment, as `assetUrl` resolves it. */
      url: z.string(),
      /** Path of the stored file until `expires_at`; null if the file is missing. */
      path: z.string().nullable(),
      content_type: z.string().nullable(),
      /** Why the file is missing; null if it is stored. */
      reason: z.string().nullable(),
    }),
  ),
  /** Number of files that have not been fetched yet. */
  pending: z.int(),
  expires_at: Instant,
})
export type RecordedAssets = z.infer<typeof RecordedAssets>
