import { z } from 'zod'
import { Instant, InstantInput } from './instant.ts'
import { SharedRecording } from './session-recording.ts'

/** Whether, and how, a recording is open to whoever has its link: `/shared/<access_token>`. */
export const SharingConfiguration = z.object({
  created_at: Instant,
  enabled: z.boolean(),
  access_token: z.string(),
  expires_at: Instant.nullable(),
  password_required: z.boolean(),
  /** How often it was opened by its link. */
  views: z.int(),
})
export type SharingConfiguration = z.infer<typeof SharingConfiguration>

export const SharingUpdate = z.object({
  enabled: z.boolean().optional(),
  expires_at: InstantInput.nullable().optional(),
  /** null or "" takes the password away; it is never shown. */
  password: z.string().max(200).nullable().optional(),
})

/** A link's token, given instead of a key, opens one recording, and of it only what a link shows. */
export const SharingQuery = z.object({
  sharing_access_token: z
    .string()
    .optional()
    .meta({ description: 'Instead of a key: the token of a link to this recording.' }),
})

/** What a link opens, and the project it lies in, so that its snapshots can be asked for. */
export const OpenedLink = SharedRecording.extend({ team_id: z.int() })

/** The header in which the password of a link travels. */
export const sharingPasswordHeader = 'x-sharing-password'
