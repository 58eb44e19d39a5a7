import { sql, type Selectable } from 'kysely'
import type { DeliveryAttempt, DeliveryStatus } from '../../../contract/alerts/alert-delivery.ts'
import type { AlertKind } from '../../../contract/alerts/alert-rule.ts'
import { safeJson } from '../../engines/safe-text.ts'
import type { AlertDeliveriesTable } from '../schema/alert-tables.ts'
import { rowsOf, inTransaction, type Store } from '../schema/database.ts'
import { offsetPage, updateRows, type Page } from '../schema/rows.ts'

export type DeliveryRow = Selectable<AlertDeliveriesTable>

/**
 * Returns a page of the messages to a channel or about an incident, newest first, and the total count. Those about incidents of the
 * kinds in `hidden` are left out.
 */
export function pageOfDeliveries(
  store: Store,
  of: ({ channelId: string } | { incidentId: string }) & { hidden: readonly AlertKind[] },
  page: Page,
) {
  const isOf = 'channelId' in of ? sql`channel_id = ${of.channelId}` : sql`incident_id = ${of.incidentId}`
  const from = sql`alert_deliveries WHERE ${isOf} AND NOT EXISTS (
    SELECT FROM incidents WHERE id = incident_id AND kind = ANY (${of.hidden}::text[]))`
  return offsetPage<DeliveryRow>(store, from, 'created_at', page)
}

type NewDelivery = Omit<
  DeliveryRow,
  'status' | 'attempts' | 'next_attempt_at' | 'claimed_until' | 'finished_at'
>

/** Rows of one statement. */
const insertedAtOnce = 1000

/** Inserts messages to be sent; a message to a channel that already has one of the same transition is left out. */
export async function insertDeliveries(store: Store, rows: readonly NewDelivery[]): Promise<void> {
  const columns =
    sql.raw(`id, project_id, channel_id, channel_name, channel_type, incident_id, transition_id, transition,
    message, created_at`)
  for (let from = 0; from < rows.length; from += insertedAtOnce)
    // One parameter for all rows: PostgreSQL accepts at most 65,535.
    await sql`
      INSERT INTO alert_deliveries (${columns}, status, next_attempt_at)
      SELECT ${columns}, 'waiting', created_at
      FROM jsonb_populate_recordset(NULL::alert_deliveries, ${safeJson(rows.slice(from, from + insertedAtOnce))}::jsonb)
      ON CONFLICT (transition_id, channel_id) DO NOTHING`.execute(store)
}

/** A pair of an incident and a channel, as a key. */
export const incidentOnChannel = (incidentId: string, channelId: string) => `${incidentId} ${channelId}`

/** Returns which of these channels have messages about these incidents, or messages that wait, as `incidentOnChannel`. */
export async function channelsWithMessages(
  store: Store,
  incidentIds: readonly string[],
  channelIds: readonly string[],
  status: 'any' | 'waiting',
): Promise<Set<string>> {
  if (incidentIds.length === 0) return new Set()
  const { rows } = await sql<{ incident_id: string; channel_id: string }>`
    SELECT DISTINCT incident_id, channel_id FROM alert_deliveries
    WHERE incident_id = ANY (${incidentIds}::uuid[]) AND channel_id = ANY (${channelIds}::uuid[])
      ${status === 'any' ? sql`` : sql`AND status = 'waiting'`}`.execute(store)
  return new Set(rows.map((row) => incidentOnChannel(row.incident_id, row.channel_id)))
}

/**
 * Inserts a test of a channel, unless one waits or the project has sent `max` tests after `since`, also to channels that
 * were deleted; returns what happened.
 */
export async function insertTest(
  store: Store,
  row: NewDelivery,
  { since, max }: { since: Date; max: number },
): Promise<'inserted' | 'waiting' | 'too many'> {
  return await inTransaction(store, async (transaction) => {
    await sql`SELECT FROM projects WHERE id = ${row.project_id} FOR NO KEY UPDATE`.execute(transaction)
    const { rows } = await sql<{ waits: boolean; sent: number }>`
      SELECT EXISTS (SELECT FROM alert_deliveries WHERE channel_id = ${row.channel_id} AND status = 'waiting'
          AND transition = 'test') AS waits,
        (SELECT count(*) FROM alert_deliveries WHERE incident_id IS NULL AND project_id = ${row.project_id}
          AND transition = 'test' AND created_at > ${since}) AS sent`.execute(transaction)
    const [found] = rows
    if (found?.waits) return 'waiting'
    if ((found?.sent ?? 0) >= max) return 'too many'
    await insertDeliveries(transaction, [row])
    return 'inserted'
  })
}

/** Messages of one project that a process sends at once, so that the receivers of one do not occupy it. */
const sendingOfProjectMax = 5

export type BusyChannel = { channelId: string; projectId: number }
type Claim = {
  now: number
  claimMs: number
  /** The channels to which this process is sending. */
  busy: readonly BusyChannel[]
  max: number
}

/**
 * Claims messages that are due, those that have been due for longest first: one for each channel, except those in `busy`, and few
 * for each project. A message waits until earlier ones about its incident have been sent to its channel. A claim ends after
 * `claimMs`, in case the process has died.
 */
export async function claimDeliveries(store: Store, { now, claimMs, busy, max }: Claim) {
  const at = new Date(now)
  const busyChannels = busy.map(({ channelId }) => channelId)
  const busyProjects = busy.map(({ projectId }) => projectId)
  const { rows: due } = await sql<{ id: string }>`
    SELECT id FROM (
      SELECT first.*, row_number() OVER (PARTITION BY channel.project_id ORDER BY next_attempt_at, first.id)
        + cardinality(array_positions(${busyProjects}::integer[], channel.project_id)) AS place
      FROM alert_channels channel CROSS JOIN LATERAL (
        SELECT id, next_attempt_at FROM alert_deliveries delivery
        WHERE channel_id = channel.id AND status = 'waiting' AND next_attempt_at <= ${at}
          AND (claimed_until IS NULL OR claimed_until <= ${at})
          AND NOT EXISTS (SELECT FROM alert_deliveries earlier WHERE earlier.channel_id = delivery.channel_id
            AND earlier.incident_id = delivery.incident_id AND earlier.status = 'waiting'
            AND (earlier.created_at, earlier.id) < (delivery.created_at, delivery.id))
        ORDER BY created_at, id LIMIT 1) first
      WHERE channel.id <> ALL (${busyChannels}::uuid[])) placed
    WHERE place <= ${sendingOfProjectMax} ORDER BY next_attempt_at, id LIMIT ${max}`.execute(store)
  if (due.length === 0) return []
  // Another process may have claimed one of them since: its row no longer matches then.
  return await rowsOf<DeliveryRow>(store)`
    UPDATE alert_deliveries SET claimed_until = ${new Date(now + claimMs)}
    WHERE id = ANY (${due.map(({ id }) => id)}::uuid[]) AND status = 'waiting'
      AND (claimed_until IS NULL OR claimed_until <= ${at}) RETURNING *`
}

/** Stores an attempt: the message was delivered, failed for good, or waits until `next`. */
export async function storeAttempt(
  store: Store,
  id: string,
  attempt: DeliveryAttempt,
  { status, next, at }: { status: DeliveryStatus; next: Date | null; at: Date },
): Promise<void> {
  await sql`
    UPDATE alert_deliveries SET attempts = attempts || ${safeJson([attempt])}::jsonb, status = ${status}, next_attempt_at = ${next},
      claimed_until = NULL, finished_at = ${status === 'waiting' ? null : at}
    WHERE id = ${id} AND status = 'waiting'`.execute(store)
}

/** Makes a claimed message available again. */
export async function releaseDelivery(store: Store, id: string): Promise<void> {
  await updateRows(store, 'alert_deliveries', { id }, { claimed_until: null })
}

/** Deletes incidents that recovered before a time, with their messages, and tests sent before it. */
export async function deleteAlertsBefore(store: Store, before: Date): Promise<void> {
  await sql`DELETE FROM incidents WHERE recovered_at < ${before}`.execute(store)
  await sql`DELETE FROM alert_deliveries WHERE incident_id IS NULL AND created_at < ${before}`.execute(store)
}
