import { z } from 'zod'
import { Instant } from './instant.ts'
import { SessionRecording } from './session-recording.ts'

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

/** Something that happened; `at` is seconds since the recording's start. */
export const Moment = z.object({
  id: z.int(),
  kind: z.enum(momentKinds),
  at: z.number(),
  timestamp: Instant,
  /** A sentence, without what the person typed. */
  text: z.string(),
  /** Index among the segments. */
  segment: z.int(),
})
export type Moment = z.infer<typeof Moment>

/** One page as the person used it, from arriving to leaving; `start` and `end` are seconds since the recording's start. */
export const Segment = z.object({
  name: z.string(),
  /** Host and path, ids in it shortened to `…`; no scheme and no query. */
  url: z.string(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  clicks: z.int(),
  keypresses: z.int(),
  problems: z.int(),
})
export type Segment = z.infer<typeof Segment>

export const outcomes = ['completed', 'abandoned', 'failed', 'looked_around', 'unfinished'] as const

/** A sentence of the summary, and the id of the moment that it points at. */
export const SummarySentence = z.object({ text: z.string(), moment: z.int() })

export const RecordingSummary = z.object({
  outcome: z.object({ kind: z.enum(outcomes), text: z.string(), moment: z.int() }),
  /** What the person did, in order, beginning with how much there was. */
  sentences: z.array(SummarySentence),
  /** What went wrong, each thing once, in order. */
  problems: z.array(SummarySentence),
  segments: z.array(Segment),
  moments: z.array(Moment),
  /** `rules`: worked out by this service alone; `model`: a language model wrote the prose from the same facts. */
  written_by: z.enum(['rules', 'model']),
  model: z.string().nullable(),
  /** Why the model's prose is not there although one is set up; null otherwise. */
  fallback: z.string().nullable(),
  made_at: Instant,
})
export type RecordingSummary = z.infer<typeof RecordingSummary>

/** `content` is markdown. */
export const SummarizedRecording = SessionRecording.extend({ content: z.string(), summary: RecordingSummary })
