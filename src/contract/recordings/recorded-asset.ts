import { z } from 'zod'
import { Instant } from '../datetime.ts'

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
  /** Number of missing files by reason, including those beyond the first 50, which `results` does not list. */
  missing: z.array(z.object({ reason: z.string(), count: z.int() })),
  /** Number of files that the service has not tried to fetch yet. */
  pending: z.int(),
  expires_at: Instant,
})
export type RecordedAssets = z.infer<typeof RecordedAssets>
