import type { Contrast } from '../../../replay/recorded/page-state.ts'
import type { ReplayEvent } from '../../../replay/recorded/rrweb.ts'
import type { FoundAsset } from './placeholders.ts'
import type { Mark, Outline, ToPlayer } from '../player/player-messages.ts'

/**
 * A switch to a window's page at the time `at`; `start` is the time of its full snapshot (both ms since the epoch). `page` is
 * null while the recording has no picture of the window in use.
 */
export type Cut = { at: number; page: { window: string; start: number } | null }

/** Messages from the player's frame to its reader, a worker. Times are milliseconds since the epoch. */
export type ToReader =
  | Extract<ToPlayer, { kind: 'recording' | 'lines' }>
  /** Requests the page at a time. The frame has applied the events sent so far that are earlier than `applied`. */
  | { kind: 'show'; time: number; applied: number; aheadMs: number }
  /** Requests the page at a time for the preview, whatever the frame shows. */
  | { kind: 'preview'; time: number }
  /** Requests the events that follow those sent so far, of which the frame has applied those earlier than `applied`. */
  | { kind: 'more'; applied: number; aheadMs: number }

/** The recording as read so far. Times are milliseconds since the epoch unless stated otherwise. */
export type Read = {
  start: number
  end: number
  cuts: readonly Cut[]
  outline: Outline
  windows: readonly string[]
  /** Numbers of the blocks and stored pages that have been read. */
  blocks: ReadonlySet<number>
  isAll: boolean
}

/** Messages from the reader to the player's frame. */
export type FromReader =
  /** `marks` are new, or replace all earlier ones if `isAllMarks`; `assets` are new. */
  | {
      kind: 'read'
      read: Read
      marks: readonly Mark[]
      isAllMarks: boolean
      unreadable: number
      assets: readonly FoundAsset[]
    }
  /** A part of a page that is large and shown from nothing; its last part is sent as the page. */
  | { kind: 'part'; time: number; contrast: Contrast; events: ReplayEvent[] }
  /** `events` show the page at `time` in a document with the previous page or with the page's other parts; `next` follow until `until`. */
  | {
      kind: 'page'
      time: number
      contrast: Contrast
      events: ReplayEvent[]
      next: ReplayEvent[]
      until: number
    }
  /** The events that show the page at `time` in any document; none if there is no such page. */
  | { kind: 'preview'; time: number; events: ReplayEvent[] }
  | { kind: 'more'; next: ReplayEvent[]; until: number }
