import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { AlertDeliveriesTable } from './alert-tables.ts'
import type { Page } from './batch-exports.ts'
import type { Store } from './database.ts'

export type DeliveryRow = Selectable<AlertDeliveriesTable>

/** Returns a page of the messages to a channel or about an incident, newest first, and the total count. */
export async function pageOfDeliveries(
  store: Store,
  of: { channelId: string } | { incidentId: string },
  { limit, offset }: Page,
): Promise<{ count: number; rows: DeliveryRow[] }> {
  const where: RawBuilder<unknown> =
    'channelId' in of ? sql`channel_id = ${of.channelId}` : sql`incident_id = ${of.incidentId}`
  const [page, counted] = await Promise.all([
    sql<DeliveryRow>`
      SELECT * FROM alert_deliveries WHERE ${where}
      ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`.execute(store),
    sql<{ count: number }>`SELECT count(*) AS count FROM alert_deliveries WHERE ${where}`.execute(store),
  ])
  return { count: counted.rows[0]?.count ?? 0, rows: page.rows }
}

type NewDelivery = Pick<
  DeliveryRow,
  | 'id'
  | 'project_id'
  | 'channel_id'
  | 'channel_name'
  | 'channel_type'
  | 'incident_id'
  | 'transition_id'
  | 'transition'
  | 'message'
  | 'created_at'
>

/** Inserts messages to be sent; a message to a channel that already has one of the same transition is left out. */
export async function insertDeliveries(store: Store, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return
  await store
    .insertInto('alert_deliveries')
    .values(
      rows.map((row) => ({
        ...row,
        message: JSON.stringify(row.message),
        status: 'waiting' as const,
        next_attempt_at: row.created_at,
      })),
    )
    .onConflict((conflict) => conflict.columns(['transition_id', 'channel_id']).doNothing())
    .execute()
}
