import type { RetentionKind, SweptData } from '../../contract/privacy/retention.ts'
import type { Services } from '../services.ts'
import type { Loop } from '../start-loops.ts'
import { privacySettings } from '../store/privacy/privacy-settings.ts'
import { noteDaysBefore } from '../store/runs/day-changes.ts'
import { deleteRunsBefore } from '../store/runs/write-runs.ts'
import { batchMax, deleteLogsBefore, sweptProjects } from '../store/privacy/retained-rows.ts'
import { updateRows } from '../store/schema/rows.ts'
import { derivedFromEvents } from './erase-rows.ts'
import { planRetention } from './retention-plan.ts'

type SweepServices = Pick<Services, 'store' | 'warehouse' | 'clock' | 'config'>

const dayMs = 86_400_000
/** Time of day (ms, UTC) at which projects are swept. */
const sweepTime = 2 * 3_600_000
const pollDelayMs = 60_000

/** Returns the first time of sweeps after a time; both in milliseconds. */
export function nextSweep(after: number): number {
  return Math.floor((after - sweepTime) / dayMs + 1) * dayMs + sweepTime
}

/** Returns the last time of sweeps up to a time; both in milliseconds. */
export function lastSweep(until: number): number {
  return nextSweep(until) - dayMs
}

/** Removes each night what is older or larger than the limits of its project. */
export function sweepLoop(services: Services): Loop {
  return {
    problem: 'failed to remove old data',
    work: async () => ((await sweepNext(services)) ? 0 : pollDelayMs),
  }
}

/** Sweeps a project that is due; resolves to whether there was one. After a crash, the sweep is repeated. */
export async function sweepNext(services: SweepServices): Promise<boolean> {
  const { store, clock } = services
  const now = clock.now()
  const due = (await sweptProjects(store)).find(({ swept_at }) => nextSweep(swept_at.getTime()) <= now)
  if (!due) return false
  const { project_id } = due
  const swept: SweptData = { events: 0, runs: 0, logs: 0 }
  const plans = await planRetention(services, project_id, await privacySettings(store, project_id))
  for (const { kind, until, removed_rows } of plans) {
    if (until === null) continue
    await removals[kind](services, project_id, new Date(until))
    swept[kind] = removed_rows
  }
  await updateRows(
    store,
    'privacy_settings',
    { project_id },
    { swept_at: new Date(now), swept: JSON.stringify(swept) },
  )
  return true
}

type Removal = (services: SweepServices, projectId: number, before: Date) => Promise<void>

const removals: Record<RetentionKind, Removal> = {
  events: removeEvents,
  async runs({ store }, project_id, before) {
    // First, so that the windows are not missing at any time.
    await store.transaction().execute(async (transaction) => {
      await updateRows(transaction, 'privacy_settings', { project_id }, { runs_kept_from: before })
      await noteDaysBefore(transaction, project_id, before)
    })
    while ((await deleteRunsBefore(store, project_id, before, batchMax)) > 0) continue
  },
  async logs({ store }, projectId, before) {
    while ((await deleteLogsBefore(store, projectId, before)) > 0) continue
  },
}

/** Removes events with what was derived from sessions of which no event remains, and rewrites the files that contain them. */
async function removeEvents({ warehouse }: SweepServices, project: number, before: Date): Promise<void> {
  const options = { params: { project, before: before.getTime() } }
  const ofProject = 'team_id = {project: Int64}'
  await warehouse.command(
    `DELETE FROM events WHERE ${ofProject} AND inserted_at < fromUnixTimestamp64Milli({before: Int64}, 'UTC')`,
    options,
  )
  const remaining = `session_id NOT IN (SELECT session_id FROM events WHERE ${ofProject})`
  for (const [table, condition] of Object.entries(derivedFromEvents))
    await warehouse.command(
      `DELETE FROM ${table} WHERE ${ofProject} AND ${condition} AND ${remaining}`,
      options,
    )
  await warehouse.command(
    `DELETE FROM property_values WHERE ${ofProject}
      AND (key, value) NOT IN (SELECT key, value FROM session_properties WHERE ${ofProject})`,
    options,
  )
  for (const table of ['events', 'property_values', ...Object.keys(derivedFromEvents)])
    await warehouse.command(`ALTER TABLE ${table} APPLY DELETED MASK SETTINGS mutations_sync = 0`)
}
