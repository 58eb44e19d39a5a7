import { createAtom, useSelector, type ReadonlyAtom } from '@tanstack/react-store'

/** `offline`: this device has no network. `unreachable`: it has, but the service does not answer. */
export type ConnectionState = 'up' | 'offline' | 'unreachable'

type World = {
  /** Whether the device has a network. */
  isOnLine: () => boolean
  /** Asks the service whether it is there. */
  probe: () => Promise<boolean>
  after: (ms: number, act: () => void) => void
}

const waitsMs = [2_000, 4_000, 8_000, 15_000] as const

/** Whether the service answers. While it does not, it is asked again after 2, 4, 8 and then every 15 seconds. */
export function createConnection(world: World) {
  const state = createAtom<ConnectionState>('up')
  let tries = 0
  let probing = false

  const answered = () => {
    tries = 0
    state.set('up')
  }
  const probe = async () => {
    if (state.get() === 'up' || probing) return
    probing = true
    const there = await world.probe()
    probing = false
    if (there) answered()
    else failed()
  }
  const failed = () => {
    state.set(world.isOnLine() ? 'unreachable' : 'offline')
    const turn = ++tries
    const wait = waitsMs[Math.min(turn, waitsMs.length) - 1] ?? 15_000
    // Of several failures in a row only the last one's wait leads to a question.
    world.after(wait, () => {
      if (turn === tries) void probe()
    })
  }
  return {
    state: state as ReadonlyAtom<ConnectionState>,
    answered,
    failed,
    /** Asks at once: somebody wants to know, or the network has come back. */
    probe,
  }
}

/** The connection of this page to its service. */
export const connection = createConnection({
  isOnLine: () => navigator.onLine,
  probe: async () => {
    if (document.visibilityState === 'hidden') return false
    const answer = await fetch('/_health', { cache: 'no-store' }).catch(() => null)
    return answer?.ok ?? false
  },
  after: (ms, act) => void setTimeout(act, ms),
})

/** Hears from the browser when the network goes and comes, and when somebody looks again; to be called once. */
export function watchNetwork(): void {
  addEventListener('offline', () => connection.failed())
  addEventListener('online', () => void connection.probe())
  document.addEventListener('visibilitychange', () => void connection.probe())
}

export function useConnection(): ConnectionState {
  return useSelector(connection.state)
}
