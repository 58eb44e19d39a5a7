import { sql, type Selectable } from 'kysely'
import type { AuditChainsTable, AuditSealsTable } from '../schema/audit-tables.ts'
import { rowsOf, type Store, type StoreTransaction } from '../schema/database.ts'
import { countOf, findRow, findRows, insertRow, updateRows } from '../schema/rows.ts'
import type { AuditRow } from './audit-entries.ts'

export type AuditChain = Selectable<AuditChainsTable>
export type AuditSeal = Selectable<AuditSealsTable>

/** The hash before the first seal. */
const noHash = Buffer.alloc(0)

/** Returns the ids of the organizations that have entries to seal. */
export async function organizationsToSeal(store: Store): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(store)`
    SELECT id FROM organizations WHERE EXISTS (
      SELECT FROM audit_entries WHERE organization_id = organizations.id AND seal IS NULL)`
  return rows.map(({ id }) => id)
}

/**
 * Locks the chain of an organization until the transaction ends, and creates it first if it is missing; undefined while
 * another process has it. `sign` signs a new chain; if the organization has seals already, the new chain stays unsigned.
 */
export async function lockChain(
  transaction: StoreTransaction,
  organizationId: string,
  sign: (chain: Omit<AuditChain, 'signature'>) => string,
): Promise<AuditChain | undefined> {
  const select = () =>
    findRow(transaction, 'audit_chains', { organization_id: organizationId }, sql`FOR UPDATE SKIP LOCKED`)
  const locked = await select()
  if (locked) return locked
  const [newest] = await findRows(
    transaction,
    'audit_seals',
    { organization_id: organizationId },
    sql`ORDER BY number DESC LIMIT 1`,
  )
  const begun = {
    organization_id: organizationId,
    last_number: newest?.number ?? 0,
    last_hash: newest?.hash ?? noHash,
    removed_number: 0,
    removed_hash: noHash,
  }
  await transaction
    .insertInto('audit_chains')
    .values({ ...begun, signature: newest ? '' : sign(begun) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await select()
}

/** Returns the entries of an organization that no seal covers yet, oldest first. */
export function unsealedEntries(store: Store, organizationId: string, limit: number): Promise<AuditRow[]> {
  const unsealed = { organization_id: organizationId, seal: null }
  return findRows(store, 'audit_entries', unsealed, sql`ORDER BY created_at, id LIMIT ${limit}`)
}

/** Adds a seal to a locked chain, and marks its entries. */
export async function addSeal(
  transaction: StoreTransaction,
  seal: AuditSeal,
  entries: readonly AuditRow[],
  signature: string,
): Promise<void> {
  const { organization_id, number, hash } = seal
  await updateRows(transaction, 'audit_entries', { id: entries.map(({ id }) => id) }, { seal: number })
  await insertRow(transaction, 'audit_seals', seal)
  await updateRows(
    transaction,
    'audit_chains',
    { organization_id },
    { last_number: number, last_hash: hash, signature },
  )
}

/** Yields the seals of an organization from a number on, in order, each with its entries. */
export async function* sealsWithEntries(
  store: Store,
  organizationId: string,
  from: number,
  batchMax: number,
) {
  for (let next = from; ;) {
    const seals = await rowsOf<AuditSeal>(store)`
      SELECT * FROM audit_seals WHERE organization_id = ${organizationId} AND number >= ${next}
      ORDER BY number LIMIT ${batchMax}`
    const last = seals.at(-1)
    if (!last) return
    const rows = await rowsOf<AuditRow>(store)`
      SELECT * FROM audit_entries WHERE organization_id = ${organizationId} AND seal BETWEEN ${next} AND ${last.number}
      ORDER BY seal, created_at, id`
    const entries = Map.groupBy(rows, ({ seal }) => seal)
    for (const seal of seals) yield { seal, entries: entries.get(seal.number) ?? [] }
    next = last.number + 1
  }
}

/** Returns a number above those of the seals that a chain should have, or among the removed ones, that an entry names. */
export async function strayNumber(
  store: Store,
  { organization_id, removed_number, last_number }: AuditChain,
) {
  const [row] = await rowsOf<{ number: number | null }>(store)`
    SELECT min(seal) AS number FROM audit_entries
    WHERE organization_id = ${organization_id} AND (seal <= ${removed_number} OR seal > ${last_number})`
  return row?.number ?? null
}

/** Returns how many entries of an organization no seal covers yet. */
export function countUnsealed(store: Store, organizationId: string): Promise<number> {
  return countOf(store, sql`audit_entries WHERE organization_id = ${organizationId} AND seal IS NULL`)
}

/**
 * Returns the last of a chain's oldest `max` seals whose entries, and those of all seals before it, are from before `time`; null
 * if there is none.
 */
export async function expiredSeal(
  store: Store,
  chain: AuditChain,
  time: Date,
  max: number,
): Promise<AuditSeal | null> {
  const { organization_id, removed_number, last_number } = chain
  const newest = Math.min(last_number, removed_number + max)
  const [kept] = await rowsOf<{ number: number | null }>(store)`
    SELECT min(seal) AS number FROM audit_entries
    WHERE organization_id = ${organization_id} AND seal > ${removed_number} AND seal <= ${newest} AND created_at >= ${time}`
  const number = (kept?.number ?? newest + 1) - 1
  if (number <= removed_number) return null
  return (await findRow(store, 'audit_seals', { organization_id, number })) ?? null
}

/** Deletes a seal, those before it and their entries; returns the number of entries. `signature` is of the chain without them. */
export async function removeUntil(
  transaction: StoreTransaction,
  { organization_id, number, hash }: AuditSeal,
  signature: string,
): Promise<number> {
  const removed = { removed_number: number, removed_hash: hash, signature }
  await updateRows(transaction, 'audit_chains', { organization_id }, removed)
  await sql`DELETE FROM audit_seals WHERE organization_id = ${organization_id} AND number <= ${number}`.execute(
    transaction,
  )
  const { numAffectedRows } = await sql`
    DELETE FROM audit_entries WHERE organization_id = ${organization_id} AND seal <= ${number}`.execute(
    transaction,
  )
  return Number(numAffectedRows)
}
