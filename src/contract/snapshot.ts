import { z } from 'zod'
import { Instant } from './instant.ts'
import { SharingQuery } from './sharing.ts'

/** Without `source`: the list of blocks. With `source=blob_v2`: the events of the blocks between the keys, as JSON lines. */
export const SnapshotQuery = SharingQuery.extend({
  source: z.string().optional(),
  start_blob_key: z.string().optional(),
  end_blob_key: z.string().optional(),
})

export const SnapshotSources = z.object({
  sources: z.array(
    z.object({
      source: z.literal('blob_v2'),
      start_timestamp: Instant,
      end_timestamp: Instant,
      /** The block's number, from 0 in order of arrival. */
      blob_key: z.string(),
    }),
  ),
})
export type SnapshotSources = z.infer<typeof SnapshotSources>

/** Maximum number of blocks per request. */
export const blobKeysMax = 20
