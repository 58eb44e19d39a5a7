import type { z } from 'zod'
import { textsOf, type DestinationKind } from '../../../contract/destinations/destination-kind.ts'
import { windowKey, windowQuery } from '../../../contract/destinations/tables/window-query.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { placedConfig } from '../../store/runs/placed-config.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { touchedPeriod, type Window } from '../../../contract/interval.ts'
import {
  ledgerDays,
  type Ledger,
  type LedgerPeriod,
  type LedgerWindow,
} from '../../../contract/runs/ledger.ts'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { objectsBetween, type WrittenObjects } from '../../store/windows/ledger.ts'
import { assertPeriod, readInstant } from '../given-times.ts'
import type { LedgeredInterval, LedgeredWindow } from '../../store/windows/window-ledger.ts'

type ShownObjects = Omit<WrittenObjects, 'written_to'> & Partial<WrittenObjects>

const dayMs = 86_400_000
const nothing: ShownObjects = { objects: [], object_count: 0, bytes: 0 }

/**
 * Returns the period of a request, by default the last `ledgerDays` days.
 * @throws ApiError 400 if the period is empty or has too many windows.
 */
export function periodOf(
  { clock }: Pick<Services, 'clock'>,
  { interval }: Pick<BatchExportRow, 'interval'>,
  given: z.output<typeof LedgerPeriod>,
): Window {
  const end = readInstant(given.end)?.getTime() ?? clock.now()
  const start = readInstant(given.start)?.getTime() ?? end - ledgerDays * dayMs
  assertPeriod(interval, { start, end })
  return touchedPeriod(interval, start, end)
}

/**
 * Returns what should be at the destination, newest first: the windows, or, where the export had another interval, the recorded
 * intervals.
 */
export function listedWindows(windows: readonly LedgeredWindow[]): LedgeredInterval[] {
  const intervals = new Map(windows.flatMap(({ recorded }) => recorded.map((each) => [each.entry, each])))
  const others = windows.filter(({ state, recorded }) =>
    recorded.length === 0 ? state !== 'skipped' : state === 'missing' || state === 'pending',
  )
  return [...intervals.values(), ...others].toSorted((one, other) => other.start - one.start)
}

export function shownPeriod({ start, end }: Window): { start: string; end: string } {
  return { start: formatInstant(start), end: formatInstant(end) }
}

export function totalsOf(windows: readonly LedgeredInterval[]): Ledger['totals'] {
  return {
    windows: windows.length,
    states: countsOf(windows.map(({ state }) => state)),
    flags: countsOf(windows.flatMap(({ flags }) => flags)),
  }
}

function countsOf(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
}

/** Shows windows, newest first, with their objects; `objectsMax` of each window. */
export async function showWindows(
  { store }: Pick<Services, 'store'>,
  { id }: Pick<BatchExportRow, 'id'>,
  windows: readonly LedgeredInterval[],
  objectsMax: number,
): Promise<LedgerWindow[]> {
  const written = await objectsBetween(store, id, boundsOf(windows), objectsMax)
  return windows.map((window) => showWindow(id, window, written.get(window.entry?.run_id ?? '') ?? nothing))
}

/** Returns the period of windows that are listed newest first. */
export function boundsOf(windows: readonly Window[]): Window {
  return { start: windows.at(-1)?.start ?? 0, end: windows.reduce((last, { end }) => Math.max(last, end), 0) }
}

/** Names the bucket, or the folder as it is configured. */
export function placeOf(written: WrittenObjects['written_to']) {
  const kind = destinationKinds[written.destination_type]
  const text = textsOf(placedConfig(written))
  return kind.placeOf(text)?.bucket ?? text(kind.folderField)
}

/** Returns the statement that reads a window of a table; null for another destination. */
export function queryOf(
  exportId: string,
  start: number,
  written: WrittenObjects['written_to'],
): string | null {
  const { table }: DestinationKind = destinationKinds[written.destination_type]
  const name = table?.(textsOf(placedConfig(written)))
  return name ? windowQuery(name, windowKey(exportId, start)) : null
}

function showWindow(
  exportId: string,
  { state, flags, usual, entry, ...bounds }: LedgeredInterval,
  { written_to: place, ...written }: ShownObjects,
): LedgerWindow {
  return {
    ...shownPeriod(bounds),
    state,
    flags: [...flags],
    rows_usual: usual?.rows ?? null,
    entry: entry && {
      run: entry.run_id,
      rows_expected: entry.rows_expected,
      rows_written: entry.rows_written,
      ...written,
      ...(place && { destination: placeOf(place), window_query: queryOf(exportId, bounds.start, place) }),
      written_at: formatInstant(entry.written_at),
      verified_at: entry.verified_at && formatInstant(entry.verified_at),
      rows_read: entry.rows_read,
      hash_expected: entry.hash_expected,
      hash_read: entry.hash_read,
      late_rows: entry.late_rows,
      problem: entry.problem,
      erasure: entry.erasure_id,
    },
  }
}
