import { z } from 'zod'
import { Instant } from './instant.ts'
import { offsetPage } from './page.ts'
import { allowsScope, missingScope, type Scope } from './scopes.ts'

/** Everything about the person is empty when nobody identified them: `id` and `name` null, `properties` {}. */
export const RecordingPerson = z.object({
  id: z.int().nullable(),
  name: z.string().nullable(),
  /** A JSON array written as text, at most 10 ids. */
  distinct_ids: z.string(),
  properties: z.record(z.string(), z.unknown()),
  created_at: Instant.nullable(),
  uuid: z.string().nullable(),
})

export const snapshotSources = ['web', 'mobile'] as const
export const SnapshotSource = z.enum(snapshotSources)
export type SnapshotSource = z.infer<typeof SnapshotSource>

/** Seconds are seconds of the recording; the last two keys are this service's own. */
export const SessionRecording = z.object({
  id: z.string(),
  distinct_id: z.string(),
  /** "" until somebody watched it, then when it was last watched. */
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
  /** Whether its last data is less than five minutes old. */
  ongoing: z.boolean(),
  /** How active each twentieth of the recording was, from 0 to 1. */
  activity: z.array(z.number()),
})
export type SessionRecording = z.infer<typeof SessionRecording>

/** A recording where there may be none: then every key is null. */
export const PerhapsRecording = z.object({
  id: SessionRecording.shape.id.nullable(),
  distinct_id: SessionRecording.shape.distinct_id.nullable(),
  viewed: SessionRecording.shape.viewed.nullable(),
  recording_duration: SessionRecording.shape.recording_duration.nullable(),
  active_seconds: SessionRecording.shape.active_seconds.nullable(),
  inactive_seconds: SessionRecording.shape.inactive_seconds.nullable(),
  start_time: SessionRecording.shape.start_time.nullable(),
  end_time: SessionRecording.shape.end_time.nullable(),
  click_count: SessionRecording.shape.click_count.nullable(),
  keypress_count: SessionRecording.shape.keypress_count.nullable(),
  mouse_activity_count: SessionRecording.shape.mouse_activity_count.nullable(),
  console_log_count: SessionRecording.shape.console_log_count.nullable(),
  console_warn_count: SessionRecording.shape.console_warn_count.nullable(),
  console_error_count: SessionRecording.shape.console_error_count.nullable(),
  start_url: SessionRecording.shape.start_url.nullable(),
  person: SessionRecording.shape.person.nullable(),
  storage: SessionRecording.shape.storage.nullable(),
  snapshot_source: SessionRecording.shape.snapshot_source.nullable(),
  ongoing: SessionRecording.shape.ongoing.nullable(),
  activity: SessionRecording.shape.activity.nullable(),
})
export type PerhapsRecording = z.infer<typeof PerhapsRecording>

/** What a link to a recording shows of it beside its snapshots. */
export const SharedRecording = SessionRecording.pick({
  id: true,
  recording_duration: true,
  start_time: true,
  end_time: true,
})
export type SharedRecording = z.infer<typeof SharedRecording>

/** A filter that selects more than 10,000 recordings has its `count` from a sample. */
export const SessionRecordingList = offsetPage(SessionRecording).extend({
  has_next: z.boolean(),
  count_is_estimate: z.boolean(),
})

export const PersistedRecording = SessionRecording.extend({ success: z.literal(true) })

/** What persist and summarize are sent by clients, and do not read. */
export const RecordingInput = z.object({
  distinct_id: z.string().nullable().optional(),
  person: z.unknown().optional(),
})

export const RecordingUpdate = z
  .object({ viewed: z.boolean().optional() })
  .refine((body) => body.viewed !== undefined, {
    error: 'Nothing to change was given: send {"viewed": true}.',
  })

export const BulkDelete = z.object({
  session_recording_ids: z
    .array(z.string())
    .min(1)
    .max(20, { error: 'Delete at most 20 recordings at once.' }),
})
export const BulkDeleted = z.object({ success: z.literal(true), deleted_count: z.int() })

/** An event of the session, as the inspector beside the player shows it. */
export const RecordingEvent = z.object({
  uuid: z.string(),
  event: z.string(),
  timestamp: Instant,
  properties: z.record(z.string(), z.unknown()),
  elements_chain: z.string(),
})
export type RecordingEvent = z.infer<typeof RecordingEvent>

/** The first 5,000 events of the session, oldest first. */
export const RecordingEvents = z.object({ results: z.array(RecordingEvent), truncated: z.boolean() })

export const RecordingProperties = PerhapsRecording.extend({
  results: z.array(z.object({ id: z.string(), properties: z.record(z.string(), z.unknown()) })),
})

/** `timestamps` are those of the events in `results`, one for one. */
export const MatchingEvents = PerhapsRecording.extend({
  results: z.array(z.string()),
  timestamps: z.array(Instant),
})

export const ErrorCluster = z.object({
  cluster: z.int(),
  /** A message as it was logged. */
  sample: z.string(),
  session_ids: z.array(z.string()),
  occurrences: z.int(),
  /** Occurrences of the last seven days by day (UTC, YYYY-MM-DD). */
  sparkline: z.record(z.string(), z.int()),
  unique_sessions: z.int(),
  /** How many of its sessions have been watched. */
  viewed: z.int(),
  /** What the messages have in common: the sample with its numbers, ids, hosts and quoted values folded. */
  pattern: z.string(),
  newest: Instant,
  /** The recording that shows it best, and when; null when none of its sessions has one. */
  best: z.object({ id: z.string(), timestamp: Instant }).nullable(),
})
export type ErrorCluster = z.infer<typeof ErrorCluster>
export const ErrorClusters = PerhapsRecording.extend({ results: z.array(ErrorCluster) })

export const SimilarSession = z.object({
  id: z.string(),
  /** 0: went the same way; 1: nothing in common. */
  distance: z.number(),
  start_time: Instant,
  recording_duration: z.number(),
  start_url: z.string(),
  person_name: z.string().nullable(),
  distinct_id: z.string(),
  /** The steps that both took, in order, in words. */
  shared: z.array(z.string()),
  /** The first step at which they part; null on the side that ended there, and as a whole when they never part. */
  parts: z.object({ here: z.string().nullable(), there: z.string().nullable() }).nullable(),
})
export type SimilarSession = z.infer<typeof SimilarSession>
export const SimilarSessions = SessionRecording.extend({ results: z.array(SimilarSession) })

/** null when the key may do it, else the reason: a button's tooltip and the server's error are this line. */
function reason(granted: readonly string[], scope: Scope): string | null {
  return allowsScope(granted, scope) ? null : missingScope(scope)
}

/** What a key's scopes allow on recordings. */
export const recordingCan = {
  change: (granted: readonly string[]) => reason(granted, 'session_recording:write'),
  seeSharing: (granted: readonly string[]) => reason(granted, 'sharing_configuration:read'),
  share: (granted: readonly string[]) => reason(granted, 'sharing_configuration:write'),
}
