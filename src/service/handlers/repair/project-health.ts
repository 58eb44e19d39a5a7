import { formatInstant } from '../../../contract/instant.ts'
import { comparedWeeks } from '../../../contract/runs/usual-rows.ts'
import {
  healthDays,
  healthNamesMax,
  type HealthChange,
  type ProjectHealth,
} from '../../../contract/repair/project-health.ts'
import { allowsScope } from '../../../contract/accounts/scopes.ts'
import { visitorName } from '../../../contract/recordings/visitor-name.ts'
import { captureActivity } from '../../capture/capture-activity.ts'
import { newClusters, patternsOf } from '../../recordings/error-clusters.ts'
import type { Services } from '../../services.ts'
import { cached } from '../../store/schema/cached.ts'
import { dayOf } from '../../store/runs/day-changes.ts'
import { refreshDays } from '../../store/windows/export-days.ts'
import {
  changesSince,
  failuresSince,
  healthRows,
  isSampleProject,
  newestRecording,
  newestRunning,
  recordingsWithErrors,
  rowsOfPeriods,
  runningBackfills,
} from '../../store/windows/project-health.ts'
import type { Handler } from '../handler.ts'
import { gapsSince, healthExport, healthStrip, mostUrgent, type HealthExport } from './health-strips.ts'
import { readInstant } from '../given-times.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Newest recordings among which those with errors are counted. */
const recordingsMax = 10_000
/** Time (ms) for which counts of errors are cached. */
const errorsFreshMs = 5000
/** Time (ms) for which the rows of today are cached. */
const todayFreshMs = 5000
/** Time (ms) for which the rows of the weeks before are cached. */
const pastFreshMs = 5 * 60_000
/** Time (ms) that a run has to complete after its window's end before its rows count as missing. */
const deliveryMs = 15 * 60_000

/** Returns whether everything in a project is fine. Windows are read from `batch_export_days`, not from the runs. */
export const healthOfProject: Handler<'healthOfProject'> = async ({ services, project, caller, query }) => {
  const { store, clock } = services
  const now = clock.now()
  await refreshDays(store, project.id, now)
  const since = readInstant(query.since)
  const readsRecordings = allowsScope(caller.scopes, 'session_recording:read')
  const [rows, delivered, running, backfills, capture, isSample] = await Promise.all([
    healthRows(store, project.id, dayOf(now) - healthDays),
    deliveredRows(services, project.id, now),
    newestRunning(store, project.id, healthNamesMax),
    runningBackfills(store, project.id, healthNamesMax),
    readsRecordings ? showCapture(services, project.id) : null,
    isSampleProject(store, project.id),
  ])
  const exports = rows.map((row) => healthExport(row, now))
  const { start, ...strip } = healthStrip(exports, now)
  const inState = (state: HealthExport['state']) => exports.filter((one) => one.state === state).length
  return {
    at: formatInstant(now),
    is_sample: isSample,
    exports: {
      total: exports.length,
      complete: exports.filter(
        (one) => one.to_repair === 0 && !['failing', 'auto-paused'].includes(one.state),
      ).length,
      failing: inState('failing'),
      paused: inState('paused'),
      auto_paused: inState('auto-paused'),
      to_repair: sum(exports.map((one) => one.to_repair)),
    },
    most_urgent: mostUrgent(exports),
    strip: { start: formatInstant(start), ...strip },
    rows: delivered,
    ...(since
      ? await changesAfter(services, project.id, { since, exports, readsRecordings })
      : { changes: null, more_changes: 0 }),
    running: {
      runs: running[0]?.total ?? 0,
      newest: running.map((run) => ({
        id: run.id,
        export: { id: run.export_id, name: run.name },
        start: formatInstant(run.data_interval_start),
        end: formatInstant(run.data_interval_end),
        started_at: formatInstant(run.started_at),
        records_completed: run.records_completed,
        records_total_count: run.records_total_count,
      })),
      backfills: backfills.map(({ id, export_id, name, total_runs, finished_runs }) => ({
        id,
        export: { id: export_id, name },
        total_runs,
        finished_runs,
      })),
    },
    capture,
  }
}

/**
 * Rows of the windows that ended today, and those that exports usually have at this time of the week: their medians in the weeks
 * before. Exports without rows in those weeks are not compared.
 */
async function deliveredRows({ store }: Pick<Services, 'store'>, projectId: number, now: number) {
  const until = Math.floor((now - deliveryMs) / hourMs) * hourMs
  const today = { start: Math.floor(until / dayMs) * dayMs - 1, end: until }
  const weeks = Array.from({ length: comparedWeeks }, (_, index) => {
    const earlier = (index + 1) * 7 * dayMs
    return { start: today.start - earlier, end: today.end - earlier }
  })
  const read = <Value>(name: string, freshMs: number, find: () => Promise<Value>) =>
    cached(store, `${name} ${projectId} ${until}`, { now, freshMs }, find)
  const [rows = new Map<string, number>()] = await read('today', todayFreshMs, () =>
    rowsOfPeriods(store, projectId, [today]),
  )
  // Reading eight weeks takes longer than all else, and the past hardly changes.
  const past = await read('rows', pastFreshMs, async () =>
    usualRows(await rowsOfPeriods(store, projectId, weeks)),
  )
  return {
    until: formatInstant(until),
    today: sum(rows.values()),
    compared: sum([...rows].flatMap(([id, rows]) => (past.exports.has(id) ? [rows] : []))),
    usual: past.usual,
    weeks: past.weeks,
  }
}

/** Sums the medians of the rows that each export had in these weeks; null without any. */
function usualRows(weeks: readonly ReadonlyMap<string, number>[]) {
  const known = Map.groupBy(
    weeks.flatMap((week) => [...week]),
    ([id]) => id,
  )
  const usual = [...known.values()].map((rows) => lowerMedian(rows.map(([, count]) => count)))
  return {
    exports: new Set(known.keys()),
    usual: usual.length > 0 ? sum(usual) : null,
    weeks: Math.max(0, ...[...known.values()].map((rows) => rows.length)),
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

function lowerMedian(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0
}

async function showCapture(services: Pick<Services, 'store' | 'warehouse' | 'clock'>, projectId: number) {
  const [{ lastEvent, byMinute }, recording] = await Promise.all([
    captureActivity(services, projectId),
    newestRecording(services.store, projectId),
  ])
  return {
    last_event: lastEvent === null ? null : formatInstant(lastEvent),
    by_minute: byMinute,
    last_recording: recording
      ? {
          id: recording.id,
          name: visitorName(recording.person, recording.distinct_id),
          at: formatInstant(recording.at),
        }
      : null,
  }
}

type ChangesInput = { since: Date; exports: readonly HealthExport[]; readsRecordings: boolean }

async function changesAfter(
  services: Pick<Services, 'store' | 'warehouse' | 'clock'>,
  projectId: number,
  { since, exports, readsRecordings }: ChangesInput,
): Promise<Pick<ProjectHealth, 'changes' | 'more_changes'>> {
  const { store } = services
  const [failures, changes, errors] = await Promise.all([
    failuresSince(store, projectId, since, healthNamesMax),
    changesSince(store, projectId, since, healthNamesMax),
    readsRecordings ? newErrors(services, projectId, since) : [],
  ])
  const named = [
    ...failures.map(({ export_id, name, at, count, run, error }) =>
      change({ kind: 'failed', at, export: { id: export_id, name }, count, run, text: error }),
    ),
    ...changes.map(({ export_id, name, at, kind, by }) =>
      change({
        kind: kind === 'paused' || kind === 'unpaused' || kind === 'deleted' ? kind : 'created',
        at,
        export: { id: export_id, name },
        by,
      }),
    ),
    ...gapsAfter(exports, since.getTime()),
    ...errors,
  ]
  const unread = [failures, changes].map((read) => (read[0]?.total ?? 0) - read.length)
  return {
    changes: named.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, healthNamesMax),
    more_changes: sum(unread) + Math.max(0, named.length - healthNamesMax),
  }
}

function gapsAfter(exports: readonly HealthExport[], since: number): HealthChange[] {
  return exports.flatMap((one) => {
    const { id, name } = one
    const gaps = gapsSince(one, since)
    const last = gaps.at(-1)
    return last
      ? [change({ kind: 'gaps', at: new Date(last.end), export: { id, name }, count: gaps.length })]
      : []
  })
}

async function newErrors(
  services: Pick<Services, 'store' | 'warehouse' | 'clock'>,
  projectId: number,
  since: Date,
): Promise<HealthChange[]> {
  const key = `${projectId} ${since.getTime()}`
  const fresh = { now: services.clock.now(), freshMs: errorsFreshMs }
  return await cached(services.warehouse, `new errors ${key}`, fresh, async () => {
    const [clusters, recordings] = await Promise.all([
      newClusters(services, projectId, since.getTime(), healthNamesMax),
      recordingsWithErrors(services.store, projectId, since, recordingsMax),
    ])
    const ids = clusters.map(({ cluster }) => cluster)
    const patterns = ids.length === 0 ? new Map<number, string>() : await patternsOf(services, projectId, ids)
    const { count, at } = recordings
    return [
      ...clusters.map(({ cluster, first }) =>
        change({ kind: 'error', at: new Date(first), cluster, text: patterns.get(cluster) ?? null }),
      ),
      ...(at === null ? [] : [change({ kind: 'recordings', at, count })]),
    ]
  })
}

type GivenChange = Pick<HealthChange, 'kind'> & { at: Date } & Partial<Omit<HealthChange, 'kind' | 'at'>>

const unset = { export: null, run: null, cluster: null, by: null, count: 1, text: null }

function change({ at, ...given }: GivenChange): HealthChange {
  return { ...unset, ...given, at: formatInstant(at) }
}
