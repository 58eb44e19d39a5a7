import { z } from 'zod'
import { scopeReason } from '../accounts/scopes.ts'
import { Instant } from '../datetime.ts'
import { offsetPage } from '../page.ts'
import type { Reason } from '../runs/run-status.ts'

/**
 * What an erasure does, in this order. `person`: decides which data is erased, and what belongs to a new person; `windows`: counts,
 * and finds the exported windows that hold the person; `recordings`: deletes recordings with their notes, summaries and files;
 * `rows`: hides the rows of the warehouse from every query and run; `disk`: rewrites the files that contain them; `done`.
 */
export const erasureSteps = ['person', 'windows', 'recordings', 'rows', 'disk', 'done'] as const
export const ErasureStep = z.enum(erasureSteps)
export type ErasureStep = z.infer<typeof ErasureStep>

/**
 * Numbers of what is removed; `derived_rows` are those computed from events and recordings, such as console entries. Of the
 * recordings, `shared_recordings` also show other persons; `kept_recordings` are not removed, and not among `recordings`.
 */
export const ErasedCounts = z.object({
  distinct_ids: z.int(),
  events: z.int(),
  profile_rows: z.int(),
  recordings: z.int(),
  shared_recordings: z.int().default(0),
  kept_recordings: z.int().default(0),
  blocks: z.int(),
  assets: z.int(),
  notes: z.int(),
  summaries: z.int(),
  derived_rows: z.int(),
})
export type ErasedCounts = z.infer<typeof ErasedCounts>

/** What names the person although it is not the person’s data: someone has to decide whether to change it. */
export const ErasureMention = z.object({
  kind: z.enum(['saved_view', 'collection', 'export']),
  id: z.string(),
  name: z.string(),
})
export type ErasureMention = z.infer<typeof ErasureMention>

/**
 * The erasure of a person. `subject` is a keyed hash of the person's id; no field names the person. Times are null until the
 * erasure is that far.
 */
export const PersonErasure = z.object({
  id: z.string(),
  subject: z.string(),
  /** Who started it. */
  by: z.string(),
  step: ErasureStep,
  /** Why the last attempt at the step failed; it is repeated. */
  problem: z.string().nullable(),
  counts: ErasedCounts.nullable(),
  recordings_done: z.int(),
  /** Whether recordings that began as another person's stay. */
  keeps_shared: z.boolean(),
  created_at: Instant,
  /** Data that arrived later belongs to a new person. */
  erased_until: Instant.nullable(),
  /** Since when no query and no run finds the rows. */
  hidden_at: Instant.nullable(),
  /** Since when no file in use contains the rows; null of a finished erasure: they could only be hidden. */
  rewritten_at: Instant.nullable(),
  finished_at: Instant.nullable(),
  /** Since when the replaced files are deleted, too. */
  purged_at: Instant.nullable(),
})
export type PersonErasure = z.infer<typeof PersonErasure>
export const PersonErasures = offsetPage(PersonErasure)

/**
 * Whether the destination of a window still holds the person. `holds`: the window was not exported again since; `running`: a run
 * that may have taken the rows is in progress; `moved`: the window was exported again, but to another place; `replaced`.
 */
export const ErasedWindowState = z.enum(['holds', 'running', 'moved', 'replaced'])
export type ErasedWindowState = z.infer<typeof ErasedWindowState>

/**
 * The windows that an export wrote to one place. `statement` deletes the person's rows from a table, with `:distinct_ids` in place
 * of the ids; null if the table has no column with them.
 */
export const ErasurePlace = z.object({
  batch_export: z.string(),
  name: z.string(),
  is_deleted: z.boolean(),
  holds: z.enum(['files', 'table', 'requests']),
  /** The bucket, folder, table or receiver; null if the windows are older than the ledger. */
  destination: z.string().nullable(),
  statement: z.string().nullable(),
  /** Number of windows by state. */
  windows: z.partialRecord(ErasedWindowState, z.int()),
  /** Windows that are not replaced, as periods to export again; at most 1,000. */
  periods: z.array(z.object({ start_at: Instant, end_at: Instant })),
})
export type ErasurePlace = z.infer<typeof ErasurePlace>

/** A window that held the person. `is_certain` is false for a run that started during the erasure. */
export const ErasedWindow = z.object({
  batch_export: z.string(),
  start: Instant,
  end: Instant,
  state: ErasedWindowState,
  is_certain: z.boolean(),
  run: z.string().nullable(),
  written_at: Instant.nullable(),
  /** Keys of the files, at most 20 of `key_count`. */
  keys: z.array(z.string()),
  key_count: z.int(),
})
export type ErasedWindow = z.infer<typeof ErasedWindow>

export const PersonErasureDetails = PersonErasure.extend({
  places: z.array(ErasurePlace),
  mentions: z.array(ErasureMention),
  /** Exports whose windows could not be compared with the person, because their query fails. */
  unchecked_exports: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type PersonErasureDetails = z.infer<typeof PersonErasureDetails>

/** Windows of a certificate; the page of windows lists all. */
export const certifiedWindowsMax = 5000

/** A signed statement of what was erased and what remains. `signature`: Ed25519 over the canonical JSON of `certificate`. */
export const ErasureCertificate = z.object({
  certificate: PersonErasureDetails.extend({
    version: z.literal(1),
    project: z.int(),
    issued_at: Instant,
    windows: z.array(ErasedWindow),
    window_count: z.int(),
  }),
  algorithm: z.literal('Ed25519'),
  public_key: z.string(),
  signature: z.string(),
})

/**
 * `confirm`: the person's name, or one of the distinct ids. `shared_recordings`: of recordings that began as another person's and
 * in which this person took part; a kept one still shows the person.
 */
export const EraseInput = z.strictObject({
  confirm: z.string().min(1).max(1000),
  shared_recordings: z.enum(['erase', 'keep']).default('erase'),
})

/**
 * The recordings in which a person took part: all of them, those that also hold events of other persons or began as
 * theirs, and those that began as theirs, which an erasure can keep.
 */
export const ErasurePreview = z.object({
  recordings: z.int(),
  shared_recordings: z.int(),
  recordings_of_others: z.int(),
})

/** Why a key with these scopes may not erase persons; null if it may. */
export function eraseReason(granted: readonly string[]): Reason {
  return scopeReason(granted, 'person:write')
}
