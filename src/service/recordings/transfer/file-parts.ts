import { z } from 'zod'
import { NoteInput, notesMax } from '../../../contract/recordings/recording-note.ts'
import { RecordingSummary } from '../../../contract/recordings/recording-summary.ts'
import { SnapshotSource } from '../../../contract/recordings/snapshot-source.ts'

export const fileVersion = 1

/** Limits of a recording's file; sizes in bytes, before compression unless `compressed`. */
export const fileLimits = {
  compressed: 1024 ** 3,
  content: 4 * 1024 ** 3,
  /** A line other than a snapshot. */
  part: 16 * 1024 ** 2,
  blocks: 50_000,
  events: 5000,
  assets: 2000,
  notes: notesMax,
  asset: 5_000_000,
  /** Assets, events and console entries, which are held in memory until the end of the file. */
  held: 100_000_000,
}

const Properties = z.record(z.string(), z.unknown())

/** First line of a recording's file. Its `numbers` are for readers of the file; an import counts again. */
const Header = z.object({
  part: z.literal('recording'),
  version: z.literal(fileVersion, { error: 'the version of the file is not supported' }),
  session_id: z.string().regex(/^[\w.:-]{1,100}$/),
  distinct_id: z.string().min(1).max(200),
  snapshot_source: SnapshotSource,
  dropped_events: z.int().min(0).max(1e9).nullable(),
  person: Properties.nullable(),
  numbers: z.record(z.string(), z.unknown()),
})
export type Header = z.infer<typeof Header>

/** Begins a block: the lines that follow, up to the next part, are its snapshots. */
const Block = z.object({ part: z.literal('block') })

/** An event captured during the session. */
const Event = z.object({
  part: z.literal('event'),
  uuid: z.string().max(200),
  event: z.string().min(1),
  distinct_id: z.string().min(1),
  timestamp: z.iso.datetime(),
  properties: Properties,
  elements_chain: z.string(),
})
export type EventPart = z.infer<typeof Event>

/** A file that the recording shows: its content as base64, or the reason why it is missing. */
const Asset = z.object({
  part: z.literal('asset'),
  url: z.string(),
  final_url: z.string().nullable(),
  is_stylesheet: z.boolean(),
  depth: z.int().min(0).max(10),
  content: z.base64().nullable(),
  reason: z.string().max(500).nullable(),
})
export type AssetPart = z.infer<typeof Asset>

const Summary = z.object({ part: z.literal('summary'), content: z.string(), summary: RecordingSummary })

const Note = z.object({
  part: z.literal('note'),
  at: NoteInput.shape.at,
  text: NoteInput.shape.text,
  author: z.string().max(400),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type NotePart = z.infer<typeof Note>

/** A line of a recording's file that is not a snapshot. */
export const FilePart = z.discriminatedUnion('part', [Header, Block, Event, Asset, Summary, Note])
export type FilePart = z.infer<typeof FilePart>
