import { createAtom, useSelector, type Atom, type ReadonlyAtom } from '@tanstack/react-store'
import type { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import type { SharedRecording } from '../../../contract/recordings/session-recording.ts'
import { contentOrigin } from '../../api/content-origin.ts'
import { placeFrame } from './early-frame.ts'
import { highlightLengths } from './highlight-lengths.ts'
import {
  isErrorMark,
  messageFrom,
  type FrameState,
  type FromPlayer,
  type Mark,
  type PlaySettings,
  type Questions,
  type ToPlayer,
} from './player-messages.ts'

export const speeds = [0.5, 1, 1.5, 2, 4, 8] as const

export type PlayerState = FrameState &
  Omit<PlaySettings, 'isPlaying'> & {
    /** In chronological order. */
    marks: readonly Mark[]
    /** Number of the only window to show, from 1; null to show the window that the visitor used. */
    pinned: number | null
    /** Length of the chosen highlights in seconds; null to play the whole recording. */
    highlightSeconds: number | null
    /** Number of times that playback was started or stopped by a command. */
    toggles: number
    /** Number of times the player's frame has loaded; after each load it needs all blocks again. */
    frameLoads: number
    /** Number of assets that the service has not fetched yet; null until it has listed them. */
    pendingAssets: number | null
    /** Number of missing assets by reason. */
    missingReasons: RecordedAssets['missing']
  }

export type Player = ReturnType<typeof playerOf>

export type Opening = {
  /** Initial position, in seconds since the start. */
  at: number | undefined
  /** Length of the highlights to play, in seconds; the whole recording if there are no such highlights. */
  highlightSeconds?: number | undefined
  /** Starts playing automatically, unless the viewer prefers reduced motion. */
  isPlaying: boolean
}

/** Creates the dashboard's side of a player: the state of one recording, and the commands for its frame. */
export function playerOf(
  recording: Pick<SharedRecording, 'start_time' | 'end_time'>,
  { at = 0, highlightSeconds, isPlaying }: Opening,
) {
  const [start, end] = [Date.parse(recording.start_time), Date.parse(recording.end_time)]
  const plays = isPlaying && !matchMedia('(prefers-reduced-motion: reduce)').matches
  const state = createAtom<PlayerState>({
    playing: { at: at * 1000, isPlaying: plays, isWaiting: true, hasPicture: false, window: 0 },
    marks: [],
    outline: {
      activity: [],
      idle: [],
      gaps: [],
      unrecordedCanvases: 0,
      lackingStates: [],
      isMasked: false,
      end: end - start,
      lanes: [],
      incompleteRules: 0,
    },
    size: { width: 16, height: 9 },
    speed: 1,
    skipsIdle: true,
    pinned: null,
    highlightSeconds: highlightLengths.find((length) => length === highlightSeconds) ?? null,
    highlights: null,
    toggles: 0,
    frameLoads: 0,
    unreadable: 0,
    blocksRead: 0,
    hasShown: false,
    missing: { image: 0, font: 0, stylesheet: 0 },
    pendingAssets: null,
    missingReasons: [],
    problem: null,
  })
  const frame = createFrame(state, { start, end })
  return { start, state: state as ReadonlyAtom<PlayerState>, ...frame, ...controlsOf(state, frame) }
}

/** Creates the connection to a player's frame, which keeps the state up to date with the frame's messages. */
function createFrame(state: Atom<PlayerState>, recording: { start: number; end: number }) {
  let frame: HTMLIFrameElement | null = null
  const origin = contentOrigin()
  const change = (part: Partial<PlayerState>) => state.set((before) => ({ ...before, ...part }))
  const send = (message: ToPlayer, transfer: Transferable[] = []) =>
    frame?.contentWindow?.postMessage(message, origin, transfer)
  const open = () => {
    const { playing, speed, skipsIdle, pinned, highlights, frameLoads } = state.get()
    const settings = { isPlaying: playing.isPlaying, speed, skipsIdle, highlights }
    send({ kind: 'open', recording: { ...recording, pinned }, settings, at: playing.at })
    change({ marks: [], blocksRead: 0, frameLoads: frameLoads + 1 })
  }
  const receive = (event: MessageEvent) => {
    const message = messageFrom<FromPlayer>(event, { window: frame?.contentWindow, origin })
    if (message?.kind === 'ready') open()
    else if (message) {
      const { marks = [], isAllMarks } = message
      const all = [...(isAllMarks ? [] : state.get().marks), ...marks].toSorted(
        (one, other) => one.at - other.at,
      )
      change({ ...message.state, ...(marks.length > 0 && { marks: all }) })
    }
  }

  return {
    change,
    /** Sends a message to the frame, which takes over the buffers in `transfer`. */
    send,
    /** Ref of the element that contains the player's frame. */
    attach(container: HTMLElement) {
      const { element, isReady } = placeFrame(container)
      frame = element
      addEventListener('message', receive)
      if (isReady) open()
      return () => {
        element.remove()
        frame = null
        removeEventListener('message', receive)
      }
    },
    /** Asks about the page that the frame shows. @throws if it shows none. */
    ask: <Kind extends keyof Questions>(kind: Kind, question: Questions[Kind]['ask']) =>
      new Promise<Questions[Kind]['answer']>((resolve, reject) => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', ({ data }: MessageEvent<Questions[Kind]['answer'] | Error>) => {
          port1.close()
          if (data instanceof Error) reject(data)
          else resolve(data)
        })
        port1.start()
        send({ kind, ...question, answerTo: port2 } as ToPlayer, [port2])
      }),
    /**
     * Shows a small picture of a moment (ms since the start) at the lower edge of the frame, around `clientX` and `bottom`
     * pixels above the edge.
     */
    preview(at: number, { clientX, bottom }: { clientX: number; bottom: number }) {
      const { left = 0 } = frame?.getBoundingClientRect() ?? {}
      send({ kind: 'preview', at, x: clientX - left, bottom })
    },
    endPreview: () => send({ kind: 'preview', at: null, x: 0, bottom: 0 }),
    /** Resolves once the state meets the condition, or when the signal is aborted. */
    when: (isMet: (now: PlayerState) => boolean, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (isMet(state.get())) return resolve()
        const end = () => {
          unsubscribe()
          resolve()
        }
        const { unsubscribe } = state.subscribe((now) => isMet(now) && end())
        signal.addEventListener('abort', end)
      }),
  }
}

/** Returns the commands of a viewer. */
function controlsOf(state: ReadonlyAtom<PlayerState>, { change, send }: ReturnType<typeof createFrame>) {
  const controls = {
    /** Changes how the recording is played. */
    set(settings: Partial<Omit<PlaySettings, 'isPlaying'>>) {
      change(settings)
      send({ kind: 'settings', settings })
    },
    toggle() {
      const { playing, toggles } = state.get()
      const isPlaying = !playing.isPlaying
      change({ playing: { ...playing, isPlaying }, toggles: toggles + 1 })
      send({ kind: 'settings', settings: { isPlaying } })
    },
    /** Seeks to a position, in milliseconds since the start. */
    seek(to: number) {
      const { playing, outline } = state.get()
      const at = Math.min(Math.max(0, to), outline.end)
      change({ playing: { ...playing, at } })
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
    /** Selects the next higher or lower speed. */
    changeSpeed(by: 1 | -1) {
      const { speed } = state.get()
      const index = speeds.findIndex((each) => each === speed) + by
      controls.set({ speed: speeds[index] ?? speed })
    },
    /** Plays highlights of this length from their beginning, once their parts are known; null plays the whole recording. */
    chooseHighlights(seconds: number | null) {
      change({ highlightSeconds: seconds })
      if (seconds === null) return
      controls.seek(0)
      if (!state.get().playing.isPlaying) controls.toggle()
    },
    /** Shows one window only, numbered from 1; null follows the visitor from window to window. */
    pin(pinned: number | null) {
      change({ pinned })
      send({ kind: 'recording', recording: { pinned } })
    },
    /** Pins the next window; after the last one, follows the visitor again. */
    pinNext() {
      const { pinned, outline } = state.get()
      const next = (pinned ?? 0) + 1
      controls.pin(next > outline.lanes.length ? null : next)
    },
  }
  return controls
}

/** Returns a part of the player's state; `select` must return the same value until that part changes. */
export function usePlayer<Part>(player: Player, select: (state: PlayerState) => Part): Part {
  return useSelector(player.state, select)
}
