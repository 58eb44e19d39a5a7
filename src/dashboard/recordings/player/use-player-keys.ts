import { useKeys, type KeyMap } from '../../ui/use-keys.ts'
import type { Player } from './player.ts'
import { seekError } from './seek-error.ts'

const stepMs = 5_000

type Targets = {
  toggleFullScreen: () => void
  /** The recordings before and after this one; absent on pages without a list. */
  neighbours?: { next: Neighbour; previous: Neighbour } | undefined
}
type Neighbour = { go: () => void; reason: string | null }

/** Registers the keyboard shortcuts of a player; they work wherever the focus is. */
export function usePlayerKeys(player: Player, { toggleFullScreen, neighbours }: Targets): void {
  const digits = Object.fromEntries(
    Array.from({ length: 10 }, (_, tenth) => [
      String(tenth),
      {
        does: 'Jump to this tenth of the recording',
        run: () => player.seek((player.state.get().outline.end * tenth) / 10),
        moves: true,
      },
    ]),
  )
  const keys: KeyMap = {
    ' ': { does: 'Play or pause', run: player.toggle },
    ArrowLeft: { does: '5 seconds back', run: () => player.seekBy(-stepMs), moves: true },
    ArrowRight: { does: '5 seconds forward', run: () => player.seekBy(stepMs), moves: true },
    ArrowUp: { does: 'Faster', run: () => player.changeSpeed(1), moves: true },
    ArrowDown: { does: 'Slower', run: () => player.changeSpeed(-1), moves: true },
    ...digits,
    e: { does: 'Next error', run: () => seekError(player, 1), moves: true },
    E: { does: 'Previous error', run: () => seekError(player, -1), moves: true },
    h: {
      does: 'Play the highlights in 30 seconds, or the whole recording',
      run: () => player.chooseHighlights(player.state.get().highlightSeconds === null ? 30 : null),
    },
    w: { does: 'Pin the next window, or follow the visitor', run: player.pinNext },
    f: { does: 'Full screen', run: toggleFullScreen },
    n: neighbours && { does: 'Next recording', run: neighbours.next.go, reason: neighbours.next.reason },
    p: neighbours && {
      does: 'Previous recording',
      run: neighbours.previous.go,
      reason: neighbours.previous.reason,
    },
  }
  useKeys(keys)
}
