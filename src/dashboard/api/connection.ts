import { createAtom, useSelector, type ReadonlyAtom } from '@tanstack/react-store'

/** `offline`: this device has no network. `unreachable`: it has one, but the service does not respond. */
export type ConnectionState = 'up' | 'offline' | 'unreachable'

const waitsMs = [2_000, 4_000, 8_000, 15_000] as const

/** Tracks whether the service responds. While it does not, probes it after 2, 4, 8 and then every 15 seconds. */
export function createConnection() {
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
    const isReachable = document.visibilityState !== 'hidden' && (await isHealthy())
    probing = false
    if (isReachable) succeeded()
    else failed()
  }
  const failed = () => {
    state.set(navigator.onLine ? 'unreachable' : 'offline')
    const attempt = ++tries
    const wait = waitsMs[Math.min(attempt, waitsMs.length) - 1] ?? 15_000
    // Only the latest failure leads to a probe.
    setTimeout(() => {
      if (attempt === tries) void probe()
    }, wait)
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
export const connection = createConnection()

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
