import { z } from 'zod'
import { Instant } from '../datetime.ts'

/** Members whom one note can mention. */
export const noteMentionsMax = 20

/** A member who is mentioned, with their current name. */
export const MentionedMember = z.object({ id: z.string(), name: z.string() })
export type MentionedMember = z.infer<typeof MentionedMember>

/** A member whom notes in a project can mention. */
export const MentionableMember = MentionedMember.extend({ email: z.string() })
export type MentionableMember = z.infer<typeof MentionableMember>

/** An unread note that mentions the caller. */
export const Mention = z.object({
  note_id: z.string(),
  session_recording_id: z.string(),
  /** Name of the recorded visitor. */
  visitor: z.string(),
  /** Seconds from the recording's start. */
  at: z.number(),
  /** As in a note. */
  text: z.string(),
  mentions: z.array(MentionedMember),
  author: z.object({ name: z.string() }),
  created_at: Instant,
})
export type Mention = z.infer<typeof Mention>

/** The newest unread mentions, and the number of all of them. */
export const Mentions = z.object({ count: z.int(), results: z.array(Mention) })

export const ReadMentions = z.strictObject({ session_recording_id: z.string() })
