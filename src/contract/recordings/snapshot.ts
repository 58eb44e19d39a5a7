import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { SharingQuery } from './sharing.ts'

/**
 * Without `source`: the list of blocks. With `source=blob_v2`: the events of the blocks between the keys, as JSON lines. With
 * `source=page`: the page stored for the start of block `start_blob_key`, as JSON lines; nothing if no page is stored there.
 */
export const SnapshotQuery = SharingQuery.extend({
  source: z.string().optional(),
  start_blob_key: z.string().optional(),
  end_blob_key: z.string().optional(),
})

/** A window's id, and a time in milliseconds since the epoch. */
export type WindowTime = [window: string, time: number]
// Without z.tuple, which only this schema would use: it would add 600 bytes to the first load of every page.
const WindowTime = z.array(z.union([z.string(), z.number()])).length(2) as unknown as z.ZodType<WindowTime>

export const SnapshotSources = z.object({
  sources: z.array(
    z.object({
      source: z.literal('blob_v2'),
      start_timestamp: Instant,
      end_timestamp: Instant,
      /** The block's number, from 0 in order of arrival. */
      blob_key: z.string(),
      /** Bytes of the block's lines. This key and those below are additions to PostHog's API. */
      bytes: z.int(),
      /** Times of the full snapshots. */
      full_snapshots: z.array(WindowTime),
      /** Windows that the visitor used, with the time of the last action. */
      active_windows: z.array(WindowTime),
      /** The page stored for the block's start: with it, later moments are shown without the blocks before. `bytes`: of its lines. */
      page: z.object({ window_id: z.string(), bytes: z.int() }).optional(),
    }),
  ),
})
export type SnapshotSources = z.infer<typeof SnapshotSources>
