import { sql } from 'kysely'
import { textsOf } from '../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../contract/destinations/destination-kinds.ts'
import { placedConfig } from '../store/runs/placed-config.ts'
import type { DestinationColumns } from '../store/runs/batch-exports.ts'
import { rowsOf, type Store } from '../store/schema/database.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { isClaimable } from './claim-run.ts'

/** The values that decide which run starts next. */
export type RunTurn = Pick<RunRow, 'project_id' | 'created_at'> & {
  /** 0 for a retry, which a user waits for, 1 for a scheduled run, 2 for a run of a backfill. */
  urgency: number
  /** The server, account or cloud of the destination; null for a folder. */
  store: string | null
  /** The store and the bucket; null for a folder. */
  place: string | null
}

/** A run that a worker can claim, with its export's destination. */
export type WaitingRun = Pick<RunRow, 'id'> & RunTurn & DestinationColumns

const inProgress = sql`status IN ('Starting', 'Running', 'FailedRetryable')`
const urgency = sql`(CASE origin WHEN 'retry' THEN 0 WHEN 'schedule' THEN 1 ELSE 2 END)`

/** Returns each export's next runs that a worker can claim at this time (ms), at most `limit` per export. */
export async function waitingRuns(store: Store, now: number, limit: number): Promise<WaitingRun[]> {
  // The recursion steps from export to export through the index batch_export_runs_to_claim, past long backlogs.
  const rows = await rowsOf<Omit<WaitingRun, 'store' | 'place'>>(store)`
    WITH RECURSIVE export AS (
      (SELECT batch_export_id AS id FROM batch_export_runs WHERE ${inProgress} ORDER BY batch_export_id LIMIT 1)
      UNION ALL
      SELECT (SELECT batch_export_id FROM batch_export_runs WHERE ${inProgress} AND batch_export_id > export.id
        ORDER BY batch_export_id LIMIT 1) FROM export WHERE id IS NOT NULL
    )
    SELECT run.*, destination_type, destination_config, destination_secrets, integration_id, integration_config
    FROM export JOIN batch_exports ON batch_exports.id = export.id CROSS JOIN LATERAL (
      SELECT id, project_id, created_at, ${urgency} AS urgency
      FROM batch_export_runs WHERE batch_export_id = export.id AND ${inProgress} AND ${isClaimable(now)}
      ORDER BY ${urgency}, created_at, id LIMIT ${limit}) AS run`
  return rows.map((row) => {
    const place = destinationKinds[row.destination_type].placeOf(textsOf(placedConfig(row)))
    return { ...row, store: place && place.store, place: place && `${place.store} ${place.bucket}` }
  })
}
