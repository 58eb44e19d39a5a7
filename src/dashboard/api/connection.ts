import { createAtom, useSelector, type ReadonlyAtom } from '@tanstack/react-store'

/** `offline`: this device has no network. `unreachable`: it has one, but the service does not respond. */
export type ConnectionState = 'up' | 'offline' | 'unreachable'

type Environment = {
  /** Whether the device has a network. */
  isOnLine: () => boolean
  /** Returns whether the service responds. */
  probe: () => Promise<boolean>
  after: (ms: number, run: () => void) => void
}

const waitsMs = [2_000, 4_000, 8_000, 15_000] as const

/** Tracks whether the service responds. While it does not, probes it after 2, 4, 8 and then every 15 seconds. */
export function createConnection(environment: Environment) {
  const state = createAtom<ConnectionState>('up')
  let tries = 0
  let probing = false

  const succeeded = () => {
    tries = 0
    state.set('up')
  }
  const probe = async () => {
    if (state.get() === 'up' || probing) return
    probing = true
    const isReachable = await environment.probe()
    probing = false
    if (isReachable) succeeded()
    else failed()
  }
  const failed = () => {
    state.set(environment.isOnLine() ? 'unreachable' : 'offline')
    const attempt = ++tries
    const wait = waitsMs[Math.min(attempt, waitsMs.length) - 1] ?? 15_000
    // Only the latest failure leads to a probe.
    environment.after(wait, () => {
      if (attempt === tries) void probe()
    })
  }
  return {
    state: state as ReadonlyAtom<ConnectionState>,
    succeeded,
    failed,
    /** Probes at once: the user retries, or the network is back. */
    probe,
  }
}

/** The connection of this page to its service. */
export const connection = createConnection({
  isOnLine: () => navigator.onLine,
  probe: async () => document.visibilityState !== 'hidden' && (await isHealthy()),
  after: (ms, run) => void setTimeout(run, ms),
})

/** Returns whether the service responds. */
export async function isHealthy(): Promise<boolean> {
  const response = await fetch('/_health', { cache: 'no-store' }).catch(() => null)
  return response?.ok ?? false
}

/** Listens for changes of the network and for the user's return to the page; call once. */
export function watchNetwork(): void {
  addEventListener('offline', () => connection.failed())
  addEventListener('online', () => void connection.probe())
  document.addEventListener('visibilitychange', () => void connection.probe())
}

export function useConnection(): ConnectionState {
  return useSelector(connection.state)
}
