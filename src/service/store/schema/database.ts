import {
  Kysely,
  PostgresDialect,
  sql,
  type Transaction,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely'
import { types, type Pool } from 'pg'
import type { AccountTables } from './account-tables.ts'
import type { ExportTables } from './export-tables.ts'
import type { IntegrationTables } from './integration-tables.ts'
import type { LedgerTables } from './ledger-tables.ts'
import type { RepairTables } from './repair-tables.ts'
import type { BulkTables } from './bulk-tables.ts'
import type { RecordingTables } from './recording-tables.ts'
import type { FactsTables } from './facts-tables.ts'
import type { AuditTables } from './audit-tables.ts'
import type { PrivacyTables } from './privacy-tables.ts'
import type { AlertTables } from './alert-tables.ts'
import type { TriageTables } from './triage-tables.ts'
import { pooledClient, preparedMark, statementLimitMs } from '../../engines/postgres/pooled-client.ts'

export type Database = {
  installation: { name: string; value: string }
  rate_counts: { minute: number; name: string; count: number }
  arrival_floor: { at: Date }
  worker_heartbeat: { at: Date }
} & AccountTables &
  ExportTables &
  IntegrationTables &
  LedgerTables &
  RepairTables &
  BulkTables &
  RecordingTables &
  FactsTables &
  AlertTables &
  AuditTables &
  PrivacyTables &
  TriageTables

export type Store = Kysely<Database>
export type StoreTransaction = Transaction<Database>

/** For each transaction in progress, what `afterCommit` has added to it. */
const worksAfterCommit = new WeakMap<StoreTransaction, (() => Promise<void>)[]>()

/** Performs `work` in a transaction: in the caller's, if `store` is one already. */
export async function inTransaction<Result>(
  store: Store,
  work: (transaction: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  if (store.isTransaction) return await work(store as StoreTransaction)
  const works: (() => Promise<void>)[] = []
  const result = await store.transaction().execute((transaction) => {
    worksAfterCommit.set(transaction, works)
    return work(transaction)
  })
  void Promise.allSettled(works.map((each) => each()))
  return result
}

/**
 * Starts `work`, which may take long, once the transaction is committed, so that others do not wait for the transaction's locks
 * meanwhile. Nobody waits for `work` or learns that it failed. A rollback drops it.
 * @throws Error if the transaction was not opened by `inTransaction`
 */
export function afterCommit(transaction: StoreTransaction, work: () => Promise<void>): void {
  const works = worksAfterCommit.get(transaction)
  if (!works) throw new Error('this transaction was not opened by inTransaction')
  works.push(work)
}

/** Returns a function that drops what `afterCommit` has added since: to be called after a rollback to a savepoint. */
export function rememberWorks(transaction: StoreTransaction): () => void {
  const works = worksAfterCommit.get(transaction) ?? []
  const { length } = works
  return () => void works.splice(length)
}

/** Returns a template tag that runs a statement and returns its rows, as in rowsOf<Row>(store)`SELECT …`. */
export function rowsOf<Row>(store: Store) {
  return async (...statement: Parameters<typeof sql>) => (await sql<Row>(...statement).execute(store)).rows
}

/** Like `rowsOf`, for a statement that many requests send; its text must not vary. The embedded server plans it only once. */
export function preparedRowsOf<Row>(store: Store) {
  return (...statement: Parameters<typeof sql>) =>
    rowsOf<Row>(store)`${sql.raw(preparedMark)}${sql(...statement)}`
}

const int8 = 20

/**
 * Opens the typed store on a pool. bigints become numbers: counts, bytes and versions stay far below 2^53. A statement
 * fails after `limitMs`; null sets no limit.
 * @param prepares whether frequent statements are prepared, which a pooler of connections may not support
 */
export function openStore(
  pool: Pool,
  { limitMs = statementLimitMs, prepares = false }: { limitMs?: number | null; prepares?: boolean } = {},
): Store {
  types.setTypeParser(int8, Number)
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: boundedPool(pool, limitMs, prepares) }),
  })
}

function boundedPool(pool: Pool, limitMs: number | null, prepares: boolean): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const { query, release } = pooledClient(await pool.connect(), limitMs, prepares)
      return { query: query as PostgresPoolClient['query'], release }
    },
    end: () => pool.end(),
  }
}
