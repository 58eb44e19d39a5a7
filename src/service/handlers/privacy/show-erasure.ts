import { textsOf, type DestinationKind } from '../../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { ColumnChanges } from '../../../contract/destinations/tables/column-changes.ts'
import { deleteQuery } from '../../../contract/destinations/tables/window-query.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { Window } from '../../../contract/interval.ts'
import {
  ErasedCounts,
  PersonErasure,
  type ErasedWindow,
  type ErasurePlace,
  type PersonErasureDetails,
} from '../../../contract/privacy/person-erasure.ts'
import type { Services } from '../../services.ts'
import {
  placesOfErasure,
  type ErasedPlaceRow,
  type ErasedWindowRow,
} from '../../store/privacy/erased-windows.ts'
import type { PersonErasureRow } from '../../store/privacy/person-erasures.ts'
import { placedConfig } from '../../store/runs/placed-config.ts'
import { findRows } from '../../store/schema/rows.ts'
import { placeOf } from '../ledger/show-ledger.ts'
import { shownAs } from '../shown-as.ts'

const periodsMax = 1000

/** Types of destinations that rows are sent to, where no later run replaces them. */
export const requestTypes = Object.entries<DestinationKind>(destinationKinds).flatMap(([type, { holds }]) =>
  holds === 'requests' ? type : [],
)

export function showErasure(row: PersonErasureRow): PersonErasure {
  const { data } = ErasedCounts.safeParse(row.counts)
  return shownAs(PersonErasure, { ...row, by: row.actor, counts: data ?? null })
}

export async function showDetails(
  { store }: Pick<Services, 'store'>,
  row: PersonErasureRow,
): Promise<PersonErasureDetails> {
  const places = await placesOfErasure(store, row, requestTypes)
  const unchecked = { project_id: row.project_id, id: row.unchecked_exports }
  const exports = row.unchecked_exports.length > 0 ? await findRows(store, 'batch_exports', unchecked) : []
  return {
    ...showErasure(row),
    places: places.map(showPlace),
    mentions: row.mentions,
    unchecked_exports: exports.map(({ id, name }) => ({ id, name })),
  }
}

export function showWindow({
  data_interval_start,
  data_interval_end,
  ...row
}: ErasedWindowRow): ErasedWindow {
  const { batch_export_id: batch_export, run_id: run, written_at, state, is_certain, keys, key_count } = row
  return {
    batch_export,
    start: formatInstant(data_interval_start),
    end: formatInstant(data_interval_end),
    state,
    is_certain,
    run,
    written_at: written_at && formatInstant(written_at),
    keys,
    key_count,
  }
}

function showPlace({ batch_export_id, place, bounds, ...row }: ErasedPlaceRow): ErasurePlace {
  const { name, is_deleted, windows } = row
  const { holds }: DestinationKind = destinationKinds[place?.destination_type ?? row.destination_type]
  return {
    batch_export: batch_export_id,
    name,
    is_deleted,
    holds,
    destination: place && placeOf(place),
    statement: statementFor(row, place),
    windows,
    periods: joined(bounds)
      .slice(0, periodsMax)
      .map(({ start, end }) => ({ start_at: formatInstant(start), end_at: formatInstant(end) })),
  }
}

/** Returns the statement that deletes the person's rows; null if no column has the distinct id as it is. */
function statementFor(
  { has_query }: Pick<ErasedPlaceRow, 'has_query'>,
  place: ErasedPlaceRow['place'],
): string | null {
  const kind: DestinationKind | null = place && destinationKinds[place.destination_type]
  const table = place && kind?.table?.(textsOf(placedConfig(place)))
  if (!table || has_query) return null
  const changes = ColumnChanges.safeParse(place.destination_config['columns']).data ?? []
  const change = changes.find(({ name }) => name === 'distinct_id')
  return change?.omit || change?.hash ? null : deleteQuery(table, change?.as ?? 'distinct_id')
}

/** Joins windows that follow each other. */
function joined(windows: readonly Window[]): Window[] {
  const periods: Window[] = []
  for (const { start, end } of windows) {
    const last = periods.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else periods.push({ start, end })
  }
  return periods
}
