import type { QueryClient } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { coverageWindowsMax, decodeCoverage } from '../../../contract/runs/coverage.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { intervalLength, windowAt, type Window } from '../../../contract/interval.ts'
import { call } from '../../api/call.ts'
import { sendMutation } from '../../api/send-mutation.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { send } from '../../queries/exports/overview.ts'
import { runEndpoints } from '../../queries/exports/run-endpoints.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { counted } from '../../format/amount.ts'
import { mergeWindows } from '../grid/window-selection.ts'

/** A repair plan of more than 366 days is refused. */
const yearMs = 365 * 86_400_000

/**
 * Returns the windows that the last pause of an export skipped and no run has exported: their number in words, and a function that
 * backfills exactly them. Null if there are none.
 */
export async function pauseGap(client: QueryClient, batchExport: BatchExport) {
  const { id, team_id, name, interval, last_paused_at: pausedAt } = batchExport
  if (pausedAt === null) return null
  const end = windowAt(interval, Date.now()).end
  const earliest = end - (coverageWindowsMax - 1) * intervalLength(interval)
  const start = Math.max(windowAt(interval, Date.parse(pausedAt)).start, earliest)
  const coverage = await call('coverageOfBatchExport', {
    params: { project_id: String(team_id), id },
    query: { start: formatInstant(start), end: formatInstant(end) },
  })
  const skipped = decodeCoverage(coverage).filter(({ state }) => state === 'paused')
  if (skipped.length === 0) return null
  const windows = counted(skipped.length, 'window')
  const fillGap = async () => {
    if (await hasNewInterval(batchExport, pausedAt)) return await repairSkipped(batchExport, { start, end })
    for (const range of mergeWindows(skipped))
      await send.backfill(batchExport, {
        start_at: formatInstant(range.start),
        end_at: formatInstant(range.end),
      })
  }
  return {
    text: `The pause skipped ${windows}.`,
    fill: () => {
      void sendMutation(client, fillGap)
        .then(
          () => toast(`Backfilling ${windows} of ${name}.`),
          toastFailure(`The windows of ${name} could not be backfilled.`),
        )
        .then(() => invalidate(client, ...runEndpoints))
    },
  }
}

/** Whether the interval was edited after a time: a backfill of whole windows may then repeat rows from before the pause. */
async function hasNewInterval({ id, team_id }: BatchExport, since: string): Promise<boolean> {
  const { results } = await call('changesOfBatchExport', { params: { project_id: String(team_id), id } })
  return results.some(
    ({ created_at: at, kind, fields }) =>
      kind !== 'created' &&
      Date.parse(at) > Date.parse(since) &&
      fields.some(({ field }) => field === 'interval'),
  )
}

/** Runs a repair plan of what was skipped in the last year of a period (milliseconds). */
async function repairSkipped({ id, team_id }: BatchExport, { start, end }: Window): Promise<void> {
  const project = { project_id: String(team_id) }
  const from = Math.max(start, end - yearMs)
  const body = { batch_export_ids: [id], start: formatInstant(from), end: formatInstant(end) }
  const plan = await call('createRepairPlan', { params: project, body })
  const params = { ...project, id: plan.id }
  const steps = [...plan.results]
  while (steps.length < plan.steps.total)
    steps.push(...(await call('getRepairPlan', { params, query: { offset: steps.length } })).results)
  const [skipped, others] = [true, false].map((isSkipped) =>
    steps.filter(({ causes }) => causes.skipped > 0 === isSkipped).map(({ number }) => number),
  )
  await call('runRepairPlan', { params, body: { include: skipped, leave_out: others } })
}
