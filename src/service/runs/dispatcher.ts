import { setTimeout } from 'node:timers/promises'
import { probeDestination } from '../destinations/probe-destination.ts'
import type { Services } from '../services.ts'
import { fairest, hasRoom, type RunningRun } from './fair-order.ts'
import { waitingRuns, type WaitingRun } from './waiting-runs.ts'
import type { Worker, WorkOptions } from './worker.ts'

/** Delay (ms) between polls for due runs. */
const pollDelayMs = 500
/** Runs failed per failed probe, at most; the others wait for the next probe. */
const failuresPerProbe = 20

/**
 * Starts waiting runs in a fair order, one for each worker. A run starts only after its destination has responded, and
 * occupies no worker while it waits for its destination.
 */
export function openDispatcher(services: Services, worker: Worker, delayMs = pollDelayMs) {
  const { clock, config, logger, store } = services
  const running = new Map<string, RunningRun>()
  const failing = new Set<string>()
  const lastStarts = new Map<number, number>()
  const stopping = new AbortController()
  let starts = 0
  let woken = new AbortController()
  const wake = () => woken.abort()
  const reachability = openReachability(services, wake)
  const load = () => ({ running: [...running.values()], lastStarts, workers: config.workers })

  const start = (run: WaitingRun) => {
    const started = { ...run, waits: false }
    running.set(run.id, started)
    lastStarts.set(run.project_id, ++starts)
    const onWaiting = (waits: boolean) => {
      started.waits = waits
      wake()
    }
    execute(run.id, { onWaiting }, running)
  }

  const execute = (id: string, options: WorkOptions, inProgress: Pick<Set<string>, 'delete'>) =>
    void worker
      .work(id, options)
      .catch((error: unknown) => logger.error({ err: error, run: id }, 'failed to execute a run'))
      .finally(() => inProgress.delete(id))
      .then(wake)

  /** Fails runs whose destination does not respond, without a free worker. */
  const failUnreachable = (runs: readonly WaitingRun[]) => {
    for (const [place, group] of Map.groupBy(runs, (run) => run.place)) {
      for (const run of group.slice(0, failuresPerProbe)) {
        const unreachable = reachability.check(run)
        if (!(unreachable instanceof Error)) continue
        failing.add(run.id)
        execute(run.id, { unreachable }, failing)
      }
      if (place !== null) reachability.forget(place)
    }
  }

  const dispatch = async () => {
    if (!hasRoom(load())) return
    const found = await waitingRuns(store, clock.now(), config.workers)
    let waiting = found.filter(({ id }) => !running.has(id) && !failing.has(id))
    const checked = Map.groupBy(waiting, (run) => {
      const state = reachability.check(run)
      return state instanceof Error ? 'unreachable' : state
    })
    failUnreachable(checked.get('unreachable') ?? [])
    waiting = checked.get(true) ?? []
    while (!stopping.signal.aborted) {
      const next = fairest(waiting, load())
      if (!next) return
      waiting = waiting.filter((run) => run !== next)
      start(next)
    }
  }

  const loop = async () => {
    while (!stopping.signal.aborted) {
      woken = new AbortController()
      await dispatch().catch((error: unknown) => logger.error({ err: error }, 'failed to start due runs'))
      await setTimeout(delayMs, undefined, { signal: woken.signal }).catch(() => undefined)
    }
  }
  const looping = loop()
  return {
    async stop(): Promise<void> {
      stopping.abort()
      wake()
      reachability.stop()
      await looping
    },
  }
}

type Place = { probe: 'running' } | { probe: 'responded'; at: number } | { probe: 'failed'; error: Error }

/** Time (ms) after a response for which a destination counts as reachable. */
const responseValidMs = 10_000
const probesMax = 100

/** Probes each endpoint and bucket once for all runs that wait for it; calls `changed` after each probe. */
function openReachability(services: Services, changed: () => void) {
  const { clock } = services
  const places = new Map<string, Place>()
  const stopping = new AbortController()
  const probing = new Set<WaitingRun>()

  const probe = async (run: WaitingRun, place: string) => {
    probing.add(run)
    places.set(place, { probe: 'running' })
    try {
      const error = await probeDestination(services, run, stopping.signal)
      places.set(place, error ? { probe: 'failed', error } : { probe: 'responded', at: clock.now() })
    } finally {
      probing.delete(run)
    }
    changed()
  }

  return {
    /** Returns true if the run's destination responds, its error if not, and null until a probe has ended. */
    check(run: WaitingRun): true | Error | null {
      if (run.place === null) return true
      const known = places.get(run.place)
      if (known?.probe === 'running') return null
      if (known?.probe === 'failed') return known.error
      if (known && Math.abs(clock.now() - known.at) < responseValidMs) return true
      const ofProject = [...probing].filter(({ project_id }) => project_id === run.project_id)
      // A project leaves probes to others, as it does with places of runs.
      if (ofProject.length < probesMax - probing.size) void probe(run, run.place)
      return null
    },
    /** Forgets a failed probe, so that the next run starts another. */
    forget(place: string) {
      if (places.get(place)?.probe === 'failed') places.delete(place)
    },
    stop: () => stopping.abort(),
  }
}
