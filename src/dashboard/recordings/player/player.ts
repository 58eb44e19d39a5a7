import type { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { highlightLengths } from './highlight-lengths.ts'
import { createAtom, useSelector, type ReadonlyAtom } from '@tanstack/react-store'
import type { Block, BlockRange } from './block-order.ts'
import {
  isErrorMark,
  messageFrom,
  type AssetCounts,
  type FromPlayer,
  type Mark,
  type Outline,
  type Playing,
  type HighlightPiece,
  type StoredAsset,
  type ToPlayer,
} from './player-messages.ts'

export const speeds = [0.5, 1, 1.5, 2, 4, 8] as const

export type PlayerState = {
  playing: Playing
  /** In chronological order. */
  marks: readonly Mark[]
  outline: Outline
  /** Size of the recorded page, in its own CSS pixels. */
  size: { width: number; height: number }
  speed: number
  skipsIdle: boolean
  /** Number of the only window to show, from 1; null to show the window that the visitor used. */
  pinned: number | null
  /** Length of the chosen highlights in seconds; null to play the whole recording. */
  highlightSeconds: number | null
  /** The parts of the highlights; null until they are known. */
  highlights: readonly HighlightPiece[] | null
  /** Number of times the player's frame has loaded; after each load it needs all blocks again. */
  frameLoads: number
  unreadable: number
  /** Number of blocks that the frame has read. */
  blocksRead: number
  /** Assets in the part read so far that are not stored. */
  missing: AssetCounts
  /** Number of assets that the service has not fetched yet; null until it has listed them. */
  pendingAssets: number | null
  /** Number of missing assets by reason. */
  missingReasons: RecordedAssets['missing']
  /** Message about a part that could not be rendered. */
  problem: string | null
}

type PlayerOptions = {
  /** Milliseconds since the epoch, as the service reports them. */
  start: number
  end: number
  /** Initial position, in milliseconds since the start. */
  at: number
  isPlaying: boolean
  /** Length of the highlights to play; the whole recording by default. */
  highlightSeconds?: number | null | undefined
}

export type Player = ReturnType<typeof createPlayer>

export type Opening = {
  /** Initial position, in seconds since the start. */
  at: number | undefined
  /** Length of the highlights to play, in seconds; the whole recording if there is no such highlights. */
  highlightSeconds?: number | undefined
  /** Starts playing automatically, unless the viewer prefers reduced motion. */
  isPlaying: boolean
}

/** Creates the player of a recording. */
export function playerOf(
  recording: { start_time: string; end_time: string },
  { at = 0, highlightSeconds, isPlaying }: Opening,
): Player {
  return createPlayer({
    start: Date.parse(recording.start_time),
    end: Date.parse(recording.end_time),
    at: at * 1000,
    highlightSeconds: highlightLengths.find((length) => length === highlightSeconds),
    isPlaying: isPlaying && !matchMedia('(prefers-reduced-motion: reduce)').matches,
  })
}

/** Creates the dashboard's side of a player: the state of one recording, and the commands for its frame. */
export function createPlayer({ start, end, at, isPlaying, highlightSeconds = null }: PlayerOptions) {
  let frame: HTMLIFrameElement | null = null
  const state = createAtom<PlayerState>({
    playing: { at, isPlaying, isWaiting: true, hasPicture: false, window: 0 },
    marks: [],
    outline: {
      activity: [],
      idle: [],
      gaps: [],
      unrecordedCanvases: 0,
      isMasked: false,
      end: end - start,
      lanes: [],
    },
    size: { width: 16, height: 9 },
    speed: 1,
    skipsIdle: true,
    pinned: null,
    highlightSeconds,
    highlights: null,
    frameLoads: 0,
    unreadable: 0,
    blocksRead: 0,
    missing: { image: 0, font: 0, stylesheet: 0 },
    pendingAssets: null,
    missingReasons: [],
    problem: null,
  })

  const change = (part: Partial<PlayerState>) => state.set((before) => ({ ...before, ...part }))
  const send = (message: ToPlayer, transfer: Transferable[] = []) =>
    frame?.contentWindow?.postMessage(message, location.origin, transfer)
  const changePlaying = (part: Partial<Playing>) => change({ playing: { ...state.get().playing, ...part } })

  const open = () => {
    const { playing, speed, skipsIdle, pinned, highlights, frameLoads } = state.get()
    // First, because the frame reports its position after each message.
    send({ kind: 'open', start, end, at: playing.at, isPlaying: playing.isPlaying })
    send({ kind: 'speed', speed })
    send({ kind: 'skip idle', on: skipsIdle })
    send({ kind: 'pin', window: pinned })
    send({ kind: 'highlights', pieces: highlights })
    change({ marks: [], blocksRead: 0, frameLoads: frameLoads + 1 })
  }
  const receive = (event: MessageEvent) => {
    const message = messageFrom<FromPlayer>(event, frame?.contentWindow)
    switch (message?.kind) {
      case undefined:
        break
      case 'ready':
        open()
        break
      case 'read': {
        const { outline, unreadable, blocks } = message
        const known = message.isAllMarks ? [] : state.get().marks
        const marks = [...known, ...message.marks].toSorted((one, other) => one.at - other.at)
        change({ outline, unreadable, blocksRead: blocks, ...(message.marks.length > 0 && { marks }) })
        break
      }
      case 'playing':
        change({ playing: message.playing })
        break
      case 'size':
        change({ size: message.size })
        break
      case 'missing':
        change({ missing: message.missing })
        break
      case 'problem':
        change({ problem: message.text })
        break
      default:
        message satisfies undefined
    }
  }

  /** Resolves once the state meets the condition, or when the signal is aborted. */
  const when = (isMet: (now: PlayerState) => boolean, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (isMet(state.get())) return resolve()
      const { unsubscribe } = state.subscribe((now) => {
        if (!isMet(now)) return
        unsubscribe()
        resolve()
      })
      signal.addEventListener('abort', () => {
        unsubscribe()
        resolve()
      })
    })

  const player = {
    start,
    state: state as ReadonlyAtom<PlayerState>,
    /** Ref of the player's frame. */
    attach(element: HTMLIFrameElement) {
      frame = element
      addEventListener('message', receive)
      return () => {
        frame = null
        removeEventListener('message', receive)
      }
    },
    /** Returns the frame of the recorded page; null while there is no picture. */
    shownPage: () =>
      frame?.contentDocument?.querySelector<HTMLIFrameElement>(
        'body > .replayer-wrapper:not([hidden]) > iframe',
      ) ?? null,
    /** Sends the list of the recording's blocks to the frame. */
    sendBlocks: (blocks: readonly Block[]) => send({ kind: 'blocks', blocks }),
    /** Sends the times of the visitor's actions in captured events (ms since the epoch, ascending) to the frame. */
    sendActions: (times: readonly number[]) => send({ kind: 'actions', times }),
    /** Sends the lines of blocks to the frame, which takes over the buffer. */
    sendLines: (bytes: ArrayBuffer, range: BlockRange) => send({ kind: 'lines', bytes, range }, [bytes]),
    /** Sends the stored assets to the frame; the service is still fetching `pending` others. */
    sendAssets(
      stored: readonly StoredAsset[],
      { pending, missing }: Pick<RecordedAssets, 'pending' | 'missing'>,
    ) {
      change({ pendingAssets: pending, missingReasons: missing })
      send({ kind: 'assets', stored })
    },
    /** Resolves once the frame has loaded, or when the signal is aborted. */
    whenLoaded: (signal: AbortSignal) => when(({ frameLoads }) => frameLoads > 0, signal),
    /** Resolves once the frame has read this number of blocks, or when the signal is aborted. */
    whenRead: (count: number, signal: AbortSignal) => when(({ blocksRead }) => blocksRead >= count, signal),
    /** Resolves once the position is not `at`, or when the signal is aborted. */
    whenMoved: (at: number, signal: AbortSignal) => when(({ playing }) => playing.at !== at, signal),
    toggle() {
      const { isPlaying } = state.get().playing
      changePlaying({ isPlaying: !isPlaying })
      send({ kind: isPlaying ? 'pause' : 'play' })
    },
    /** Seeks to a position, in milliseconds since the start. */
    seek(to: number) {
      const at = Math.min(Math.max(0, to), state.get().outline.end)
      changePlaying({ at })
      send({ kind: 'seek', at })
    },
    /** Seeks to the next error or failed request, or to the previous one; returns whether there is one. */
    seekError(direction: 1 | -1): boolean {
      const { playing, marks } = state.get()
      // While playing, skips the error that a seek has just reached.
      const before = playing.at - (playing.isPlaying ? 1_000 : 0)
      const errors = marks.filter(isErrorMark)
      const found =
        direction === 1 ? errors.find(({ at }) => at > playing.at) : errors.findLast(({ at }) => at < before)
      if (found) player.seek(found.at)
      return found !== undefined
    },
    seekBy: (ms: number) => player.seek(state.get().playing.at + ms),
    setSpeed(speed: number) {
      change({ speed })
      send({ kind: 'speed', speed })
    },
    /** Selects the next higher or lower speed. */
    changeSpeed(by: 1 | -1) {
      const { speed } = state.get()
      const index = speeds.findIndex((each) => each === speed) + by
      player.setSpeed(speeds[index] ?? speed)
    },
    /** Plays a highlights of this length from its beginning, once its parts are known; null plays the whole recording. */
    chooseHighlights(seconds: number | null) {
      change({ highlightSeconds: seconds })
      if (seconds === null) return
      player.seek(0)
      if (!state.get().playing.isPlaying) player.toggle()
    },
    /**
     * Shows a small picture of a moment (ms since the start) at the lower edge of the frame, around `clientX` and `bottom`
     * pixels above the edge.
     */
    preview(at: number, { clientX, bottom }: { clientX: number; bottom: number }) {
      const { left = 0 } = frame?.getBoundingClientRect() ?? {}
      send({ kind: 'preview', at, x: clientX - left, bottom })
    },
    endPreview: () => send({ kind: 'preview', at: null, x: 0, bottom: 0 }),
    /** Sets the parts of the highlights. */
    sendHighlights(pieces: readonly HighlightPiece[] | null) {
      if (pieces === state.get().highlights) return
      change({ highlights: pieces })
      send({ kind: 'highlights', pieces })
    },
    /** Shows one window only, numbered from 1; null follows the visitor from window to window. */
    pin(window: number | null) {
      change({ pinned: window })
      send({ kind: 'pin', window })
    },
    /** Pins the next window; after the last one, follows the visitor again. */
    pinNext() {
      const { pinned, outline } = state.get()
      const next = (pinned ?? 0) + 1
      player.pin(next > outline.lanes.length ? null : next)
    },
    skipIdle(on: boolean) {
      change({ skipsIdle: on })
      send({ kind: 'skip idle', on })
    },
  }
  return player
}

/** Returns a part of the player's state; `select` must return the same value until that part changes. */
export function usePlayer<Part>(player: Player, select: (state: PlayerState) => Part): Part {
  return useSelector(player.state, select)
}
