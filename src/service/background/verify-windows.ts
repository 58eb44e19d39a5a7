import { probeDestination } from '../destinations/probe-destination.ts'
import { verifyWindow } from '../exporter/verify/verify-window.ts'
import type { Services } from '../services.ts'
import { anyBatchExport } from '../store/runs/batch-exports.ts'
import { claimWaitingWindow, storeUnreachable, storeVerified } from '../store/windows/ledger.ts'
import { requestSamples } from '../store/windows/verifications.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
/** Time (ms) after which another process may verify the window too. */
const claimMs = 30 * 60_000
/** Longest time (ms) for a window: shorter than its claim, so that a slow destination neither keeps others waiting nor is read twice. */
const windowMs = 20 * 60_000
/** Hour of the day (UTC) at which nightly samples begin. */
const nightHour = 2
/** Windows in a sample. */
const sampleSize = 24
/** Greatest age of a sampled window, in days. */
const sampleDays = 90

/**
 * Verifies the next window that waits for its verification; resolves to false if none waits. If the destination cannot be
 * reached, the export's other windows are not tried.
 */
export async function verifyNext(services: Services, signal: AbortSignal): Promise<boolean> {
  const { store, clock } = services
  const window = await claimWaitingWindow(store, clock.now(), claimMs)
  if (!window) return false
  const exportRow = await anyBatchExport(store, window.batch_export_id)
  const giveUp = (problem: string) => storeUnreachable(store, exportRow.id, problem, new Date(clock.now()))
  if (exportRow.deleted_at) {
    await giveUp('The export was deleted.')
    return true
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(windowMs)])
  const found = await verifyWindow(services, exportRow, window, limit)
  // The next process begins again: a killed statement proves nothing.
  if (signal.aborted) return true
  await storeVerified(store, window, found, new Date(clock.now()))
  if (found.problem === null) return true
  const unreachable = await probeDestination(services, exportRow, signal)
  if (unreachable) await giveUp(found.problem)
  return true
}

/** Requests a sample of windows of each export that is verified nightly, once a night. */
export async function requestNightlySamples({ store, clock }: Pick<Services, 'store' | 'clock'>) {
  const now = clock.now()
  const since = Math.floor((now - nightHour * hourMs) / dayMs) * dayMs + nightHour * hourMs
  const times = { since: new Date(since), at: new Date(now), oldest: new Date(now - sampleDays * dayMs) }
  await requestSamples(store, times, sampleSize)
}
