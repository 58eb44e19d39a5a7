import { sql } from 'kysely'
import type { Transition } from '../../../contract/alerts/alert-incident.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import { newId } from '../schema/identifier.ts'
import { insertRow, updateRows } from '../schema/rows.ts'
import type { IncidentRow } from './incidents.ts'

export type OpenIncidentRow = Omit<
  IncidentRow,
  'recovered_at' | 'acknowledged_by' | 'muted_by' | 'last_updated_at'
> & {
  /** The exports that it affects now. */
  exports: string[]
}

/** Returns the open incidents of all projects. */
export async function openIncidents(store: Store): Promise<OpenIncidentRow[]> {
  return await rowsOf<OpenIncidentRow>(store)`
    SELECT id, project_id, kind, cause, destination, detail, opened_at, notified_at, acknowledged_at, muted_until,
      ARRAY(SELECT batch_export_id FROM incident_exports WHERE incident_id = incidents.id AND until IS NULL)::text[] AS exports
    FROM incidents WHERE recovered_at IS NULL`
}

type NewIncident = Pick<OpenIncidentRow, 'project_id' | 'kind' | 'cause' | 'destination' | 'detail'>

/** Opens an incident; returns its id, or null if such an incident is already open. */
export async function openIncident(
  transaction: StoreTransaction,
  incident: NewIncident,
  now: Date,
): Promise<string | null> {
  const row = await transaction
    .insertInto('incidents')
    .values({
      ...incident,
      id: newId(now.getTime()),
      opened_at: now,
      recovered_at: null,
      notified_at: now,
      last_updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'kind', 'destination', 'cause'])
        .where('recovered_at', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Stores which exports an incident affects from now on, and which it no longer does. */
export async function updateAffected(
  transaction: StoreTransaction,
  id: string,
  { joined, left, detail }: { joined: readonly string[]; left: readonly string[]; detail: string },
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO incident_exports (incident_id, batch_export_id, since, until)
    SELECT ${id}::uuid, batch_export_id, ${now}, NULL FROM unnest(${joined}::uuid[]) AS joined (batch_export_id)
    ON CONFLICT (incident_id, batch_export_id) DO UPDATE SET until = NULL`.execute(transaction)
  const members = { incident_id: id, batch_export_id: left, until: null }
  await updateRows(transaction, 'incident_exports', members, { until: now })
  await updateRows(transaction, 'incidents', { id }, { detail, last_updated_at: now })
}

/** Ends an incident for all its exports; returns whether it was open. */
export async function endIncident(transaction: StoreTransaction, id: string, now: Date): Promise<boolean> {
  const end = { recovered_at: now, last_updated_at: now }
  const ended = await updateRows(transaction, 'incidents', { id, recovered_at: null }, end)
  await updateRows(transaction, 'incident_exports', { incident_id: id, until: null }, { until: now })
  return ended === 1
}

/** Stores a transition; returns its id. */
export async function insertTransition(
  transaction: StoreTransaction,
  incidentId: string,
  transition: Transition,
  at: Date,
): Promise<string> {
  const id = newId(at.getTime())
  await insertRow(transaction, 'incident_transitions', { id, incident_id: incidentId, transition, at })
  return id
}
