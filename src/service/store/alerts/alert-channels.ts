import { sql, type RawBuilder, type Selectable, type Updateable } from 'kysely'
import type { AlertChannelsTable } from '../schema/alert-tables.ts'
import { rowsOf, inTransaction, type Store } from '../schema/database.ts'
import { countOf, deleteRows, findRow, findRows, insertRow, updateRow, updateRows } from '../schema/rows.ts'

export type AlertChannelRow = Selectable<AlertChannelsTable>
export type ListedChannel = AlertChannelRow & {
  last_status: 'delivered' | 'failed' | null
  last_at: Date | null
}

/** Lists the channels of a project by name, each with its newest finished delivery. */
export async function listAlertChannels(store: Store, projectId: number): Promise<ListedChannel[]> {
  return await listed(store, sql`channel.project_id = ${projectId}`)
}

/** Finds a channel; `id` must be a UUID. */
export async function findAlertChannel(store: Store, projectIds: readonly number[], id: string) {
  const where = sql`channel.id = ${id} AND channel.project_id = ANY (${projectIds}::integer[])`
  return (await listed(store, where))[0]
}

async function listed(store: Store, where: RawBuilder<unknown>): Promise<ListedChannel[]> {
  return await rowsOf<ListedChannel>(store)`
    SELECT channel.*, newest.status AS last_status, newest.finished_at AS last_at FROM alert_channels channel
    LEFT JOIN LATERAL (SELECT status, finished_at FROM alert_deliveries WHERE channel_id = channel.id AND status <> 'waiting'
      ORDER BY created_at DESC, id DESC LIMIT 1) newest ON true
    WHERE ${where} ORDER BY lower(channel.name), channel.id`
}

/** Returns those of these ids that are channels of the project; `ids` must be UUIDs. */
export async function channelsAmong(store: Store, projectId: number, ids: readonly string[]) {
  const rows = await findRows(store, 'alert_channels', { project_id: projectId, id: ids })
  return new Set(rows.map(({ id }) => id))
}

/** Inserts a channel unless the project has `max` channels; returns whether it was inserted. */
export async function insertAlertChannel(store: Store, row: AlertChannelRow, max: number): Promise<boolean> {
  return await inTransaction(store, async (transaction) => {
    await sql`SELECT FROM projects WHERE id = ${row.project_id} FOR NO KEY UPDATE`.execute(transaction)
    const count = await countOf(transaction, sql`alert_channels WHERE project_id = ${row.project_id}`)
    if (count >= max) return false
    await insertRow(transaction, 'alert_channels', row)
    return true
  })
}

/** Changes a channel as `changesOf` its stored row says, one change at a time; returns undefined if it was deleted. */
export async function updateAlertChannel(
  store: Store,
  id: string,
  changesOf: (row: AlertChannelRow) => Updateable<AlertChannelsTable>,
): Promise<AlertChannelRow | undefined> {
  return await inTransaction(store, async (transaction) => {
    const row = await findRow(transaction, 'alert_channels', { id }, sql`FOR NO KEY UPDATE`)
    return row && (await updateRow(transaction, 'alert_channels', { id }, changesOf(row)))
  })
}

/** Deletes a channel; its waiting messages fail, and rules no longer name it. */
export async function deleteAlertChannel(store: Store, id: string, now: Date): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const failed = { status: 'failed', next_attempt_at: null, finished_at: now } as const
    await updateRows(transaction, 'alert_deliveries', { channel_id: id, status: 'waiting' }, failed)
    await sql`UPDATE alert_rules SET channels = array_remove(channels, ${id}::uuid)
      WHERE ${id}::uuid = ANY (channels)`.execute(transaction)
    await deleteRows(transaction, 'alert_channels', { id })
  })
}
