import { createAtom, useSelector, type ReadonlyAtom } from '@tanstack/react-store'
import { highlightLengths } from './highlight-lengths.ts'
import { createPlayerFrame, type PlayerState } from './player-frame.ts'
import { isErrorMark, type Playing } from './player-messages.ts'

export const speeds = [0.5, 1, 1.5, 2, 4, 8] as const

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
  /** Length of the highlights to play, in seconds; the whole recording if there are no such highlights. */
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
export function createPlayer(options: PlayerOptions) {
  const state = createAtom(initialState(options))
  const frame = createPlayerFrame(state, options)
  return {
    start: options.start,
    state: state as ReadonlyAtom<PlayerState>,
    ...frame.feed,
    ...waitsFor(state),
    ...controlsOf(state, frame),
  }
}

function initialState({ start, end, at, isPlaying, highlightSeconds = null }: PlayerOptions): PlayerState {
  return {
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
  }
}

/** Returns promises of later states of a player. */
function waitsFor(state: ReadonlyAtom<PlayerState>) {
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

  return {
    /** Resolves once the frame has loaded, or when the signal is aborted. */
    whenLoaded: (signal: AbortSignal) => when(({ frameLoads }) => frameLoads > 0, signal),
    /** Resolves once the frame has read this number of blocks, or when the signal is aborted. */
    whenRead: (count: number, signal: AbortSignal) => when(({ blocksRead }) => blocksRead >= count, signal),
    /** Resolves once the position is not `at`, or when the signal is aborted. */
    whenMoved: (at: number, signal: AbortSignal) => when(({ playing }) => playing.at !== at, signal),
  }
}

/** Returns the commands of a viewer. */
function controlsOf(
  state: ReadonlyAtom<PlayerState>,
  { change, send }: ReturnType<typeof createPlayerFrame>,
) {
  const changePlaying = (part: Partial<Playing>) => change({ playing: { ...state.get().playing, ...part } })
  const controls = {
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
      if (found) controls.seek(found.at)
      return found !== undefined
    },
    seekBy: (ms: number) => controls.seek(state.get().playing.at + ms),
    setSpeed(speed: number) {
      change({ speed })
      send({ kind: 'speed', speed })
    },
    /** Selects the next higher or lower speed. */
    changeSpeed(by: 1 | -1) {
      const { speed } = state.get()
      const index = speeds.findIndex((each) => each === speed) + by
      controls.setSpeed(speeds[index] ?? speed)
    },
    /** Plays highlights of this length from their beginning, once their parts are known; null plays the whole recording. */
    chooseHighlights(seconds: number | null) {
      change({ highlightSeconds: seconds })
      if (seconds === null) return
      controls.seek(0)
      if (!state.get().playing.isPlaying) controls.toggle()
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
      controls.pin(next > outline.lanes.length ? null : next)
    },
    skipIdle(on: boolean) {
      change({ skipsIdle: on })
      send({ kind: 'skip idle', on })
    },
  }
  return controls
}

/** Returns a part of the player's state; `select` must return the same value until that part changes. */
export function usePlayer<Part>(player: Player, select: (state: PlayerState) => Part): Part {
  return useSelector(player.state, select)
}
