import { once } from 'node:events'
import { setInterval } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

const checkIntervalMs = 50
/** V8 may end the whole process at its own limit of a heap, so that limit is above the one that is watched. */
const heapReserve = 2
const limitErrorCodes = new Set<unknown>(['ABORT_ERR', 'ERR_WORKER_OUT_OF_MEMORY'])

type ThreadOptions = {
  worker: URL
  memoryMaxMb?: number
  /** Largest number of pieces of work that wait for the thread. */
  waitingMax?: number
  /** Time (ms) without work after which the thread ends, which frees its memory; by default it stays. */
  idleMs?: number
  afterIdle?: () => void
}

type Turn = {
  /** Longest time (ms) for all replies of the thread: as elapsed time or as CPU time, which a busy machine does not use up. */
  limit: { elapsedMs: number } | { cpuMs: number }
  /** Lanes take turns, and `laneMax` limits the work that waits in this one. Urgent lanes come first. */
  lane?: string
  laneMax?: number
  isUrgent?: boolean
  /** Ends the thread while it does this work. */
  signal?: AbortSignal | undefined
}

type Ask<Input, Output> = (input: Input) => Promise<Output>
type Lane = { name: string; isUrgent: boolean; waiting: (() => Promise<void>)[] }

/** Too much work waits, the work exceeded a limit of time or memory, or the thread crashed. */
export class ThreadFailed extends Error {
  readonly reason: 'busy' | 'limit' | 'crash'

  constructor(reason: ThreadFailed['reason'], options?: ErrorOptions) {
    super(`a thread failed: ${reason}`, options)
    this.reason = reason
  }
}

/** A thread that does one piece of work at a time, so that none delays requests. It starts with the first, and again after a failure. */
export class Thread<Input, Output> {
  private readonly options: ThreadOptions
  private readonly lanes: Lane[] = []
  private worker: Worker | null = null
  private idle: NodeJS.Timeout | undefined
  private isWorking = false

  constructor(options: ThreadOptions) {
    this.options = options
  }

  /** The pieces of work that wait for the thread or run in it. */
  get load(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.waiting.length, this.isWorking ? 1 : 0)
  }

  /**
   * Calls `work` when its turn comes; each message that it asks has one reply. Errors of `work` itself leave the thread running.
   * @throws ThreadFailed
   */
  runInThread<Result>(work: (ask: Ask<Input, Output>) => Promise<Result>, turn: Turn): Promise<Result> {
    const { lane: name = '', laneMax = Infinity, isUrgent = false } = turn
    const known = this.lanes.find((lane) => lane.name === name)
    const waiting = this.lanes.reduce((sum, lane) => sum + lane.waiting.length, 0)
    if (waiting >= (this.options.waitingMax ?? Infinity) || (known?.waiting.length ?? 0) >= laneMax)
      return Promise.reject(new ThreadFailed('busy'))
    const lane = known ?? { name, isUrgent, waiting: [] }
    if (!known) this.lanes.push(lane)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    lane.waiting.push(() => this.perform(work, turn).then(resolve, reject))
    if (!this.isWorking) void this.workThrough()
    return promise
  }

  /** Ends the thread until there is more work. Call it only while no work is running. */
  async stop(): Promise<void> {
    clearTimeout(this.idle)
    const { worker } = this
    this.worker = null
    await worker?.terminate()
  }

  private async workThrough(): Promise<void> {
    this.isWorking = true
    for (let next = this.takeNext(); next; next = this.takeNext()) await next()
    this.isWorking = false
  }

  /** Takes the first work of the next lane, whose further work then waits for the other lanes. */
  private takeNext(): Lane['waiting'][number] | undefined {
    const lane = this.lanes.find(({ isUrgent }) => isUrgent) ?? this.lanes[0]
    if (!lane) return undefined
    this.lanes.splice(this.lanes.indexOf(lane), 1)
    const next = lane.waiting.shift()
    if (lane.waiting.length > 0) this.lanes.push(lane)
    return next
  }

  private async perform<Result>(
    work: (ask: Ask<Input, Output>) => Promise<Result>,
    { limit, signal: given }: Turn,
  ): Promise<Result> {
    clearTimeout(this.idle)
    const { idleMs, afterIdle, memoryMaxMb } = this.options
    const ended = new AbortController()
    let signal: AbortSignal | null = null
    try {
      return await work((input) => {
        const worker = (this.worker ??= this.start())
        signal ??= AbortSignal.any([
          watch(worker, { ...limit, memoryMaxMb }, ended),
          ...(given ? [given] : []),
        ])
        return this.ask(worker, input, signal)
      })
    } finally {
      ended.abort()
      if (idleMs !== undefined) this.idle = setTimeout(() => void this.stop().then(afterIdle), idleMs).unref()
    }
  }

  private start(): Worker {
    const { worker: file, memoryMaxMb } = this.options
    const limits = memoryMaxMb !== undefined && {
      resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb * heapReserve },
    }
    const worker = new Worker(file, { ...limits })
    // Between replies there is no other listener, and without one an error would end the process.
    return worker.on('error', () => {
      if (this.worker === worker) this.worker = null
    })
  }

  private async ask(worker: Worker, input: Input, signal: AbortSignal): Promise<Output> {
    // The thread keeps the process alive only while a caller waits for its reply.
    worker.ref()
    try {
      const received = once(worker, 'message', { signal })
      worker.postMessage(input, [])
      const [output] = (await received) as [Output]
      return output
    } catch (cause) {
      await this.stop()
      const isLimit = cause instanceof Error && 'code' in cause && limitErrorCodes.has(cause.code)
      throw new ThreadFailed(isLimit ? 'limit' : 'crash', { cause })
    } finally {
      worker.unref()
    }
  }
}

type Limits = Turn['limit'] & { memoryMaxMb: number | undefined }

/** Returns a signal that aborts when the thread exceeds a limit; aborting `ended` ends the watch. */
function watch(worker: Worker, limits: Limits, ended: AbortController): AbortSignal {
  const { memoryMaxMb } = limits
  if (memoryMaxMb !== undefined)
    void poll(ended, async () => {
      const heap = await worker.getHeapStatistics().catch(() => null)
      return heap !== null && heap.used_heap_size > memoryMaxMb * 1024 ** 2
    })
  if ('elapsedMs' in limits) return AbortSignal.any([ended.signal, AbortSignal.timeout(limits.elapsedMs)])
  const before = cpuMs(worker)
  void poll(ended, async () => (await cpuMs(worker)) - (await before) > limits.cpuMs)
  return ended.signal
}

/** Aborts `ended` once the limit is exceeded; ends when something else has aborted it. */
async function poll(ended: AbortController, isExceeded: () => Promise<boolean>): Promise<void> {
  for await (const _ of setInterval(checkIntervalMs, null, { ref: false })) {
    if (ended.signal.aborted) return
    if (await isExceeded()) ended.abort()
  }
}

/** Returns the CPU time that the thread has used; 0 before it runs and after it has ended. */
async function cpuMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}
