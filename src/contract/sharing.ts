import { z } from 'zod'
import { Instant, InstantInput } from './instant.ts'
import { SharedRecording } from './session-recording.ts'

/** Whether and how clients can open a recording by its link, `/shared/<access_token>`. */
export const SharingConfiguration = z.object({
  created_at: Instant,
  enabled: z.boolean(),
  access_token: z.string(),
  expires_at: Instant.nullable(),
  password_required: z.boolean(),
  /** How often the link was opened. */
  views: z.int(),
})
export type SharingConfiguration = z.infer<typeof SharingConfiguration>

export const SharingUpdate = z.object({
  enabled: z.boolean().optional(),
  expires_at: InstantInput.nullable().optional(),
  /** null or "" removes the password. No response contains the password. */
  password: z.string().max(200).nullable().optional(),
})

/** A link's token replaces a key, for the one recording and only for the data that a link reveals. */
export const SharingQuery = z.object({
  sharing_access_token: z
    .string()
    .optional()
    .meta({ description: 'The token of a link to this recording, instead of a key.' }),
})

/** The recording behind a link, with its project, which the snapshots' URL contains. */
export const OpenedLink = SharedRecording.extend({
  team_id: z.int(),
  /**
   * When the visitor acted according to captured events, in milliseconds since the epoch, ascending; nothing else of the
   * events. The player finds times when nothing was recorded although the visitor was active.
   */
  acted_at: z.array(z.int()),
})
