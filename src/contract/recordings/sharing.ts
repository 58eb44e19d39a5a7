import { z } from 'zod'
import { Instant, InstantInput } from '../datetime.ts'
import { SharedRecording } from './session-recording.ts'
import { RecordingFacts } from './recording-facts.ts'
import { linkShows, sharedAtOnceMax } from './recording-rules.ts'

/** Parts of the page that visitors see blank: all texts, inputs or images, or the elements that a CSS selector matches. */
// zod's discriminated union would enlarge the first load of every page.
export const LinkMask = z.union([
  z.strictObject({ kind: z.enum(['text', 'inputs', 'images']) }),
  z.strictObject({ kind: z.literal('selector'), selector: z.string().min(1).max(200) }),
])
export type LinkMask = z.infer<typeof LinkMask>

/** The highlights that a link opens, in seconds. */
export const highlightSeconds = [15, 30, 60] as const

/** Seconds since the recording's start; null: the recording's start or end. */
const Second = z.number().min(0).max(10_000_000).nullable()

/** The range of a recording that visitors get. */
const range = { start: Second, end: Second }

const limits = {
  shows: z.enum(linkShows),
  masks: z.array(LinkMask).max(20, { error: 'Mask at most 20 parts.' }),
}

const facts = {
  created_at: Instant,
  enabled: z.boolean(),
  access_token: z.string(),
  expires_at: Instant.nullable(),
  password_required: z.boolean(),
  /** How often the link was opened. */
  views: z.int(),
  last_viewed_at: Instant.nullable(),
}

const settings = {
  enabled: z.boolean(),
  expires_at: InstantInput.nullable(),
  /** null or "" removes the password. No response contains the password. */
  password: z.string().max(200).nullable(),
  ...limits,
}

/** Whether and how clients can open a recording by its default link, `/shared/<access_token>`. */
export const SharingConfiguration = z.object({ ...facts, ...range, ...limits })
export type SharingConfiguration = z.infer<typeof SharingConfiguration>

export const SharingUpdate = z
  .object({
    ...settings,
    ...range,
    /** With `enabled`: a link that was disabled works again with its token, instead of a new one. */
    keep_token: z.boolean(),
  })
  .partial()

/** Shares the recordings of these sessions, by links that show the picture alone, or stops sharing them. */
export const BulkSharing = z.object({
  ids: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(sharedAtOnceMax, { error: `Share at most ${sharedAtOnceMax} recordings at once.` }),
  enabled: z.boolean(),
  /** With `enabled`: links that were disabled work again with their tokens, instead of new ones. */
  keep_token: z.boolean().optional(),
})
/** The links of recordings that are shared now, or were until now; other recordings are left out. */
export const BulkShared = z.object({
  results: z.array(z.object({ id: z.string(), ...SharingConfiguration.shape })),
})

const label = z.string().max(100, { error: 'Use at most 100 characters.' })
const ofLink = {
  label,
  highlights: z.literal(highlightSeconds).nullable(),
}

/** A link to a recording besides the default one. */
export const RecordingLink = z.object({ id: z.string(), ...facts, ...range, ...limits, ...ofLink })
export type RecordingLink = z.infer<typeof RecordingLink>

/** A new link is enabled and shows the picture alone, unless the request says otherwise. */
export const LinkUpdate = z.strictObject({ ...settings, ...range, ...ofLink }).partial()

/** A link to a collection: to the recordings in it at the time of each request. */
const ofCollection = {
  label,
  /** Whether visitors see the names of persons; else two words stand for each. */
  names: z.boolean(),
}
export const CollectionLink = z.object({ id: z.string(), ...facts, ...limits, ...ofCollection })
export type CollectionLink = z.infer<typeof CollectionLink>
export const CollectionLinkUpdate = z.strictObject({ ...settings, ...ofCollection }).partial()

/** The largest number of links to one collection, and to one recording besides the default one. */
export const linksMax = 100

/** A link's token replaces a key, for the one recording and only for the data that a link reveals. */
export const SharingQuery = z.object({
  sharing_access_token: z
    .string()
    .optional()
    .meta({ description: 'The token of a link to this recording, instead of a key.' }),
})

/** The recording behind a link, with its project, which the snapshots' URL contains, and what the link shows of it. */
export const OpenedLink = SharedRecording.extend({
  team_id: z.int(),
  shows: z.enum(linkShows),
  highlights: z.literal(highlightSeconds).nullable(),
  /**
   * When the visitor acted according to captured events, in milliseconds since the epoch, ascending; nothing else of the
   * events. The player finds times when nothing was recorded although the visitor was active.
   */
  acted_at: z.array(z.int()),
})
export type OpenedLink = z.infer<typeof OpenedLink>

/** A recording in a shared collection. */
export const CollectedRecording = SharedRecording.pick({
  id: true,
  recording_duration: true,
  start_time: true,
}).extend({
  /** Two words, the same for all recordings of a person, or the person's name if the link shows names. */
  name: z.string(),
  /** Degrees, for the round mark beside the name. */
  hue: z.int(),
  strip: RecordingFacts.shape.strip.nullable(),
})
export type CollectedRecording = z.infer<typeof CollectedRecording>

/** The collection behind a link, with its newest recordings. */
export const OpenedCollection = z.object({
  name: z.string(),
  team_id: z.int(),
  shows: z.enum(linkShows),
  results: z.array(CollectedRecording),
  /** Whether the collection has older recordings, which the link does not show. */
  has_more: z.boolean(),
})
export type OpenedCollection = z.infer<typeof OpenedCollection>

export const LinkContent = z.union([OpenedLink, OpenedCollection])
export type LinkContent = z.infer<typeof LinkContent>
