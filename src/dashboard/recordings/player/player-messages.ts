export const markKinds = ['page', 'click', 'log', 'warn', 'error', 'request', 'failed request'] as const
export type MarkKind = (typeof markKinds)[number]

/** Something that the recording itself tells; `at` is milliseconds since its start. */
export type Mark = {
  kind: MarkKind
  at: number
  text: string
  /** More of it: a stack, a whole address. */ detail: string
}

/** Milliseconds since the recording's start. */
export type Stretch = { from: number; to: number }

/** What is known of the recording so far. */
export type Outline = {
  /** How much was done in each of equal parts of the whole, from 0 to 1. */
  activity: readonly number[]
  /** Where nobody did anything. */
  idle: readonly Stretch[]
  /** Where its last event is, or was said to be. */
  end: number
  windows: number
}

export type Playing = {
  at: number
  isPlaying: boolean
  /** It wants to go on, but what comes next has not been read yet. */
  isWaiting: boolean
  hasPicture: boolean
  /** Which of the session's windows is shown, from 1; 0 before there is a picture. */
  window: number
}

/** From the dashboard to the document of the player. Times are milliseconds since the recording's start. */
export type ToPlayer =
  /** `start` and `end` in milliseconds since the epoch. */
  | { kind: 'open'; start: number; end: number; at: number; isPlaying: boolean }
  /** Blocks as the service gives them: `["<window id>", <rrweb event>]` a line. */
  | { kind: 'lines'; text: string; isLast: boolean }
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'seek'; at: number }
  | { kind: 'speed'; speed: number }
  | { kind: 'skip idle'; on: boolean }

export type FromPlayer =
  | { kind: 'ready' }
  | { kind: 'read'; marks: readonly Mark[]; outline: Outline; unreadable: number }
  | { kind: 'playing'; playing: Playing }
  | { kind: 'problem'; text: string }

/** The other side's message; null for whatever else arrives at a window. */
export function messageFrom<Message extends ToPlayer | FromPlayer>(
  event: MessageEvent,
  sender: Window | null | undefined,
): Message | null {
  // Both documents are the dashboard's own and speak the same version.
  return event.source === sender && event.origin === location.origin ? (event.data as Message) : null
}
