import { probeDestination } from '../destinations/probe-destination.ts'
import type { Services } from '../services.ts'
import type { WaitingRun } from './waiting-runs.ts'

export type Reachability = {
  /** Returns true if the run's destination responds, its error if not, and null until a probe has ended. */
  check(run: WaitingRun): true | Error | null
  /** Forgets a failed probe, so that the next run starts another. */
  forget(place: string): void
  stop(): void
}

type Place = { probe: 'running' } | { probe: 'responded'; at: number } | { probe: 'failed'; error: Error }

/** Time (ms) after a response for which a destination counts as reachable. */
const responseValidMs = 10_000
const probesMax = 100

/** Probes each endpoint and bucket once for all runs that wait for it; calls `changed` after each probe. */
export function openReachability(services: Services, changed: () => void): Reachability {
  const { clock } = services
  const places = new Map<string, Place>()
  const stopping = new AbortController()
  let probes = 0

  const probe = async (run: WaitingRun, place: string) => {
    probes += 1
    places.set(place, { probe: 'running' })
    try {
      const error = await probeDestination(services, run, stopping.signal)
      places.set(place, error ? { probe: 'failed', error } : { probe: 'responded', at: clock.now() })
    } finally {
      probes -= 1
    }
    changed()
  }

  return {
    check(run) {
      if (run.place === null) return true
      const known = places.get(run.place)
      if (known?.probe === 'running') return null
      if (known?.probe === 'failed') return known.error
      if (known && Math.abs(clock.now() - known.at) < responseValidMs) return true
      if (probes < probesMax) void probe(run, run.place)
      return null
    },
    forget(place) {
      if (places.get(place)?.probe === 'failed') places.delete(place)
    },
    stop: () => stopping.abort(),
  }
}
