import { removePartialFiles } from '../exporter/write-folder.ts'
import { gatherProperties } from '../recordings/filter/gather-properties.ts'
import { makePaths } from '../recordings/similar/path-job.ts'
import { removeOldRecordings, removeOrphanedBlocks } from '../recordings/retention.ts'
import type { Services } from '../services.ts'
import { reap, takeOverAll } from './reaper.ts'
import { nextDue, tick } from './scheduler.ts'
import { openWorker } from './worker.ts'

const workersAtOnce = 2
const reapPeriod = 5000
const dayMs = 86_400_000
/** A session's way is known so soon after its last data. */
const pathPeriod = 5000
const gatherPeriod = 10_000
/** The schedule is looked at this often at least, for exports that were made or changed meanwhile. */
const tickPeriodMax = 2000
/** A window that is due but held by an insert in flight is looked at again so soon. */
const tickPeriodMin = 200

type Background = { stop(): Promise<void> }

/** Starts what the process does beside answering requests, by its roles: schedule runs, work on them. */
export async function startBackground(services: Services): Promise<Background> {
  const { config } = services
  const parts: Background[] = []
  if (config.roles.includes('work')) parts.push(await startWork(services))
  if (config.roles.includes('schedule')) parts.push(startSchedule(services))
  let stopped: Promise<void> | null = null
  return {
    stop() {
      return (stopped ??= Promise.all(parts.map((part) => part.stop())).then(() => undefined))
    },
  }
}

async function startWork(services: Services): Promise<Background> {
  const { config, exportsFolder, queue, logger } = services
  // With the embedded engines no other process can be working on anything.
  const isAlone = config.databaseUrl === null && config.clickhouseUrl === null
  if (isAlone) await takeOverAll(services)
  if (isAlone && exportsFolder !== null) await removePartialFiles(exportsFolder)
  const worker = openWorker(services)
  await queue.work(async (runId) => {
    await worker.work(runId).catch((error: unknown) => {
      logger.error({ err: error, run: runId }, 'the worker could not go on with a run')
    })
  }, workersAtOnce)
  const reaper = repeat(services, 'runs without a worker could not be looked for', async () => {
    await reap(services)
    return reapPeriod
  })
  const retention = repeat(services, 'old recordings could not be removed', async () => {
    if ((await removeOldRecordings(services)) > 0) return 0
    await removeOrphanedBlocks(services)
    return dayMs
  })
  const paths = repeat(services, 'the ways of sessions could not be worked out', async () =>
    (await makePaths(services)) > 0 ? 0 : pathPeriod,
  )
  const properties = repeat(services, 'the properties of sessions could not be gathered', async () =>
    (await gatherProperties(services)) ? 0 : gatherPeriod,
  )
  return {
    async stop() {
      await Promise.all([reaper.stop(), retention.stop(), paths.stop(), properties.stop()])
      await worker.stop()
      await queue.stopWork()
    },
  }
}

function startSchedule(services: Services): Background {
  return repeat(services, 'the schedule could not be followed', async () => {
    const { created } = await tick(services)
    if (created > 0) return 0
    const due = await nextDue(services)
    if (due === null) return tickPeriodMax
    return Math.min(Math.max(due - services.clock.now(), tickPeriodMin), tickPeriodMax)
  })
}

/** Repeats the work, each time after as many milliseconds as it says; a failure is reported, and tried again in a second. */
function repeat({ logger }: Services, problem: string, work: () => Promise<number>): Background {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = async () => {
    while (!signal.aborted) {
      const pause = await work().catch((error: unknown) => {
        logger.error({ err: error }, problem)
        return 1000
      })
      await wait(pause, signal)
    }
  }
  const running = loop()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
}
