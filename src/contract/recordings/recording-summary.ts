import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { RecordingInput, SessionRecording } from './session-recording.ts'

export const momentKinds = [
  'start',
  'page',
  'click',
  'typed',
  'submitted',
  'event',
  'rage_click',
  'dead_click',
  'console_error',
  'exception',
  'failed_request',
  'long_wait',
  'idle',
  'abandoned_form',
  'end',
] as const
export type MomentKind = (typeof momentKinds)[number]

/** A notable event of a recording; `at` is in seconds since the recording's start. */
export const Moment = z.object({
  id: z.int(),
  kind: z.enum(momentKinds),
  at: z.number(),
  timestamp: Instant,
  /** A sentence; it never contains text that the person typed. */
  text: z.string(),
  /** Index into the summary's `segments`. */
  segment: z.int(),
})
export type Moment = z.infer<typeof Moment>

/** One stay on a page; `start` and `end` are in seconds since the recording's start. */
export const Segment = z.object({
  name: z.string(),
  /** Host and path, with ids replaced by `…`; no scheme, no query. */
  url: z.string(),
  start: z.number(),
  end: z.number(),
  /** Seconds of activity. */
  active: z.number(),
  text: z.string(),
  clicks: z.int(),
  keypresses: z.int(),
  problems: z.int(),
})
export type Segment = z.infer<typeof Segment>

export const outcomes = ['completed', 'abandoned', 'failed', 'looked_around', 'unfinished'] as const

/** A sentence of the summary, and the id of the moment it describes. */
export const SummarySentence = z.object({ text: z.string(), moment: z.int() })

export const RecordingSummary = z.object({
  outcome: z.object({ kind: z.enum(outcomes), text: z.string(), moment: z.int() }),
  /** The person's actions, in order; the first sentence states the totals. */
  sentences: z.array(SummarySentence),
  /** Problems, in order, without repetitions. */
  problems: z.array(SummarySentence),
  /** The pages with the most activity, and the longest pause. */
  time: z.array(SummarySentence),
  segments: z.array(Segment),
  moments: z.array(Moment),
  /** `rules`: the service wrote the prose itself; `model`: a language model wrote it from the same facts. */
  written_by: z.enum(['rules', 'model']),
  model: z.string().nullable(),
  /** Why a configured language model's prose is missing; null otherwise. */
  fallback: z.string().nullable(),
  made_at: Instant,
})
export type RecordingSummary = z.infer<typeof RecordingSummary>

/** `content` is markdown; `language_model`: name of the model that can word the summary, null without one. */
export const StoredSummary = z.object({
  content: z.string(),
  summary: RecordingSummary,
  language_model: z.string().nullable(),
})

/** Without `use_model`, no language model is asked. */
export const SummaryInput = RecordingInput.extend({ use_model: z.boolean().optional() })

/** `content` is markdown. */
export const SummarizedRecording = SessionRecording.extend({ content: z.string(), summary: RecordingSummary })
