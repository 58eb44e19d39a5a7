import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { offsetPage } from '../page.ts'
import { SnapshotSource } from './snapshot-source.ts'
import { RecordingFacts } from './recording-facts.ts'

/** For a visitor who was never identified, `id` and `name` are null and `properties` is {}. */
export const RecordingPerson = z.object({
  id: z.int().nullable(),
  name: z.string().nullable(),
  /** A JSON array as text, at most 10 ids. */
  distinct_ids: z.string(),
  properties: z.record(z.string(), z.unknown()),
  created_at: Instant.nullable(),
  uuid: z.string().nullable(),
})

/**
 * Why a recording matches the list's filter: `clicked “Redeem”`, `at` milliseconds from the recording's start. `at` is null if
 * it concerns the whole recording: `lasted 12 min`.
 */
export const MatchedMoment = z.object({ at: z.int().nullable(), label: z.string() })
export type MatchedMoment = z.infer<typeof MatchedMoment>

/** The first moments, then those without a time, at most three, by the recording's id. */
export const MatchedMoments = z.object({ results: z.record(z.string(), z.array(MatchedMoment)) })
export type MatchedMoments = z.infer<typeof MatchedMoments>

/** Durations are in seconds. The keys from `ongoing` on are additions to PostHog's API. */
export const SessionRecording = z.object({
  id: z.string(),
  distinct_id: z.string(),
  /** "" until the recording is watched, then the time it was last watched. */
  viewed: z.string(),
  recording_duration: z.number(),
  active_seconds: z.number(),
  inactive_seconds: z.number(),
  start_time: Instant,
  end_time: Instant,
  click_count: z.int(),
  keypress_count: z.int(),
  mouse_activity_count: z.int(),
  console_log_count: z.int(),
  console_warn_count: z.int(),
  console_error_count: z.int(),
  start_url: z.string(),
  person: RecordingPerson,
  storage: z.enum(['object_storage', 'object_storage_lts']),
  snapshot_source: SnapshotSource,
  /** Whether the newest data arrived less than five minutes ago. */
  ongoing: z.boolean(),
  /** Activity in each twentieth of the recording, from 0 to 1. */
  activity: z.array(z.number()),
  /** Null if parts of the recording were stored before requests were counted. */
  failed_request_count: z.int().nullable(),
  /** Events that the service could not use; null for recordings from before they were counted. */
  dropped_events: z.int().nullable(),
  /** Null until it is computed, soon after the recording's first data. */
  facts: RecordingFacts.nullable(),
  /** Whether a link opens the recording without a key. */
  shared: z.boolean(),
  note_count: z.int(),
})
export type SessionRecording = z.infer<typeof SessionRecording>

/** A recording with its watchers, named by the labels of their keys, latest first. */
export const WatchedRecording = SessionRecording.extend({
  watchers: z.array(z.object({ name: z.string(), at: Instant })),
})
export type WatchedRecording = z.infer<typeof WatchedRecording>

/** A recording, or null in every key if there is none. */
export const NullableRecording = z.object(nullable(SessionRecording.shape))
export type NullableRecording = z.infer<typeof NullableRecording>

function nullable<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = Object.entries(shape).map(([key, field]) => [key, z.nullable(field)])
  return Object.fromEntries(fields) as { [Key in keyof Shape]: z.ZodNullable<Shape[Key]> }
}

/** The fields of a recording that its link reveals, besides the snapshots. */
export const SharedRecording = SessionRecording.pick({
  id: true,
  recording_duration: true,
  start_time: true,
  end_time: true,
  dropped_events: true,
})
export type SharedRecording = z.infer<typeof SharedRecording>

/** `count` is estimated from a sample when a filter selects more than 10,000 recordings. */
export const SessionRecordingList = offsetPage(SessionRecording).extend({
  has_next: z.boolean(),
  count_is_estimate: z.boolean(),
})

export const PersistedRecording = SessionRecording.extend({ success: z.literal(true) })

/** Clients send this body to persist and summarize, which ignore it. */
export const RecordingInput = z.object({
  distinct_id: z.string().nullable().optional(),
  person: z.unknown().optional(),
})

export const RecordingUpdate = z
  .object({ viewed: z.boolean().optional() })
  .refine((body) => body.viewed !== undefined, {
    error: 'Nothing to update: send {"viewed": true}.',
  })

/** With `as_copy`, the recording gets a new session id. */
export const ImportQuery = z.object({ as_copy: z.enum(['true', 'false']).optional() })

export const BulkDelete = z.object({
  session_recording_ids: z
    .array(z.string())
    .min(1)
    .max(20, { error: 'Delete at most 20 recordings at once.' }),
})
export const BulkDeleted = z.object({ success: z.literal(true), deleted_count: z.int() })

/** An event of the session, for the inspector beside the player. */
export const RecordingEvent = z.object({
  uuid: z.string(),
  event: z.string(),
  timestamp: Instant,
  properties: z.record(z.string(), z.unknown()),
  elements_chain: z.string(),
})
export type RecordingEvent = z.infer<typeof RecordingEvent>

/** At most the first 5,000 events of the session, oldest first. */
export const RecordingEvents = z.object({ results: z.array(RecordingEvent), truncated: z.boolean() })
export type RecordingEvents = z.infer<typeof RecordingEvents>

export const RecordingProperties = NullableRecording.extend({
  results: z.array(z.object({ id: z.string(), properties: z.record(z.string(), z.unknown()) })),
})

/** `timestamps` correspond to the event uuids in `results`, by index. */
export const MatchingEvents = NullableRecording.extend({
  results: z.array(z.string()),
  timestamps: z.array(Instant),
})

export const SimilarSession = z.object({
  id: z.string(),
  /** 0: same path; 1: nothing in common. */
  distance: z.number(),
  start_time: Instant,
  recording_duration: z.number(),
  start_url: z.string(),
  person_name: z.string().nullable(),
  distinct_id: z.string(),
  /** Descriptions of the steps that both paths contain, in order. */
  shared: z.array(z.string()),
  /** The first steps that differ, null for a session that ended there; null if the paths never diverge. */
  parts: z.object({ here: z.string().nullable(), there: z.string().nullable() }).nullable(),
})
export type SimilarSession = z.infer<typeof SimilarSession>
export const SimilarSessions = SessionRecording.extend({ results: z.array(SimilarSession) })
