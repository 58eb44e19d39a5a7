import { sql, type RawBuilder } from 'kysely'
import type { DestinationType } from '../../../contract/destinations/destination.ts'
import type { ErasedWindowState } from '../../../contract/privacy/person-erasure.ts'
import type { Model } from '../../../contract/exports/batch-export.ts'
import { rowsOf, type Store } from '../schema/database.ts'
import { noteChanged } from '../runs/day-changes.ts'
import type { LedgerSettings } from '../schema/ledger-tables.ts'
import type { HeldWindow } from '../runs/person-runs.ts'
import type { PersonErasureRow } from './person-erasures.ts'

/** Settings in a ledger entry that name where the rows are, and a hash of them. */
const placeOf = (entry: string) => sql`jsonb_build_object(
  'destination_type', ${sql.ref(entry)}.settings -> 'destination_type', 'integration_config', ${sql.ref(entry)}.settings -> 'integration_config',
  'destination_config', (${sql.ref(entry)}.settings -> 'destination_config') - '{include_events,exclude_events}'::text[])`
const placeHash = (entry: string) => sql`md5((${placeOf(entry)})::text)::uuid`

const inProgress = sql`('Starting', 'Running', 'FailedRetryable')`

/** Stores those windows of the exports that a run has exported, exports now, or has sent in part. */
export async function addErasedWindows(
  store: Store,
  erasureId: string,
  exportIds: readonly string[],
  windows: readonly HeldWindow[],
): Promise<void> {
  if (windows.length === 0) return
  const times = (column: 'start' | 'end' | 'arrived') => windows.map((window) => new Date(window[column]))
  await sql`
    INSERT INTO person_erasure_windows (erasure_id, batch_export_id, data_interval_start, data_interval_end, is_certain, written_to)
    SELECT DISTINCT ${erasureId}::uuid, run.batch_export_id, run.data_interval_start, run.data_interval_end, true, ${placeHash('entry')}
    FROM unnest(${times('start')}::timestamptz[], ${times('end')}::timestamptz[], ${times('arrived')}::timestamptz[],
      ${windows.map(({ selectsBy }) => selectsBy)}::text[]) AS held (starts, ends, arrived, selects_by)
    JOIN batch_export_runs run ON run.batch_export_id = ANY (${exportIds}::uuid[])
      AND run.data_interval_end = held.ends AND run.data_interval_start = held.starts AND run.selects_by = held.selects_by
      AND (run.status = 'Completed' OR run.status IN ${inProgress} OR run.sent_position IS NOT NULL)
      AND coalesce(run.finished_at, 'infinity') >= held.arrived
    LEFT JOIN batch_export_ledger entry ON ${sameWindow('entry', 'run')}
    ON CONFLICT DO NOTHING`.execute(store)
}

/** Stores the windows of runs that started while the rows were being hidden: they may have taken some. */
export async function addUncertainWindows(
  store: Store,
  { id, project_id, compared_at }: Pick<PersonErasureRow, 'id' | 'project_id' | 'compared_at'>,
  hiddenAt: Date,
): Promise<void> {
  await sql`
    INSERT INTO person_erasure_windows (erasure_id, batch_export_id, data_interval_start, data_interval_end, is_certain)
    SELECT DISTINCT ${id}::uuid, batch_export_id, data_interval_start, data_interval_end, false FROM batch_export_runs
    WHERE project_id = ${project_id} AND started_at BETWEEN ${compared_at} AND ${hiddenAt}
      AND (status = 'Completed' OR status IN ${inProgress})
    ON CONFLICT DO NOTHING`.execute(store)
}

/** Marks the ledger's entries of the windows, unless a run that started since the rows were hidden has written them again. */
export async function markLedger(store: Store, erasureId: string, hiddenAt: Date | null): Promise<void> {
  await sql`WITH changed AS (
    UPDATE batch_export_ledger entry SET erasure_id = ${erasureId}::uuid
    FROM person_erasure_windows erased, batch_export_runs run
    WHERE erased.erasure_id = ${erasureId}::uuid AND ${sameWindow('entry', 'erased')} AND run.id = entry.run_id
      AND (${hiddenAt}::timestamptz IS NULL OR run.started_at <= ${hiddenAt}::timestamptz)
    RETURNING entry.batch_export_id, entry.data_interval_start, entry.data_interval_end), ${noteChanged} SELECT`.execute(
    store,
  )
}

function sameWindow(one: string, other: string): RawBuilder<boolean> {
  const columns = ['batch_export_id', 'data_interval_start', 'data_interval_end']
  return sql.join(
    columns.map((column) => sql`${sql.ref(`${one}.${column}`)} = ${sql.ref(`${other}.${column}`)}`),
    sql` AND `,
  )
}

/** A window of an erasure with the newest completed run of it. */
export type ErasedWindowRow = {
  batch_export_id: string
  data_interval_start: Date
  data_interval_end: Date
  state: ErasedWindowState
  is_certain: boolean
  run_id: string | null
  written_at: Date | null
  keys: string[]
  key_count: number
}

const keysMax = 20

/** The windows that some destination holds or held; `requests`: types of destinations whose rows cannot be replaced. */
function windowsOf(
  { id, hidden_at }: Pick<PersonErasureRow, 'id' | 'hidden_at'>,
  requests: readonly string[],
) {
  return sql`(
    SELECT erased.*, run.id AS run_id, run.finished_at AS written_at, entry.objects, entry.run_id AS written_by,
      CASE WHEN entry.run_id IS NOT NULL THEN ${placeOf('entry')} END AS place, ${placeHash('entry')} AS place_hash,
      CASE WHEN run.id IS NULL AND NOT is_sent THEN 'running'
        WHEN is_sent OR ${hidden_at}::timestamptz IS NULL OR run.started_at <= ${hidden_at}::timestamptz THEN 'holds'
        WHEN written_to IS NOT NULL AND written_to <> ${placeHash('entry')} THEN 'moved' ELSE 'replaced' END AS state
    FROM person_erasure_windows erased
    JOIN batch_exports export ON export.id = erased.batch_export_id
    LEFT JOIN batch_export_ledger entry ON ${sameWindow('entry', 'erased')}
    LEFT JOIN LATERAL (SELECT id, started_at, finished_at FROM batch_export_runs run WHERE ${sameWindow('run', 'erased')}
      AND status = 'Completed' ORDER BY created_at DESC, id DESC LIMIT 1) AS run ON true
    CROSS JOIN LATERAL (SELECT coalesce(entry.settings ->> 'destination_type', export.destination_type) = ANY (${requests}::text[])
      AND (run.id IS NOT NULL OR EXISTS (SELECT FROM batch_export_runs run WHERE ${sameWindow('run', 'erased')}
        AND sent_position IS NOT NULL)) AS is_sent) AS sending
    WHERE erased.erasure_id = ${id}::uuid AND (run.id IS NOT NULL OR is_sent OR EXISTS (
      SELECT FROM batch_export_runs run WHERE ${sameWindow('run', 'erased')} AND status IN ${inProgress}))) AS found`
}

type Erasure = Pick<PersonErasureRow, 'id' | 'hidden_at'>

/** Returns a page of the windows, newest first, and the number of all. */
export async function pageOfErasedWindows(
  store: Store,
  erasure: Erasure,
  requests: readonly string[],
  { limit, offset }: { limit: number; offset: number },
): Promise<{ count: number; rows: ErasedWindowRow[] }> {
  const rows = await rowsOf<ErasedWindowRow>(store)`
    SELECT batch_export_id, data_interval_start, data_interval_end, state, is_certain, run_id, written_at,
      ARRAY(SELECT object ->> 'key' FROM jsonb_array_elements(shown) AS object LIMIT ${keysMax}) AS keys,
      coalesce(jsonb_array_length(shown), 0) AS key_count
    FROM (SELECT *, CASE WHEN written_by = run_id THEN objects ELSE '[]' END AS shown FROM ${windowsOf(erasure, requests)}) AS listed
    ORDER BY data_interval_start DESC, batch_export_id, data_interval_end LIMIT ${limit} OFFSET ${offset}`
  const [total] = await rowsOf<{ count: number }>(store)`SELECT count(*) FROM ${windowsOf(erasure, requests)}`
  return { count: total?.count ?? 0, rows }
}

/** The windows of an export at one place, which is null for windows that are older than the ledger. */
export type ErasedPlaceRow = {
  batch_export_id: string
  name: string
  is_deleted: boolean
  model: Model
  has_query: boolean
  destination_type: DestinationType
  place: Pick<LedgerSettings, 'destination_type' | 'destination_config' | 'integration_config'> | null
  /** Number of windows by state. */
  windows: Partial<Record<ErasedWindowState, number>>
  /** Bounds of the windows that are not replaced, oldest first. */
  bounds: { start: number; end: number }[]
}

/** Returns the windows by export and place. */
export async function placesOfErasure(store: Store, erasure: Erasure, requests: readonly string[]) {
  return await rowsOf<ErasedPlaceRow>(store)`
    SELECT batch_export_id, export.name, export.deleted_at IS NOT NULL AS is_deleted, export.model,
      export.hogql_query IS NOT NULL AS has_query, export.destination_type, place,
      jsonb_object_agg(state, count) AS windows,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('start', date_part('epoch', start) * 1000, 'end', date_part('epoch', finish) * 1000)
          ORDER BY start, finish), '[]')
        FROM (SELECT data_interval_start AS start, data_interval_end AS finish FROM ${windowsOf(erasure, requests)}
          WHERE batch_export_id = grouped.batch_export_id AND place IS NOT DISTINCT FROM grouped.place AND state <> 'replaced') AS held) AS bounds
    FROM (SELECT batch_export_id, place, state, count(*) AS count FROM ${windowsOf(erasure, requests)}
      GROUP BY batch_export_id, place, state) AS grouped JOIN batch_exports export ON export.id = batch_export_id
    GROUP BY batch_export_id, export.name, export.deleted_at, export.model, export.hogql_query, export.destination_type, place
    ORDER BY export.name, batch_export_id, place`
}
