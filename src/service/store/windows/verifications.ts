import { sql, type RawBuilder } from 'kysely'
import { inTransaction, type Store, type StoreTransaction } from '../schema/database.ts'
import { newId } from '../schema/identifier.ts'
import { deleteRows, insertRow, updateRows } from '../schema/rows.ts'

/** A verification with its progress. */
export type VerificationRow = {
  id: string
  actor: string
  total: number
  waiting: number
  created_at: Date
}

/** Which recorded windows to verify: those that touch a period or are within one, or those that start at the given times. */
export type VerifiedSelection =
  | { start: Date; end: Date }
  | { within: { start: Date; end: Date } }
  | { starts: readonly Date[] }

type Request = { batchExportId: string; actor: string; at: Date; selection: VerifiedSelection }

/** Requests a verification of windows, newest first; returns null if the ledger has an entry for none of them. */
export async function requestVerification(store: Store, request: Request): Promise<VerificationRow | null> {
  const { batchExportId, actor, at, selection } = request
  const id = newId(at.getTime())
  const condition = conditionOf(selection)
  return await inTransaction(store, async (transaction) => {
    const requested = { id, batch_export_id: batchExportId, actor, total: 0, created_at: at }
    await insertRow(transaction, 'batch_export_verifications', requested)
    const order = sql`data_interval_start DESC`
    const total = await markWaiting(transaction, { batchExportId, id, at, condition, order })
    if (total === 0) {
      await deleteRows(transaction, 'batch_export_verifications', { id })
      return null
    }
    await updateRows(transaction, 'batch_export_verifications', { id }, { total })
    return { id, actor, total, waiting: total, created_at: at }
  })
}

function conditionOf(selection: VerifiedSelection): RawBuilder<boolean> {
  if ('starts' in selection)
    return sql<boolean>`data_interval_start = ANY (${selection.starts}::timestamptz[])`
  if ('within' in selection)
    return sql<boolean>`data_interval_start >= ${selection.within.start} AND data_interval_end <= ${selection.within.end}`
  return sql<boolean>`data_interval_start < ${selection.end} AND data_interval_end > ${selection.start}`
}

/** Returns the newest verification of an export. */
export async function newestVerification(store: Store, batchExportId: string) {
  const { rows } = await sql<VerificationRow>`
    SELECT id, actor, total, created_at, (SELECT count(*) FROM batch_export_ledger entry
      WHERE verification_id = verification.id AND verify_requested_at IS NOT NULL) AS waiting
    FROM batch_export_verifications verification WHERE batch_export_id = ${batchExportId}
    ORDER BY created_at DESC, id DESC LIMIT 1`.execute(store)
  return rows[0]
}

/**
 * Requests tonight's sample of each export that is verified nightly and had none since `since`: windows that began after
 * `oldest`, those first that were never verified or not for the longest time. Returns the number of exports.
 */
export async function requestSamples(
  store: Store,
  times: { since: Date; at: Date; oldest: Date },
  size: number,
): Promise<number> {
  const { since, at, oldest } = times
  return await store.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      UPDATE batch_export_verify_modes mode SET sampled_at = ${at} FROM batch_exports
      WHERE batch_exports.id = batch_export_id AND deleted_at IS NULL AND mode = 'nightly'
        AND (sampled_at IS NULL OR sampled_at < ${since})
      RETURNING batch_export_id AS id`.execute(transaction)
    for (const { id } of rows)
      await markWaiting(transaction, {
        batchExportId: id,
        id: null,
        at,
        condition: sql`data_interval_start >= ${oldest}`,
        order: sql`verified_at NULLS FIRST, random()`,
        limit: size,
      })
    return rows.length
  })
}

type Marking = {
  batchExportId: string
  /** Id of the verification whose progress counts the windows. */
  id: string | null
  at: Date
  condition: RawBuilder<boolean>
  order: RawBuilder<unknown>
  limit?: number
}

async function markWaiting(transaction: StoreTransaction, marking: Marking): Promise<number> {
  const { batchExportId, id, at, condition, order, limit = null } = marking
  const { numAffectedRows } = await sql`
    UPDATE batch_export_ledger entry SET verification_id = ${id}::uuid, verify_turn = chosen.turn,
      verify_requested_at = ${at}, claimed_until = NULL
    FROM (SELECT data_interval_start, data_interval_end, row_number() OVER (ORDER BY ${order}) - 1 AS turn
      FROM batch_export_ledger WHERE batch_export_id = ${batchExportId} AND ${condition}
      ORDER BY ${order} LIMIT ${limit}::integer) AS chosen
    WHERE entry.batch_export_id = ${batchExportId} AND entry.data_interval_start = chosen.data_interval_start
      AND entry.data_interval_end = chosen.data_interval_end`.execute(transaction)
  return Number(numAffectedRows ?? 0n)
}
