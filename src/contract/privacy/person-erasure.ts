import { z } from 'zod'

/**
 * What an erasure does, in this order. `person`: deletes the profile and its distinct ids; `windows`: finds the exported windows
 * that hold the person, and counts; `recordings`: deletes recordings with notes and summaries; `rows`: hides all rows of the
 * warehouse; `disk`: rewrites the files that contain them; `done`.
 */
export const erasureSteps = ['person', 'windows', 'recordings', 'rows', 'disk', 'done'] as const
export type ErasureStep = (typeof erasureSteps)[number]

/** Numbers of what was removed. `rows`: rows derived from events and recordings, such as console entries and paths. */
export const ErasedCounts = z.object({
  distinct_ids: z.int(),
  profiles: z.int(),
  events: z.int(),
  recordings: z.int(),
  blocks: z.int(),
  notes: z.int(),
  summaries: z.int(),
  assets: z.int(),
  rows: z.int(),
})
export type ErasedCounts = Partial<z.infer<typeof ErasedCounts>>

/** What names the person although it is not theirs: someone has to decide whether to change it. */
export const ErasureMention = z.object({
  kind: z.enum(['saved_view', 'collection', 'export']),
  id: z.string(),
  name: z.string(),
})
export type ErasureMention = z.infer<typeof ErasureMention>
