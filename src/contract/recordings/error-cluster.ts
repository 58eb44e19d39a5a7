import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { offsetQuery } from '../page.ts'
import { AssigneeFilter, AssigneeInput, triageShape, triagedMax } from '../triage.ts'
import { NullableRecording, SessionRecording } from './session-recording.ts'

/** A resolved error is open again when it occurs after it was resolved; an ignored one stays ignored. */
export const errorStates = ['open', 'resolved', 'ignored'] as const
export const ErrorState = z.enum(errorStates)
export type ErrorState = z.infer<typeof ErrorState>

/** The `name` of a page or browser, and the number of recordings in which the error occurred there. */
const Place = z.object({ name: z.string(), recordings: z.int() })

/** The keys from `pattern` on are additions to PostHog's API. */
export const ErrorCluster = z.object({
  cluster: z.int(),
  /** One of the logged messages, unchanged. */
  sample: z.string(),
  /** Those of the newest 100 sessions that have a recording. */
  session_ids: z.array(z.string()),
  occurrences: z.int(),
  /** Occurrences by day (UTC, YYYY-MM-DD) over the last seven days. */
  sparkline: z.record(z.string(), z.int()),
  unique_sessions: z.int(),
  /** Sessions whose recording has been watched. */
  viewed: z.int(),
  /** Common part of the messages: the sample with numbers, ids, hosts and quoted values replaced by placeholders. */
  pattern: z.string(),
  oldest: Instant,
  newest: Instant,
  /** Distinct visitors in `session_ids`. */
  visitors: z.int(),
  /** Of the newest 100 sessions, those without a recording: it was deleted, has expired, or was never made. */
  unrecorded: z.int(),
  /** The three most frequent ones in the newest recordings (at most 20), most frequent first. */
  pages: z.array(Place),
  browsers: z.array(Place),
  state: ErrorState,
  /** Whether the error was resolved and has occurred since. */
  reopened: z.boolean(),
  ...triageShape,
  /** The recording that best shows the error, and when the error occurs; null when no session has a recording. */
  best: z.object({ id: z.string(), timestamp: Instant }).nullable(),
})
export type ErrorCluster = z.infer<typeof ErrorCluster>

/**
 * At most `limit` kinds; `counts` contains the number of kinds in each state among those that match `assignee`, and in
 * `mine` that of all open ones that are assigned to the caller.
 */
export const ErrorClusters = NullableRecording.extend({
  results: z.array(ErrorCluster),
  counts: z.object({ open: z.int(), resolved: z.int(), ignored: z.int(), mine: z.int() }),
})

/**
 * `trend`: new and growing kinds come before the most frequent ones. New: first seen within the seven days (UTC) of the
 * sparkline. Growing: more occurrences today than twice the daily average of the six days before.
 */
export const ErrorClustersQuery = offsetQuery(50, 50)
  .pick({ limit: true })
  .extend({
    state: ErrorState.optional(),
    assignee: AssigneeFilter,
    order: z.enum(['occurrences', 'trend']).default('occurrences'),
  })

const Cluster = z.int().min(1).max(0x7fff_ffff)

/** What is omitted stays. */
export const ErrorClustersUpdate = z
  .object({
    clusters: z.array(Cluster).min(1).max(triagedMax),
    state: ErrorState.optional(),
    assignee: AssigneeInput.optional(),
  })
  .refine(({ state, assignee }) => state !== undefined || assignee !== undefined, {
    error: 'Nothing to update: send state, assignee or both.',
  })

export const UpdatedErrorClusters = z.object({
  success: z.literal(true),
  results: z.array(z.object({ cluster: z.int(), state: ErrorState, ...triageShape })),
})

export const ErrorMomentsQuery = z.object({ cluster: z.coerce.number().pipe(Cluster) })

const StackFrame = z.object({
  function: z.string(),
  file: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  /** Whether the frame belongs to the site, not to a library. */
  in_app: z.boolean(),
  /** The recorded source: the lines before `source`, the line itself and the lines after it; null if none was recorded. */
  context: z
    .object({ before: z.array(z.string()), source: z.string(), after: z.array(z.string()) })
    .nullable(),
})
export type StackFrame = z.infer<typeof StackFrame>

export const ErrorMoments = z.object({
  /** The stack of the newest captured exception, innermost call first; null if only console messages were captured. */
  stack: z.array(StackFrame).nullable(),
  /** The newest recordings with the error, at most 30; `at`: ms from the recording's start to the error. */
  moments: z.array(z.object({ recording: SessionRecording, at: z.int().min(0) })),
})
export type ErrorMoment = z.infer<typeof ErrorMoments>['moments'][number]
