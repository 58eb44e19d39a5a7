import { z } from 'zod'
import { Model } from '../exports/batch-export.ts'
import { Instant } from '../datetime.ts'
import { Interval } from '../interval-schema.ts'
import { cursorPage } from '../page.ts'
import { RecordingEvent } from './session-recording.ts'

/** Text that PostgreSQL and ClickHouse accept. */
const text = z
  .string()
  .max(200)
  .refine((value) => !value.includes('\0'), { error: 'Null characters are not allowed.' })

/** A person as a search finds it; `name` is null for a person without one. */
export const FoundPerson = z.object({
  uuid: z.string(),
  name: z.string().nullable(),
  /** At most ten. */
  distinct_ids: z.array(z.string()),
})

/** `search`: part of a person's name or e-mail address, or a whole distinct id. */
export const PersonsQuery = z.object({ search: text.min(1) })
export const FoundPersons = z.object({ results: z.array(FoundPerson) })

/**
 * A person with the number of their recordings and of their events. For a visitor who was never identified, `uuid`, `name` and
 * `created_at` are null and `properties` is {}.
 */
export const Person = z.object({
  uuid: z.string().nullable(),
  name: z.string().nullable(),
  /** At most 1,000; the numbers are those of these distinct ids. */
  distinct_ids: z.array(z.string()).min(1),
  distinct_id_count: z.int(),
  properties: z.record(z.string(), z.unknown()),
  created_at: Instant.nullable(),
  /** Times of the first and the last event or recording; null without any. */
  first_seen: Instant.nullable(),
  last_seen: Instant.nullable(),
  recording_count: z.int(),
  active_seconds: z.number(),
  console_error_count: z.int(),
  event_count: z.int(),
  /** How often each event occurred, most frequent first; at most 200 names. */
  events: z.array(z.object({ event: z.string(), count: z.int() })),
})
export type Person = z.infer<typeof Person>

/** When a recording began and how it ended; `outcome` is null until it is known. */
export const PersonRecording = z.object({
  start_time: Instant,
  outcome: z.enum(['completed', 'left', 'error']).nullable(),
  console_error_count: z.int(),
})
export type PersonRecording = z.infer<typeof PersonRecording>
/** The newest 2,000 recordings, newest first. */
export const PersonRecordings = z.object({ results: z.array(PersonRecording), truncated: z.boolean() })

export const PersonEventsQuery = z.object({ event: text.optional(), cursor: z.string().optional() })
export const PersonEvent = RecordingEvent.extend({
  distinct_id: z.string(),
  /** The moment in a recording of the event's session, `at` in milliseconds from the recording's start; null without one. */
  moment: z.object({ recording: z.string(), at: z.int() }).nullable(),
})
export type PersonEvent = z.infer<typeof PersonEvent>
export const PersonEvents = cursorPage(PersonEvent)

/** A completed run whose rows include some of the person. */
const PersonRun = z.object({ id: z.string(), data_interval_start: Instant, data_interval_end: Instant })

/** An export with rows of the person in windows of completed runs. */
export const PersonExport = z.object({
  id: z.string(),
  name: z.string(),
  model: Model,
  interval: Interval,
  /** Whether the export selects rows: by the names of events or by a query. */
  filtered: z.boolean(),
  windows: z.int(),
  /** The runs of the newest windows, newest first; at most five. */
  runs: z.array(PersonRun),
})
export type PersonExport = z.infer<typeof PersonExport>

/** `checked` of `total` exports were compared with the person’s rows: the newest 100, as far as the time sufficed. */
export const PersonExports = z.object({
  results: z.array(PersonExport),
  checked: z.int(),
  total: z.int(),
})
export type PersonExports = z.infer<typeof PersonExports>
