import { ExportError } from '../problems/export-error.ts'
import { windowsWithRows, type SearchLimits, type WindowWithRows } from './windows-with-rows.ts'
import { windowAt, type Interval } from '../../contract/interval.ts'
import { statementError } from '../problems/down-engine.ts'
import type { Warehouse } from '../engines/clickhouse/clickhouse.ts'
import type { Services } from '../services.ts'
import {
  exportsToCompare,
  runsOfWindows,
  type ComparedExport,
  type HeldWindow,
  type RunsWithRows,
} from '../store/runs/person-runs.ts'
import type { KnownPerson } from '../recordings/persons/find-person.ts'

/** Exports that are compared with a person's rows. */
const exportsMax = 100

/** Time (ms) after which no further exports are compared. */
const timeMax = 15_000
/** Somebody waits for the answer. */
const waitedFor: SearchLimits = { seconds: 30, entriesMax: 50_000 }

type Engines = Pick<Services, 'store' | 'warehouse' | 'clock'>
export type ExportOfPerson = RunsWithRows & { export: ComparedExport }

/**
 * Finds the exports with rows of a person: those that a completed run of the window selected, by the export's events and query
 * as they are now. Exports whose query fails, or for which the time does not suffice, are not `checked`.
 */
export async function exportsOfPerson(
  { store, warehouse, clock }: Engines,
  { project_id, distinct_ids }: Pick<KnownPerson, 'project_id' | 'distinct_ids'>,
): Promise<{ found: ExportOfPerson[]; checked: number; total: number }> {
  const exports = await exportsToCompare(store, project_id, exportsMax)
  const found: ExportOfPerson[] = []
  const until = clock.now() + timeMax
  let checked = 0
  for (const alike of alikeExports(exports)) {
    if (clock.now() > until) break
    const groups = await windowsOfExports(warehouse, alike, distinct_ids, waitedFor)
    if (!groups) continue
    checked += alike.length
    for (const { ids, windows } of groups)
      for (const held of await runsOfWindows(store, ids, windows)) {
        const row = alike.find(({ id }) => id === held.batch_export_id)
        if (row) found.push({ ...held, export: row })
      }
  }
  return { found, checked, total: exports[0]?.total ?? 0 }
}

/** Returns the exports in groups that one search serves. */
export function alikeExports(exports: readonly ComparedExport[]): ComparedExport[][] {
  return grouped(exports, ({ model, hogql_query }) => [model, hogql_query])
}

/**
 * Finds the windows with rows of these distinct ids, for exports of the same model and query; the exports of a result have the
 * same windows. Resolves to null if the query fails.
 */
export async function windowsOfExports(
  warehouse: Warehouse,
  alike: readonly ComparedExport[],
  distinctIds: readonly string[],
  limits: SearchLimits,
): Promise<{ ids: string[]; windows: HeldWindow[] }[] | null> {
  const rows = await rowsOf(warehouse, alike, distinctIds, limits)
  return (
    rows &&
    grouped(alike, (each) => [intervalsOf(each), selectedNames(each)]).map((same) => ({
      ids: same.map(({ id }) => id),
      windows: same[0] ? windowsOf(same[0], rows) : [],
    }))
  )
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Item[][] {
  return [...Map.groupBy(items, (item) => JSON.stringify(keyOf(item))).values()]
}

function intervalsOf({ interval, former_intervals }: ComparedExport): Interval[] {
  return [...new Set([interval, ...former_intervals])]
}

function selectedNames({ destination_config: config }: ComparedExport) {
  const namesIn = (value: unknown) => (Array.isArray(value) && value.length > 0 ? value : null)
  return { included: namesIn(config['include_events']), excluded: namesIn(config['exclude_events']) }
}

type HeldRows = WindowWithRows & Pick<HeldWindow, 'selectsBy'> & { interval: Interval }

/** The length of every interval is a multiple of this one's. */
const shortestInterval: Interval = 'every 5 minutes'

/** Returns the windows with rows of exports of the same model and query; null if the query fails. */
async function rowsOf(
  warehouse: Warehouse,
  exports: readonly ComparedExport[],
  distinctIds: readonly string[],
  limits: SearchLimits,
): Promise<HeldRows[] | null> {
  const [source] = exports
  if (!source) return []
  // Whether a query selects a person or a recording depends on its latest state in the window.
  const intervals = source.hogql_query === null ? [shortestInterval] : new Set(exports.flatMap(intervalsOf))
  // Only backfills and their retries select by time.
  const isBackfilled = exports.some(({ has_backfills }) => has_backfills)
  const rows: HeldRows[] = []
  try {
    for (const interval of intervals)
      for (const selectsBy of isBackfilled ? (['arrival', 'time'] as const) : (['arrival'] as const)) {
        const held = await windowsWithRows(warehouse, source, { distinctIds, interval, selectsBy, limits })
        rows.push(...held.map((window) => ({ ...window, selectsBy, interval })))
      }
  } catch (error) {
    // The runs of these exports fail for the same reason.
    if (!(error instanceof ExportError)) statementError(error)
    return null
  }
  return rows
}

/** Returns the windows, of each interval that an export has had, with rows of the events that the export selects. */
function windowsOf(batchExport: ComparedExport, rows: readonly HeldRows[]): HeldWindow[] {
  const { included, excluded } = selectedNames(batchExport)
  const windows = new Map<string, HeldWindow>()
  for (const interval of intervalsOf(batchExport))
    for (const { start, arrived, event, selectsBy, ...row } of rows) {
      if (included?.includes(event) === false || excluded?.includes(event)) continue
      if (batchExport.hogql_query !== null && row.interval !== interval) continue
      const window = windowAt(interval, start)
      const key = [interval, selectsBy, window.start].join()
      const earliest = Math.min(arrived, windows.get(key)?.arrived ?? Infinity)
      windows.set(key, { ...window, selectsBy, arrived: earliest })
    }
  return [...windows.values()]
}
