import { z } from 'zod'
import { parseInstant } from '../instant.ts'
import { offsetQuery } from '../page.ts'
import { SnapshotSource } from './snapshot-source.ts'

export const recordingOrders = [
  'start_time',
  'recording_duration',
  'active_seconds',
  'inactive_seconds',
  'console_error_count',
  'click_count',
  'keypress_count',
  'mouse_activity_count',
] as const
export type RecordingOrder = (typeof recordingOrders)[number]

export const propertyOperators = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'is_set',
  'is_not_set',
] as const

const scalar = z.union([z.string().max(1000), z.number(), z.boolean()])

/** `type`: owner of the property; `recording` means the recording's own fields, `log_entry` console level and message. */
export const PropertyFilter = z.object({
  key: z.string().min(1).max(200),
  value: z.union([scalar, z.array(scalar).max(1000), z.null()]).optional(),
  operator: z.enum(propertyOperators).default('exact'),
  type: z.enum(['event', 'person', 'recording', 'log_entry']).default('event'),
})
export type PropertyFilter = z.infer<typeof PropertyFilter>

/** Compares the host or the status (0 without a response) of a failed request. */
export const RequestFilter = PropertyFilter.omit({ type: true }).extend({ key: z.enum(['host', 'status']) })
export type RequestFilter = z.infer<typeof RequestFilter>

/** Selects events by name; a null `id` selects any event. An action selects events by its `name`, else its `id`. */
export const EventFilter = z.object({
  id: z.union([z.string().min(1).max(200), z.number(), z.null()]),
  type: z.string().optional(),
  name: z.string().nullable().optional(),
  order: z.number().nullable().optional(),
  properties: z.array(PropertyFilter).max(20).optional(),
})
export type EventFilter = z.infer<typeof EventFilter>

/** A query parameter that contains JSON. */
export function jsonParameter<T extends z.ZodType>(schema: T) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text, readText)
      } catch (error) {
        const message = error instanceof NullCharacter ? error.message : 'This must be JSON.'
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }
    })
    .pipe(schema)
}

class NullCharacter extends Error {
  override message = 'Null characters are not allowed.'
}

/** JSON escapes can produce characters that a parameter's plain text cannot contain. */
function readText(_key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.includes('\0')) throw new NullCharacter()
  return value.toWellFormed()
}

export const relativePattern = /^-(\d{1,5})(m|h|d|w|M|y|mStart|dStart|dEnd)?$/
const DateInput = z.string().refine((text) => relativePattern.test(text) || parseInstant(text) !== null, {
  error:
    'This must be ISO 8601, for example 2026-01-31T09:00:00Z, or relative like -7d, -24h, -30m, -1dStart.',
})

const page = offsetQuery(50).shape
/** Mentions in one request. */
export const mentionsMax = 50

/** Rejects unknown parameters: silently ignoring a filter would list the wrong recordings. */
export const RecordingListQuery = z.strictObject({
  ...page,
  session_ids: jsonParameter(z.array(z.string()).max(10_000)).optional(),
  date_from: DateInput.optional(),
  date_to: DateInput.optional(),
  distinct_ids: jsonParameter(z.array(z.string()).max(1000)).optional(),
  person_uuid: z.guid().optional(),
  events: jsonParameter(z.array(EventFilter).max(20)).optional(),
  actions: jsonParameter(z.array(EventFilter).max(20)).optional(),
  properties: jsonParameter(
    z
      .array(PropertyFilter)
      .max(20)
      .describe(
        'With the type recording: a count or duration of the recording, or viewed, kept, noted, shared, ongoing, left_form, outcome, browser, device, country. The response to an unknown key names all of them.',
      ),
  ).optional(),
  console_log_filters: jsonParameter(z.array(PropertyFilter).max(20)).optional(),
  /** Requires one failed request that matches all filters. An addition to PostHog's API. */
  failed_request_filters: jsonParameter(z.array(RequestFilter).max(20)).optional(),
  order: z.enum(recordingOrders).default('start_time'),
  order_direction: z.preprocess(
    (value) => (typeof value === 'string' ? value.toUpperCase() : value),
    z.enum(['ASC', 'DESC']).default('DESC'),
  ),
  /** Part of the start URL, the distinct id, the person's name or a note; or the words by which a visitor without a name is known. */
  search: z.string().max(200).optional(),
  /** Ids, names, e-mail addresses and URLs: requires that one of them belongs to the visitor, the session or a visited page. */
  mentions: jsonParameter(z.array(z.string().min(1).max(500)).max(mentionsMax)).optional(),
  /** The zone of days like `-1dStart`. */
  timezone: z.string().max(64).optional(),
  snapshot_source: SnapshotSource.optional(),
  /** An addition to PostHog's API. */
  collection: z
    .guid()
    .optional()
    .describe('Id of a collection that contains the recordings, by hand or by its rule.'),
})
export type RecordingListQuery = z.output<typeof RecordingListQuery>

/** The list's filters, without order and page. */
export const RecordingFilter = RecordingListQuery.omit({
  limit: true,
  offset: true,
  order: true,
  order_direction: true,
})
export type RecordingFilter = z.output<typeof RecordingFilter>
