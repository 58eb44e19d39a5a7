import { setTimeout } from 'node:timers/promises'
import { auditLoops } from './audit/audit-loops.ts'
import { alertLoops, storeHeartbeat } from './alerts/alert-loops.ts'
import { bulkActionLoop, removalLoop } from './bulk/run-bulk-actions.ts'
import { importLoop } from './capture/import/import-job.ts'
import { removePartialFiles } from './destinations/folder/write-folder.ts'
import { removeUploads } from './destinations/uploads/upload-folder.ts'
import { gatherProperties } from './recordings/filter/gather-properties.ts'
import { openAssetSearch } from './recordings/assets/search-assets.ts'
import { removeOrphanedAssets } from './recordings/assets/delete-assets.ts'
import { openVault } from './recordings/assets/vault.ts'
import { mailLoops } from './mail/send-mails.ts'
import { computePaths } from './recordings/similar/path-job.ts'
import { continueGroupSummary } from './recordings/descriptions/summarize-group.ts'
import { mirrorRecordings } from './recordings/mirror-recordings.ts'
import { readNewRecordings } from './recordings/descriptions/read-new-recordings.ts'
import { removeOldRecordings, removeOrphanedBlocks } from './recordings/retention.ts'
import type { Services } from './services.ts'
import { deleteEnded } from './auth/sessions.ts'
import { erasureLoop } from './privacy/run-erasures.ts'
import { sweepLoop } from './privacy/sweep.ts'
import { startLoops, type Background, type Loop } from './start-loops.ts'
import { refreshDays } from './store/windows/export-days.ts'
import { deleteUnusedPlans } from './store/repair/repair-plans.ts'
import { releaseWindows } from './store/windows/ledger.ts'
import { releaseGroupSummaries } from './store/recordings/group-summaries.ts'
import { mergeHours } from './store/recordings/recording-hours.ts'
import { countRepairRows } from './background/count-repair-rows.ts'
import { openDispatcher } from './runs/dispatcher.ts'
import { endPauses } from './background/end-pauses.ts'
import { takeOverAll } from './store/runs/write-runs.ts'
import { continueRepairPlans } from './background/run-repair-plans.ts'
import { nextDue, tick } from './background/scheduler.ts'
import { requestNightlySamples, verifyNext } from './background/verify-windows.ts'
import { openWaitingWork } from './background/waiting-work.ts'
import { openWorker } from './runs/worker.ts'
import { mergeTables } from './warehouse/merge-tables.ts'

const dayMs = 86_400_000
/** Delay between deletions of what has ended, such as challenges, for which anyone can ask. */
const endedDelayMs = 10 * 60_000
/** Delay between searches for sessions whose path needs computing. */
const pathDelayMs = 5000
/** Delay between searches for recordings to read, and between batches of them, so that other requests get a turn. */
const readingDelayMs = 3000
const readingPauseMs = 200
/** Delay between searches for summaries of several recordings. */
const summaryDelayMs = 500
const gatherDelayMs = 10_000
/** Delay between searches for recordings to copy to the warehouse. */
const mirrorDelayMs = 10_000
/** Delay between merges of the rows that count recordings by hour. */
const hoursDelayMs = 60_000
/** Delay between searches for windows to verify. */
const verifyDelayMs = 1000
/** Delay between checks of running repair plans. */
const repairDelayMs = 500
/** Age at which a repair plan that nobody has run is deleted. */
const unusedPlanMs = 7 * dayMs
/** Delay between searches for exports whose nightly sample is due. */
const sampleDelayMs = 10 * 60_000
/** Delay between searches for tables of the warehouse to merge. */
const mergeDelayMs = 10 * 60_000
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

/** Starts the background work of the process: what its roles include, and what every process does. */
export async function startBackground(services: Services): Promise<Background> {
  const { roles } = services.config
  const isWorker = roles.includes('work')
  const runs = isWorker ? await startRuns(services) : null
  // Otherwise the first evaluation of alerts would find no worker.
  if (isWorker) await storeHeartbeat(services)
  const whenWaiting = openWaitingWork(services.store)
  const loops = startLoops(services, [
    ...(isWorker
      ? [
          ...recordingLoops(services, whenWaiting),
          ...assetLoops(services),
          ...exportLoops(services, whenWaiting),
          whenWaiting('bulkActions', bulkActionLoop(services)),
          removalLoop(services),
          erasureLoop(services),
          sweepLoop(services),
        ]
      : []),
    ...(roles.includes('schedule') ? [scheduleLoop(services), ...auditLoops(services)] : []),
    repeat('failed to delete ended sessions', endedDelayMs, () => deleteEnded(services)),
    ...alertLoops(services),
    ...mailLoops(services),
    whenWaiting('imports', importLoop(services)),
  ])
  let stopped: Promise<void> | null = null
  return {
    stop() {
      return (stopped ??= Promise.all([runs?.stop(), loops.stop()]).then(() => undefined))
    },
  }
}

/** Takes over the runs of a process that died, and executes runs. */
async function startRuns(services: Services): Promise<Background> {
  const { config, exportsFolder } = services
  // With the embedded engines, no other process can be executing runs.
  const isOnlyProcess = config.databaseUrl === null && config.clickhouseUrl === null
  if (isOnlyProcess)
    await Promise.all([
      takeOverAll(services),
      releaseGroupSummaries(services.store),
      releaseWindows(services.store),
    ])
  if (isOnlyProcess && exportsFolder !== null) await removePartialFiles(exportsFolder)
  await removeUploads(config, isOnlyProcess)
  const worker = openWorker(services)
  const dispatcher = openDispatcher(services, worker)
  return {
    async stop() {
      await dispatcher.stop()
      await worker.stop()
    },
  }
}

/** Repeats work: at once while it returns true or a number above 0, else after the delay (ms). */
function repeat(
  problem: string,
  delayMs: number,
  work: (signal: AbortSignal) => Promise<number | boolean | void>,
): Loop {
  return { problem, work: async (signal) => (Number(await work(signal)) > 0 ? 0 : delayMs) }
}

type WhenWaiting = ReturnType<typeof openWaitingWork>

function recordingLoops(services: Services, whenWaiting: WhenWaiting): Loop[] {
  const servedProjects = new Set<number>()
  return [
    {
      problem: 'failed to delete old recordings',
      async work() {
        if ((await removeOldRecordings(services)) > 0) return 0
        await removeOrphanedBlocks(services)
        await removeOrphanedAssets(services)
        return dayMs
      },
    },
    repeat('failed to compute the paths of sessions', pathDelayMs, () => computePaths(services)),
    {
      problem: 'failed to summarize recordings',
      work: async (signal) =>
        (await readNewRecordings(services, servedProjects, signal)) > 0 ? readingPauseMs : readingDelayMs,
    },
    whenWaiting(
      'summaries',
      repeat('failed to continue a summary of recordings', summaryDelayMs, () =>
        continueGroupSummary(services),
      ),
    ),
    repeat('failed to gather the properties of sessions', gatherDelayMs, () => gatherProperties(services)),
    repeat('failed to copy recordings to the warehouse', mirrorDelayMs, () => mirrorRecordings(services)),
    repeat('failed to merge the hourly counts of recordings', hoursDelayMs, () => mergeHours(services.store)),
    {
      problem: 'failed to merge tables of the warehouse',
      async work(signal) {
        // Waits first: a start has other work, and an error may be there for long.
        await setTimeout(mergeDelayMs, undefined, { signal }).catch(() => undefined)
        if (!signal.aborted) await mergeTables(services.warehouse, services.clock.now(), { signal })
        return 0
      },
    },
  ]
}

/** Searches recordings for files that they show, and fetches these. */
function assetLoops(services: Services): Loop[] {
  const search = openAssetSearch(services)
  const vault = openVault(services)
  return [
    {
      problem: 'failed to search recordings for files',
      work: async () => ((await search.run()) > 0 ? assetPauseMs : assetDelayMs),
      end: () => search.stop(),
    },
    repeat('failed to fetch the files of recordings', assetDelayMs, (signal) => vault.fetchWaiting(signal)),
  ]
}

function exportLoops(services: Services, whenWaiting: WhenWaiting): Loop[] {
  return [
    repeat('failed to verify a window', verifyDelayMs, (signal) => verifyNext(services, signal)),
    whenWaiting(
      'plans',
      repeat('failed to continue a repair plan', repairDelayMs, () => continueRepairPlans(services)),
    ),
    whenWaiting(
      'plansToCount',
      repeat('failed to count the rows of a repair plan', repairDelayMs, (signal) =>
        countRepairRows(services, signal),
      ),
    ),
    repeat('failed to delete unused repair plans', dayMs, () =>
      deleteUnusedPlans(services.store, new Date(services.clock.now() - unusedPlanMs)),
    ),
    repeat('failed to request nightly verifications', sampleDelayMs, () => requestNightlySamples(services)),
    repeat('failed to store the states of windows', daysDelayMs, () =>
      refreshDays(services.store, null, services.clock.now()),
    ),
  ]
}

function scheduleLoop(services: Services): Loop {
  return {
    problem: 'failed to schedule due runs',
    async work() {
      const unpaused = await endPauses(services)
      const { created } = await tick(services)
      if (created + unpaused > 0) return 0
      const due = await nextDue(services)
      if (due === null) return tickDelayMsMax
      return Math.min(Math.max(due - services.clock.now(), tickDelayMsMin), tickDelayMsMax)
    },
  }
}
