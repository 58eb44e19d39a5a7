import { removePartialFiles } from '../destinations/write-folder.ts'
import { gatherProperties } from '../recordings/filter/gather-properties.ts'
import { openAssetSearch } from '../recordings/assets/search-assets.ts'
import { removeOrphanedAssets } from '../recordings/assets/delete-assets.ts'
import { openVault } from '../recordings/assets/vault.ts'
import { computePaths } from '../recordings/similar/path-job.ts'
import { continueVisitsSummary } from '../recordings/visits/summarize-visits.ts'
import { mirrorRecordings } from '../recordings/mirror-recordings.ts'
import { readNewVisits } from '../recordings/visits/visit-job.ts'
import { removeOldRecordings, removeOrphanedBlocks } from '../recordings/retention.ts'
import type { Services } from '../services.ts'
import { writeMissingCauses } from '../store/runs/failure-causes.ts'
import { refreshDays } from '../store/windows/export-days.ts'
import { deleteUnusedPlans } from '../store/repair/repair-plans.ts'
import { releaseWindows } from '../store/windows/ledger.ts'
import { releaseVisitSummaries } from '../store/recordings/visit-summaries.ts'
import { countRepairRows } from './count-repair-rows.ts'
import { openDispatcher } from '../runs/dispatcher.ts'
import { endPauses } from './end-pauses.ts'
import { takeOverAll } from '../runs/take-over-all.ts'
import { continueRepairPlans } from './run-repair-plans.ts'
import { nextDue, tick } from './scheduler.ts'
import { requestNightlySamples, verifyNext } from './verify-windows.ts'
import { openWorker } from '../runs/worker.ts'

const dayMs = 86_400_000
/** Delay between searches for sessions whose path needs computing. */
const pathDelayMs = 5000
/** Delay between searches for recordings to read, and between batches of them, so that other requests get a turn. */
const visitDelayMs = 3000
const visitPauseMs = 200
/** Delay between searches for summaries of several visits. */
const summaryDelayMs = 500
const gatherDelayMs = 10_000
/** Delay between searches for recordings to copy to the warehouse. */
const mirrorDelayMs = 10_000
/** Delay between searches for windows to verify. */
const verifyDelayMs = 1000
/** Delay between checks of running repair plans. */
const repairDelayMs = 500
/** Age at which a repair plan that nobody has run is deleted. */
const unusedPlanMs = 7 * dayMs
/** Delay between searches for exports whose nightly sample is due. */
const sampleDelayMs = 10 * 60_000
/** Delay between searches for failed runs without a cause, which processes of an earlier version may still write. */
const causeDelayMs = 10 * 60_000
/** Delay between updates of the stored states of windows, which also limits how many changes wait for the home page. */
const daysDelayMs = 10_000
/** Delay between searches of recordings for new files, and between searches for files to fetch. */
const assetDelayMs = 3000
/** Delay between searches while recordings are left to search, so that capture can use the database. */
const assetPauseMs = 500
/** Maximum delay between ticks of the scheduler, which pick up created and changed exports. */
const tickDelayMsMax = 2000
/** Delay before the next tick while an insert in flight holds back a due window. */
const tickDelayMsMin = 200

export type Background = { stop(): Promise<void> }

/** Starts the background work that the process's roles include: scheduling runs and executing them. */
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
  const { config, exportsFolder, queue } = services
  // With the embedded engines, no other process can be executing runs.
  const isOnlyProcess = config.databaseUrl === null && config.clickhouseUrl === null
  if (isOnlyProcess)
    await Promise.all([
      takeOverAll(services),
      releaseVisitSummaries(services.store),
      releaseWindows(services.store),
    ])
  if (isOnlyProcess && exportsFolder !== null) await removePartialFiles(exportsFolder)
  const worker = openWorker(services)
  const dispatcher = openDispatcher(services, worker)
  await queue.work(() => dispatcher.wake())
  const repeated = [...startRecordingWork(services), startAssetWork(services), ...startExportWork(services)]
  return {
    async stop() {
      await Promise.all([dispatcher.stop(), ...repeated.map((part) => part.stop())])
      await worker.stop()
      await queue.stopWork()
    },
  }
}

function startRecordingWork(services: Services): Background[] {
  const retention = repeat(services, 'old recordings could not be deleted', async () => {
    if ((await removeOldRecordings(services)) > 0) return 0
    await removeOrphanedBlocks(services)
    await removeOrphanedAssets(services)
    return dayMs
  })
  const paths = repeat(services, 'the paths of sessions could not be computed', async () =>
    (await computePaths(services)) > 0 ? 0 : pathDelayMs,
  )
  const servedProjects = new Set<number>()
  const visits = repeat(services, 'recordings could not be summarized', async (signal) =>
    (await readNewVisits(services, servedProjects, signal)) > 0 ? visitPauseMs : visitDelayMs,
  )
  const summaries = repeat(services, 'a summary of visits could not be continued', async () =>
    (await continueVisitsSummary(services)) ? 0 : summaryDelayMs,
  )
  const properties = repeat(services, 'the properties of sessions could not be gathered', async () =>
    (await gatherProperties(services)) ? 0 : gatherDelayMs,
  )
  const mirror = repeat(services, 'recordings could not be copied to the warehouse', async () =>
    (await mirrorRecordings(services)) > 0 ? 0 : mirrorDelayMs,
  )
  return [retention, paths, visits, summaries, properties, mirror]
}

/** Searches recordings for files that they show, and fetches these. */
function startAssetWork(services: Services): Background {
  const search = openAssetSearch(services)
  const searches = repeat(services, 'recordings could not be searched for files', async () =>
    (await search.run()) > 0 ? assetPauseMs : assetDelayMs,
  )
  const vault = openVault(services)
  const fetches = repeat(services, 'the files of recordings could not be fetched', async (signal) =>
    (await vault.fetchWaiting(signal)) > 0 ? 0 : assetDelayMs,
  )
  return {
    async stop() {
      await Promise.all([searches.stop(), fetches.stop()])
      await search.stop()
    },
  }
}

function startExportWork(services: Services): Background[] {
  const verifications = repeat(services, 'a window could not be verified', async (signal) =>
    (await verifyNext(services, signal)) ? 0 : verifyDelayMs,
  )
  const repairs = repeat(services, 'a repair plan could not be continued', async () =>
    (await continueRepairPlans(services)) ? 0 : repairDelayMs,
  )
  const repairRows = repeat(services, 'the rows of a repair plan could not be counted', async (signal) =>
    (await countRepairRows(services, signal)) ? 0 : repairDelayMs,
  )
  const unusedPlans = repeat(services, 'unused repair plans could not be deleted', async () => {
    const time = new Date(services.clock.now() - unusedPlanMs)
    return (await deleteUnusedPlans(services.store, time)) > 0 ? 0 : dayMs
  })
  const samples = repeat(services, 'nightly verifications could not be requested', async () => {
    await requestNightlySamples(services)
    return sampleDelayMs
  })
  const causes = repeat(services, 'the causes of failures could not be computed', async () =>
    (await writeMissingCauses(services.store)) > 0 ? 0 : causeDelayMs,
  )
  const days = repeat(services, 'the states of windows could not be stored', async () => {
    await refreshDays(services.store, null, services.clock.now())
    return daysDelayMs
  })
  return [verifications, repairs, repairRows, unusedPlans, samples, causes, days]
}

function startSchedule(services: Services): Background {
  return repeat(services, 'due runs could not be scheduled', async () => {
    const unpaused = await endPauses(services)
    const { created } = await tick(services)
    if (created + unpaused > 0) return 0
    const due = await nextDue(services)
    if (due === null) return tickDelayMsMax
    return Math.min(Math.max(due - services.clock.now(), tickDelayMsMin), tickDelayMsMax)
  })
}

/**
 * Repeats `work`, which returns the delay (ms) before its next call; logs a failure and tries again after a second. Stopping
 * aborts the signal.
 */
export function repeat(
  { logger }: Services,
  problem: string,
  work: (signal: AbortSignal) => Promise<number>,
): Background {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = async () => {
    while (!signal.aborted) {
      const delay = await work(signal).catch((error: unknown) => {
        logger.error({ err: error }, problem)
        return 1000
      })
      await wait(delay, signal)
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
