import { createAtom, useSelector, type ReadonlyAtom } from '@tanstack/react-store'
import {
  messageFrom,
  type FromPlayer,
  type Mark,
  type Outline,
  type Playing,
  type ToPlayer,
} from './player-messages.ts'

export const speeds = [0.5, 1, 1.5, 2, 4, 8] as const

export type PlayerState = {
  playing: Playing
  /** In the order of time. */
  marks: readonly Mark[]
  outline: Outline
  speed: number
  skipsIdle: boolean
  /** Counts how often the player's document has begun anew and wants all blocks; 0 until it is there. */
  beginning: number
  unreadable: number
  /** What could not be shown, in words. */
  problem: string | null
}

type Opening = {
  /** Milliseconds since the epoch, as far as is known beforehand. */
  start: number
  end: number
  /** Where to begin, in milliseconds since the start. */
  at: number
  isPlaying: boolean
}

export type Player = ReturnType<typeof createPlayer>

/** One recording in the player's document: what is known of it, and what it can be told. */
export function createPlayer({ start, end, at, isPlaying }: Opening) {
  let frame: HTMLIFrameElement | null = null
  const state = createAtom<PlayerState>({
    playing: { at, isPlaying, isWaiting: true, hasPicture: false, window: 0 },
    marks: [],
    outline: { activity: [], idle: [], end: end - start, windows: 0 },
    speed: 1,
    skipsIdle: true,
    beginning: 0,
    unreadable: 0,
    problem: null,
  })

  const change = (part: Partial<PlayerState>) => state.set((before) => ({ ...before, ...part }))
  const send = (message: ToPlayer) => frame?.contentWindow?.postMessage(message, location.origin)
  const playing = (part: Partial<Playing>) => change({ playing: { ...state.get().playing, ...part } })

  const begin = () => {
    const { playing, speed, skipsIdle, beginning } = state.get()
    send({ kind: 'speed', speed })
    send({ kind: 'skip idle', on: skipsIdle })
    send({ kind: 'open', start, end, at: playing.at, isPlaying: playing.isPlaying })
    change({ marks: [], beginning: beginning + 1 })
  }
  const hear = (event: MessageEvent) => {
    const message = messageFrom<FromPlayer>(event, frame?.contentWindow)
    switch (message?.kind) {
      case undefined:
        break
      case 'ready':
        begin()
        break
      case 'read': {
        const { outline, unreadable } = message
        const marks = [...state.get().marks, ...message.marks].toSorted((one, other) => one.at - other.at)
        change({ outline, unreadable, ...(message.marks.length > 0 && { marks }) })
        break
      }
      case 'playing':
        change({ playing: message.playing })
        break
      case 'problem':
        change({ problem: message.text })
        break
      default:
        message satisfies undefined
    }
  }

  const player = {
    start,
    state: state as ReadonlyAtom<PlayerState>,
    /** The ref of the frame that holds the player's document. */
    attach(element: HTMLIFrameElement) {
      frame = element
      addEventListener('message', hear)
      return () => {
        frame = null
        removeEventListener('message', hear)
      }
    },
    giveLines: (text: string, isLast: boolean) => send({ kind: 'lines', text, isLast }),
    toggle() {
      const { isPlaying } = state.get().playing
      playing({ isPlaying: !isPlaying })
      send({ kind: isPlaying ? 'pause' : 'play' })
    },
    /** Milliseconds since the start. */
    seek(to: number) {
      const at = Math.min(Math.max(0, to), state.get().outline.end)
      playing({ at })
      send({ kind: 'seek', at })
    },
    seekBy: (ms: number) => player.seek(state.get().playing.at + ms),
    setSpeed(speed: number) {
      change({ speed })
      send({ kind: 'speed', speed })
    },
    /** One step up or down among the speeds. */
    changeSpeed(by: 1 | -1) {
      const { speed } = state.get()
      const index = speeds.findIndex((each) => each === speed) + by
      player.setSpeed(speeds[index] ?? speed)
    },
    skipIdle(on: boolean) {
      change({ skipsIdle: on })
      send({ kind: 'skip idle', on })
    },
  }
  return player
}

/** A part of what the player knows; it must be the same as long as nothing of it changes. */
export function usePlayer<Part>(player: Player, select: (state: PlayerState) => Part): Part {
  return useSelector(player.state, select)
}
