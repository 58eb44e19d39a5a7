import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { ListAddress } from '../list-address.ts'

/** Views of a project. */
export const recordingViewsMax = 200

const ViewName = z.string().trim().min(1).max(100)

/** A named filter of the recordings list. */
export const RecordingView = z.object({
  id: z.string(),
  name: z.string(),
  /** Query string of the list, without the question mark. */
  query: z.string(),
  /** Whether everyone with access to the project sees it; otherwise only the user who created it. */
  shared: z.boolean(),
  /** Whether the key's user created it. */
  own: z.boolean(),
  created_at: Instant,
  last_updated_at: Instant,
})
export type RecordingView = z.infer<typeof RecordingView>

export const RecordingViewInput = z.strictObject({
  name: ViewName,
  query: ListAddress,
  shared: z.boolean().default(false),
})

export const RecordingViewUpdate = z
  .strictObject({ name: ViewName.optional(), query: ListAddress.optional(), shared: z.boolean().optional() })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Nothing to update: send at least one of name, query and shared.',
  })
