import type { Atom } from '@tanstack/react-store'
import type { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import type { Block, BlockRange } from './block-order.ts'
import {
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

/** Creates the connection to a player's frame, which keeps the state up to date with the frame's messages. */
export function createPlayerFrame(state: Atom<PlayerState>, { start, end }: { start: number; end: number }) {
  let frame: HTMLIFrameElement | null = null
  const change = (part: Partial<PlayerState>) => state.set((before) => ({ ...before, ...part }))
  const send = (message: ToPlayer, transfer: Transferable[] = []) =>
    frame?.contentWindow?.postMessage(message, location.origin, transfer)

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
    if (message?.kind === 'ready') open()
    else if (message) change(changeBy(message, state.get().marks))
  }

  return {
    change,
    send,
    /** The part of the player that passes the recording to the frame. */
    feed: {
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
    },
  }
}

/** Returns the change of the state that a message of the frame reports; `known` are the marks so far. */
function changeBy(
  message: Exclude<FromPlayer, { kind: 'ready' }>,
  known: readonly Mark[],
): Partial<PlayerState> {
  switch (message.kind) {
    case 'read': {
      const { outline, unreadable, blocks } = message
      const marks = [...(message.isAllMarks ? [] : known), ...message.marks].toSorted(
        (one, other) => one.at - other.at,
      )
      return { outline, unreadable, blocksRead: blocks, ...(message.marks.length > 0 && { marks }) }
    }
    case 'playing':
      return { playing: message.playing }
    case 'size':
      return { size: message.size }
    case 'missing':
      return { missing: message.missing }
    case 'problem':
      return { problem: message.text }
  }
}
