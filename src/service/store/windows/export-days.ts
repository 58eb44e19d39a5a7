import { sql } from 'kysely'
import { encodeStates } from '../../../contract/runs/window-state.ts'
import { windowsBetween, type Interval, type Window } from '../../../contract/interval.ts'
import { repairPeriod } from '../../../contract/repair/repair-plan.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import { dayOf } from '../runs/day-changes.ts'
import type { Store } from '../schema/database.ts'
import { readExpectations, type ScheduleColumns } from './expectation.ts'
import { flaggedMarks } from './ledger-marks.ts'
import { intersect, subtract, union } from './time-ranges.ts'
import { runsOfPeriods } from './window-runs.ts'
import { judgeWindows, type JudgedWindow } from './judge-windows.ts'
import { countToRepair, windowsToRepair } from './windows-to-repair.ts'

const dayMs = 86_400_000
/** Days that are kept. */
const keptDays = 38
/** Exports that are brought up to date in one transaction. */
const exportsAtOnce = 50
/** A window starts at most this many days before a run that it contains. */
const daysBefore: Partial<Record<Interval, number>> = { week: 6 }

/**
 * Updates the stored days and the numbers of windows to repair of a project's exports, or of all exports, where they are outdated:
 * runs, pauses, schedules or verifications have changed, windows have ended since, or today is not stored yet.
 */
export async function refreshDays(store: Store, projectId: number | null, now: number): Promise<void> {
  const today = dayOf(now)
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM batch_exports WHERE (${projectId}::integer IS NULL OR project_id = ${projectId}::integer) AND deleted_at IS NULL AND (
      NOT EXISTS (SELECT FROM batch_export_days WHERE batch_export_id = id AND day = ${today})
      OR EXISTS (SELECT FROM batch_export_days WHERE batch_export_id = id AND valid_until <= ${new Date(now)})
      OR EXISTS (SELECT FROM batch_export_day_changes WHERE batch_export_id = id))`.execute(store)
  const ids = rows.map(({ id }) => id)
  for (let from = 0; from < ids.length; from += exportsAtOnce)
    await refreshExports(store, ids.slice(from, from + exportsAtOnce), now)
}

type Stored = ScheduleColumns &
  Pick<BatchExportRow, 'id' | 'project_id'> & {
    first: number | null
    last: number | null
    begins: Date | null
    ended: number[]
  }

function refreshExports(store: Store, ids: readonly string[], now: number): Promise<void> {
  return store.transaction().execute(async (transaction) => {
    // Without the lock, a slower transaction could store states from before a change that a faster one has handled.
    await sql`SELECT pg_advisory_xact_lock(4283, 2)`.execute(transaction)
    const { rows: changes } = await sql<Window & { id: string }>`
      DELETE FROM batch_export_day_changes WHERE batch_export_id = ANY (${ids}::uuid[])
      RETURNING batch_export_id AS id, from_day AS start, until_day::bigint + 1 AS end`.execute(transaction)
    const { rows } = await sql<Stored>`
      SELECT id, project_id, interval, created_at, start_at, end_at, scheduled_until,
        (SELECT min(day) FROM batch_export_days WHERE batch_export_id = id) AS first,
        (SELECT max(day) FROM batch_export_days WHERE batch_export_id = id) AS last,
        (SELECT begins FROM batch_export_days WHERE batch_export_id = id ORDER BY day DESC LIMIT 1) AS begins,
        ARRAY(SELECT day FROM batch_export_days WHERE batch_export_id = id AND valid_until <= ${new Date(now)}) AS ended
      FROM batch_exports WHERE id = ANY (${ids}::uuid[])`.execute(transaction)
    const changed = Map.groupBy(changes, ({ id }) => id)
    const today = dayOf(now)
    const oldest = today - keptDays + 1
    const expected = await readExpectations(transaction, rows, now)
    const periods = expected.flatMap(({ row, expectation }) => {
      const extra = daysBefore[row.interval] ?? 0
      const ranges = (changed.get(row.id) ?? []).map(({ start, end }) => ({ start: start - extra, end }))
      // Today is always written: its row is the version of all states, see `overviewVersions`.
      ranges.push({ start: today, end: today + 1 })
      // Windows before an export begins are not missing, so an earlier first run changes the windows after it.
      const begins = row.begins?.getTime() ?? expectation.begins
      if (begins !== expectation.begins)
        ranges.push({ start: dayOf(Math.min(begins, expectation.begins)) - extra, end: today + 1 })
      const first = Math.max(oldest, dayOf(expectation.begins) - extra)
      return daysToCompute(row, ranges, { start: Math.min(first, today), end: today + 1 }).map((days) => {
        const windows = windowsFrom(row.interval, days)
        const start = windows[0]?.start ?? days.start * dayMs
        return { id: row.id, expectation, days, windows, start, end: windows.at(-1)?.end ?? start }
      })
    })
    const runs = await runsOfPeriods(transaction, periods)
    const kept = { start: oldest * dayMs, end: now }
    const marks = await flaggedMarks(
      transaction,
      ids.map((id) => ({ id, ...kept })),
    )
    const computed = periods.flatMap(({ id, expectation, days, windows }, index) => {
      const judged = judgeWindows(windows, runs[index] ?? [], marks.get(id) ?? [], expectation, now)
      return daysOf(days, windows, judged).map((day) => ({
        ...day,
        id,
        begins: new Date(expectation.begins),
      }))
    })
    await storeDays(transaction, computed, ids, oldest)
    await storeToRepair(transaction, rows, now)
  })
}

/** Counts as a repair plan does, so that both give the same number. */
async function storeToRepair(
  store: Store,
  exports: readonly Pick<BatchExportRow, 'id' | 'project_id'>[],
  now: number,
): Promise<void> {
  const ids = exports.map(({ id }) => id)
  const projectIds = [...new Set(exports.map(({ project_id }) => project_id))]
  const found = await windowsToRepair(store, { projectIds, ids }, repairPeriod(now), now)
  const numbers = ids.map((id) => {
    const { missing, failed, short } = countToRepair(found.get(id) ?? [])
    return missing + failed + short
  })
  await sql`
    INSERT INTO batch_exports_to_repair (batch_export_id, windows)
    SELECT * FROM unnest(${ids}::uuid[], ${numbers}::integer[])
    ON CONFLICT (batch_export_id) DO UPDATE SET windows = excluded.windows`.execute(store)
}

/** Returns the days to compute of an export: those wanted that are not stored, and those that changed or have ended. */
function daysToCompute(
  { first, last, ended }: Pick<Stored, 'first' | 'last' | 'ended'>,
  changes: readonly Window[],
  wanted: Window,
): Window[] {
  const stored = first === null || last === null ? [] : [{ start: first, end: last + 1 }]
  const past = ended.map((day) => ({ start: day, end: day + 1 }))
  const start = Math.min(wanted.start, Math.max(first ?? Infinity, wanted.end - keptDays))
  return intersect(union([...subtract([wanted], stored), ...changes, ...past]), [{ ...wanted, start }])
}

/** Returns the windows that start on these days. */
function windowsFrom(interval: Interval, days: Window): Window[] {
  const [from, until] = [days.start * dayMs, days.end * dayMs]
  return windowsBetween(interval, from, until).filter(({ start }) => start >= from)
}

type ComputedDay = { day: number; states: string; validUntil: Date | null }

function daysOf(days: Window, windows: readonly Window[], judged: readonly JudgedWindow[]): ComputedDay[] {
  const states = windows.map(({ start, end }, index) => ({
    day: dayOf(start),
    end,
    state: judged[index]?.state ?? 'future',
  }))
  const byDay = Map.groupBy(states, ({ day }) => day)
  return Array.from({ length: days.end - days.start }, (_, index) => {
    const day = days.start + index
    const own = byDay.get(day) ?? []
    const next = own.find(({ state }) => state === 'future')
    return {
      day,
      states: encodeStates(own.map(({ state }) => state)),
      validUntil: next ? new Date(next.end) : null,
    }
  })
}

async function storeDays(
  store: Store,
  days: readonly (ComputedDay & { id: string; begins: Date })[],
  ids: readonly string[],
  oldest: number,
): Promise<void> {
  await sql`
    INSERT INTO batch_export_days (batch_export_id, day, states, valid_until, begins)
    SELECT * FROM unnest(${days.map(({ id }) => id)}::uuid[], ${days.map(({ day }) => day)}::integer[],
      ${days.map(({ states }) => states)}::text[], ${days.map(({ validUntil }) => validUntil)}::timestamptz[],
      ${days.map(({ begins }) => begins)}::timestamptz[])
    ON CONFLICT (batch_export_id, day) DO UPDATE
      SET states = excluded.states, valid_until = excluded.valid_until,
        begins = excluded.begins`.execute(store)
  await sql`DELETE FROM batch_export_days
    WHERE batch_export_id = ANY (${ids}::uuid[]) AND day < ${oldest}`.execute(store)
}
