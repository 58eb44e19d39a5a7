import { useKeys, type KeyMap } from '../../ui/use-keys.ts'
import type { Player } from './player.ts'

const step = 5_000

type Around = {
  toggleFullScreen: () => void
  /** Going through a list; absent where there is none. */
  neighbours?: { next: Way; previous: Way } | undefined
}
type Way = { go: () => void; reason: string | null }

/** The keys of a player; they work wherever the focus is. */
export function usePlayerKeys(player: Player, { toggleFullScreen, neighbours }: Around): void {
  const digits = Object.fromEntries(
    Array.from({ length: 10 }, (_, tenth) => [
      String(tenth),
      {
        does: 'Go to this tenth',
        run: () => player.seek((player.state.get().outline.end * tenth) / 10),
        moves: true,
      },
    ]),
  )
  const keys: KeyMap = {
    ' ': { does: 'Play or pause', run: player.toggle },
    ArrowLeft: { does: '5 seconds back', run: () => player.seekBy(-step), moves: true },
    ArrowRight: { does: '5 seconds on', run: () => player.seekBy(step), moves: true },
    ArrowUp: { does: 'Faster', run: () => player.changeSpeed(1), moves: true },
    ArrowDown: { does: 'Slower', run: () => player.changeSpeed(-1), moves: true },
    ...digits,
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
