import { z } from 'zod'
import { AlertKind } from './alert-rule.ts'
import { Instant, InstantInput } from '../datetime.ts'
import { offsetPage, longListQuery } from '../page.ts'

/** Exports that an incident lists, of all that it affects. */
export const incidentExportsMax = 100

/** A transition of an incident, which is sent once to each channel. A `test` belongs to no incident. */
export const transitions = ['opened', 'reminded', 'recovered'] as const
export const Transition = z.enum(transitions)
export type Transition = z.infer<typeof Transition>

/** Everything with one cause at one destination, from its first to its last occurrence. */
export const Incident = z.object({
  id: z.string(),
  kind: AlertKind,
  status: z.enum(['open', 'recovered']),
  /** What is wrong, in a few words. */
  title: z.string(),
  /** What went wrong and what to do: of a failure, the error of its newest run. */
  detail: z.string(),
  /** The bucket or endpoint where the cause lies; null if it lies at no destination. */
  destination: z.string().nullable(),
  /** Path of the page with the fix. */
  url: z.string(),
  /** The first 100 exports, those still affected first; `until` is when the export recovered. */
  exports: z.array(z.object({ id: z.string(), name: z.string(), since: Instant, until: Instant.nullable() })),
  export_count: z.int(),
  opened_at: Instant,
  recovered_at: Instant.nullable(),
  /** The key's label and the time; null if nobody has acknowledged the incident. */
  acknowledged: z.object({ by: z.string(), at: Instant }).nullable(),
  /** No reminders are sent until then. */
  muted: z.object({ by: z.string(), until: Instant }).nullable(),
  /** Oldest first. */
  transitions: z.array(z.object({ transition: Transition, at: Instant })),
  last_updated_at: Instant,
})
export type Incident = z.infer<typeof Incident>

export const IncidentsQuery = longListQuery(100).extend({
  status: z.enum(['open', 'recovered']).optional(),
  kind: AlertKind.optional(),
  batch_export: z.string().optional(),
  /** Only incidents that changed at or after this time. */
  since: InstantInput.optional(),
})

/** Newest first. `open`: the number of all open incidents of the project. */
export const Incidents = offsetPage(Incident).extend({
  open: z.int(),
  /** The `since` of the next request, which then misses no change; it may repeat some incidents. */
  next_since: Instant,
})

export const IncidentAcknowledgement = z.strictObject({ acknowledged: z.boolean().default(true) })
/** Longest time (ms) until the end of a mute. */
export const muteMsMax = 366 * 86_400_000

/** `until`: at most `muteMsMax` ahead; null ends the mute. */
export const IncidentMute = z.strictObject({ until: InstantInput.nullable() })
