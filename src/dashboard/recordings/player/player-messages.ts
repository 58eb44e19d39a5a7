import type { NetworkRequest } from '../../../replay/recorded/network-request.ts'
import type { ConsoleLevel, Size } from '../../../replay/recorded/rrweb.ts'
import type { Block, BlockRange } from './block-order.ts'

export type MarkKind = 'page' | 'click' | 'rage click' | ConsoleLevel | 'request' | 'failed request'

/** An event of the recording on the timeline or in the inspector; `at` is in milliseconds since the start. */
export type Mark = {
  kind: MarkKind
  at: number
  text: string
  /** More detail, such as a stack trace or the full URL. */
  detail: string
  /** The line of a `log`, `warn` or `error`. */
  line?: ConsoleLine
  /** The request of a `request` or `failed request`. */
  request?: NetworkRequest
}

/** A line of the console: its arguments as the recorder serialised them, and the calls that led to it. */
export type ConsoleLine = { parts: readonly string[]; trace: readonly string[] }

export function isErrorMark({ kind }: Mark): boolean {
  return kind === 'error' || kind === 'failed request'
}

/** In milliseconds since the recording's start. */
export type TimeRange = { from: number; to: number }

/** A part of highlights, played at this speed. */
export type HighlightPiece = TimeRange & { speed: number }

export type GapKind = 'picture' | 'beginning' | 'window' | 'page' | 'changes' | 'paused' | 'data' | 'silence'

/**
 * A period that the recording lacks, wholly or in part:
 * - picture: there is no full snapshot at all,
 * - beginning: everything before the first full snapshot,
 * - window: a window is used before its first full snapshot,
 * - page: the full snapshot of a page that the visitor opened is missing,
 * - changes: changes of the page are missing,
 * - paused: the site paused the recorder,
 * - data: stored data was deleted or damaged,
 * - silence: the visitor acted, but nothing was recorded.
 */
export type Gap = TimeRange & {
  kind: GapKind
  /** Number of the window, from 1; 0 if the gap concerns all windows. */
  window: number
}

/** A browser window of the recording. */
export type Lane = {
  open: TimeRange
  /** When the visitor used the window, so that playback shows it. */
  used: readonly TimeRange[]
}

/** What a recording lacks of its pages' state: the color scheme, the contrast, the effect of forced colors, popovers, `:target`. */
export type LackingState = 'scheme' | 'contrast' | 'forcedColors' | 'popovers' | 'target'

/** A summary of the part of the recording that has been read. */
export type Outline = {
  /** Amount of activity in equal parts of the recording, from 0 to 1. */
  activity: readonly number[]
  /** Periods without activity. */
  idle: readonly TimeRange[]
  /** In chronological order; empty until all events have been read. */
  gaps: readonly Gap[]
  /** Number of canvases whose content was not recorded. */
  unrecordedCanvases: number
  lackingStates: readonly LackingState[]
  /** Whether text that the visitor entered is masked. */
  isMasked: boolean
  /** Time of the last event. Until all events have been read, at least the end that the service reported. */
  end: number
  /** The windows, in the order of their first events. */
  lanes: readonly Lane[]
  /** Number of the pages' style rules that lack values; 0 until all events have been read. */
  incompleteRules: number
}

/** State of the playback; `at` is in milliseconds since the start. */
export type Playing = {
  at: number
  isPlaying: boolean
  /** Whether playback waits for events that have not been read yet. */
  isWaiting: boolean
  hasPicture: boolean
  /** Number of the window that is shown, from 1; 0 before there is a picture. */
  window: number
}

/** The stored copy of an asset: its recorded URL, and the path at which the service serves it for some minutes. */
export type StoredAsset = { url: string; path: string }

/** Numbers of assets by kind. */
export type AssetCounts = { image: number; font: number; stylesheet: number }

/** What the dashboard knows about a recording, and which of its windows it shows. Times are milliseconds since the epoch. */
export type KnownRecording = {
  start: number
  end: number
  /** All blocks of the recording; sent again when there are more. */
  blocks: readonly Block[]
  /** When the visitor acted according to captured events, ascending. */
  actions: readonly number[]
  /** Number of the only window to show, from 1; null to follow the visitor from window to window. */
  pinned: number | null
}

/** How a recording is played. */
export type PlaySettings = {
  isPlaying: boolean
  speed: number
  skipsIdle: boolean
  /** The only parts to play, in order; null to play the whole recording. */
  highlights: readonly HighlightPiece[] | null
}

/** Returns the speed of the highlights at a position; 1 outside of them. */
export function highlightSpeedAt(highlights: PlaySettings['highlights'], at: number): number {
  return highlights?.find(({ from, to }) => at >= from && at < to)?.speed ?? 1
}

/** A point, or the edges of a box, as shares (0 to 1) of the replayed window. */
type Point = { x: number; y: number }
type Box = { left: number; top: number; width: number; height: number }

/** Questions about the page that the player shows, with their answers. */
export type Questions = {
  /** The page as an SVG file with this title. */
  picture: { ask: { title: string }; answer: string }
  /** The element at a point, and a CSS selector for it and those like it. */
  element: { ask: Point; answer: { selector: string; box: Box } | null }
  /** Number of elements that match each CSS selector; null for a text that is not a selector. */
  matches: { ask: { selectors: readonly string[] }; answer: readonly (number | null)[] }
}

export type Question = {
  [Kind in keyof Questions]: { kind: Kind; answerTo: MessagePort } & Questions[Kind]['ask']
}[keyof Questions]

/** Messages from the dashboard to the player's frame. Times are milliseconds since the recording's start. */
export type ToPlayer =
  | {
      kind: 'open'
      recording: Pick<KnownRecording, 'start' | 'end' | 'pinned'>
      settings: PlaySettings
      at: number
    }
  | { kind: 'recording'; recording: Partial<KnownRecording> }
  /** Lines of a range of blocks as the service returns them, one `["<window id>", <rrweb event>]` per line. */
  | { kind: 'lines'; bytes: ArrayBuffer; range: BlockRange }
  /** All stored assets; sent again with new paths before these expire. */
  | { kind: 'assets'; stored: readonly StoredAsset[] }
  | { kind: 'settings'; settings: Partial<PlaySettings> }
  | { kind: 'seek'; at: number }
  /** Shows a small picture of a moment around this place (px), with space below it; no moment removes the picture. */
  | { kind: 'preview'; at: number | null; x: number; bottom: number }
  | Question

/** The state of the player's frame. */
export type FrameState = {
  playing: Playing
  outline: Outline
  /** Size of the recorded page, in its own CSS pixels. */
  size: Size
  /** Number of stored events that the player cannot read. */
  unreadable: number
  /** Number of blocks that the frame has read. */
  blocksRead: number
  /** Whether the frame has shown a page. */
  hasShown: boolean
  /** Assets in the part read so far that are not stored. */
  missing: AssetCounts
  /** Message about a part that could not be rendered. */
  problem: string | null
}

/** Messages from the player's frame to the dashboard; `marks` are new, or replace all earlier ones if `isAllMarks`. */
export type FromPlayer =
  | { kind: 'ready' }
  | { kind: 'state'; state: Partial<FrameState>; marks?: readonly Mark[]; isAllMarks?: boolean }

/** Returns the message if it came from this window while it showed a document of this origin, else null. */
export function messageFrom<Message extends ToPlayer | FromPlayer>(
  event: MessageEvent,
  { window, origin }: { window: Window | null | undefined; origin: string },
): Message | null {
  // Both documents come from the same build, so the data needs no validation.
  return event.source === window && event.origin === origin ? (event.data as Message) : null
}
