import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { offsetQuery } from '../page.ts'
import { MentionedMember } from './note-mention.ts'
import { noteLengthMax } from './recording-rules.ts'

/** Notes on one recording. */
export const notesMax = 200

/** Seconds from the recording's start. */
const At = z.number().min(0).max(10_000_000)
const Text = z
  .string()
  .trim()
  .min(1, { error: 'Enter a text.' })
  .max(noteLengthMax, { error: `Use at most ${noteLengthMax.toLocaleString('en')} characters.` })

/** A note on a moment of a recording. Links to the recording never show it. */
export const RecordingNote = z.object({
  id: z.string(),
  session_recording_id: z.string(),
  at: At,
  /** Plain text, which can have several lines; `@[id]` mentions a member. */
  text: z.string(),
  mentions: z.array(MentionedMember),
  /** `name`: the label that the author's key had. */
  author: z.object({ name: z.string() }),
  created_at: Instant,
  updated_at: Instant,
  /** Whether the key's user wrote it; only that user can change it. */
  is_mine: z.boolean(),
  /** Whether it mentions the key's user, who has not opened the recording since. */
  is_unread: z.boolean(),
})
export type RecordingNote = z.infer<typeof RecordingNote>

/** The first page has all notes on a recording unless the client sets a limit. */
export const NotesQuery = z.strictObject({
  ...offsetQuery(notesMax).shape,
  session_recording_id: z.string().optional(),
  /** A part of the text or of the author's name. */
  search: z.string().trim().max(200).default(''),
})

export const NoteInput = z.strictObject({ session_recording_id: z.string(), at: At, text: Text })

export const NoteUpdate = z
  .strictObject({ at: At.optional(), text: Text.optional() })
  .refine((body) => body.at !== undefined || body.text !== undefined, {
    error: 'Nothing to update: send at least one of text and at.',
  })
