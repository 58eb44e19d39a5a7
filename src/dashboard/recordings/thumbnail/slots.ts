/** Still replays that may exist at a time; each has a frame with a document and a worker. */
const slotsMax = 10

let taken = 0
let isScheduled = false
const waiting = new Set<() => void>()

/** Calls `grant` in idle time, once there is a free slot; the returned function releases the slot or ends the wait. */
export function takeSlot(grant: () => void): () => void {
  let isGranted = false
  const entry = () => {
    isGranted = true
    taken += 1
    grant()
  }
  waiting.add(entry)
  addEventListener('scroll', noteScroll, { passive: true })
  schedule()
  return () => {
    waiting.delete(entry)
    if (isGranted) taken -= 1
    isGranted = false
    schedule()
  }
}

/** Grants one slot at a time, so that the page responds between two frames that load. */
function schedule(): void {
  if (isScheduled || taken >= slotsMax || waiting.size === 0) return
  isScheduled = true
  whenIdle((isIdle) => {
    isScheduled = false
    const [first] = waiting
    if (first && isIdle && taken < slotsMax) {
      waiting.delete(first)
      first()
    }
    schedule()
  })
}

/** Time (ms) without scrolling after which a still replay may be made. */
const restMs = 150
/** Time (ms) after which a still replay is made although the page has no idle time, as on a busy machine. */
const patienceMs = 1000

let scrolledAt = -Infinity

function noteScroll(): void {
  scrolledAt = performance.now()
}

function whenIdle(run: (isIdle: boolean) => void): void {
  const runAtRest = () => run(performance.now() - scrolledAt >= restMs)
  if (performance.now() - scrolledAt < restMs) setTimeout(runAtRest, restMs)
  else if ('requestIdleCallback' in globalThis) requestIdleCallback(runAtRest, { timeout: patienceMs })
  else setTimeout(runAtRest, restMs)
}
