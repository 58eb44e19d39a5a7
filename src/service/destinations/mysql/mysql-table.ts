import { createHash } from 'node:crypto'
import { quoteMysql as quote } from '../../../contract/destinations/tables/window-query.ts'
import type { TableColumn } from '../../warehouse/table-rows.ts'
import { ExportError } from '../../problems/export-error.ts'
import {
  comparedColumns,
  deliveriesTable,
  windowColumn,
  writtenNames,
  type TablePlan,
  type TableStore,
} from '../table-store.ts'
import type { MysqlSession } from './connect-mysql.ts'
import { loadRows, readLines, select } from './mysql-rows.ts'
import { createStatement, list, mergeStatements, readExpression } from './mysql-statements.ts'
import { clashOf, mysqlType } from './mysql-types.ts'

/** Time (s) that a writer waits for another one of its window. */
const lockSeconds = 30

const mysqlTypes = {
  typeOf: (column: TableColumn) => mysqlType(column, false),
  clashOf,
  // MySQL ignores the case of a column's name.
  nameOf: (name: string) => name.toLowerCase(),
}

/** A table, whether it exists or not. `quoted`: its name in statements. */
type Target = { session: MysqlSession; database: string; name: string; quoted: string }

/** Opens a table over a connection of its own. */
export function openMysqlTable(session: MysqlSession, database: string, name: string): TableStore {
  const sql = session.promise()
  const inDatabase = (tableName: string) => `${quote(database)}.${quote(tableName)}`
  const [table, deliveries] = [inDatabase(name), inDatabase(deliveriesTable)]
  const target = { session, database, name, quoted: table }
  return {
    async plan(columns, merge) {
      const there = await columnsOf(target)
      await assertTransactional(target)
      const compared = comparedColumns(columns, there.size > 0 ? there : null, mysqlTypes)
      return { table, ddl: createStatement(table, columns, merge, await collationOf(session)), ...compared }
    },
    async load(window, plan, rows, merge) {
      await createMissing(target, { ...target, name: deliveriesTable, quoted: deliveries }, plan)
      // Writers of persons wait for each other, since they can change the same rows.
      await lock(target, merge ? table : `${table} ${window.key}`)
      await sql.query('START TRANSACTION')
      if (plan.hasWindows)
        await sql.query(`DELETE FROM ${table} WHERE ${quote(windowColumn)} = ?`, [window.key])
      const names = writtenNames(plan)
      if (!merge) return await loadRows(session, table, names, rows)
      const stage = inDatabase('_spool_stage')
      await sql.query(
        `CREATE TEMPORARY TABLE ${stage} ENGINE = InnoDB SELECT ${list(names)} FROM ${table} WHERE false`,
      )
      const loaded = await loadRows(session, stage, names, rows)
      for (const statement of mergeStatements(table, stage, names, merge)) await sql.query(statement)
      return loaded
    },
    async commit({ exportId, key, runId }, { rows, hash }) {
      await sql.query(
        `REPLACE INTO ${deliveries} (export_id, window_key, \`rows\`, hash, run_id, written_at) VALUES (?, ?, ?, ?, ?, utc_timestamp(6))`,
        [exportId, key, rows, hash, runId],
      )
      await sql.query('COMMIT')
    },
    async read({ key }, columns, read) {
      const line = `concat_ws('\\t', ${columns.map(readExpression).join(', ')}, '')`
      const query = `SELECT ${line} FROM ${table} WHERE ${quote(windowColumn)} = ?`
      await read(readLines(session, query, [key]))
    },
    async close() {
      // Ends a transaction without its COMMIT, and the locks.
      session.destroy()
    },
  }
}

/** Returns the types of the columns that can be written, by name; none if there is no table. */
async function columnsOf({ session, database, name }: Target): Promise<Map<string, string>> {
  const rows = await select(
    session,
    `SELECT COLUMN_NAME AS name, COLUMN_TYPE AS type FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND coalesce(GENERATION_EXPRESSION, '') = ''`,
    [database, name],
  )
  return new Map(rows.map((row) => [mysqlTypes.nameOf(String(row['name'])), String(row['type'])]))
}

/** @throws ExportError if the table has an engine without transactions. */
async function assertTransactional({ session, database, name, quoted }: Target): Promise<void> {
  const [found] = await select(
    session,
    'SELECT ENGINE AS engine FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?',
    [database, name],
  )
  const engine = String(found?.['engine'])
  if (found && engine !== 'InnoDB')
    throw new ExportError(
      `The table ${quoted} has the engine ${engine}, not InnoDB, and so no transactions: change its engine, or the destination's table.`,
      true,
    )
}

/** Returns the collation by which texts are equal only if all their characters are. */
async function collationOf(session: MysqlSession): Promise<string> {
  const names = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin']
  const found = await select(
    session,
    'SELECT COLLATION_NAME AS name FROM information_schema.COLLATIONS WHERE COLLATION_NAME IN (?)',
    [names],
  )
  return String(found[0]?.['name'] ?? 'utf8mb4_bin')
}

/** Creates those of both tables that are absent; each CREATE TABLE is a transaction of its own. */
async function createMissing(target: Target, deliveries: Target, plan: TablePlan): Promise<void> {
  const sql = target.session.promise()
  if ((await columnsOf(target)).size === 0)
    await sql.query(plan.ddl.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'))
  // Without privileges to create tables, those that exist can be used.
  if ((await columnsOf(deliveries)).size === 0)
    await sql.query(`CREATE TABLE IF NOT EXISTS ${deliveries.quoted} (export_id CHAR(36) NOT NULL, window_key VARCHAR(255) NOT NULL,
      \`rows\` BIGINT NOT NULL, hash CHAR(64) NOT NULL, run_id CHAR(36) NOT NULL, written_at DATETIME(6) NOT NULL,
      PRIMARY KEY (export_id, window_key)) ENGINE = InnoDB CHARACTER SET ascii`)
}

/** Waits until no other connection writes what the key names; the lock is held until this connection ends. */
async function lock({ session, quoted }: Target, key: string): Promise<void> {
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 40)
  const [found] = await select(session, 'SELECT GET_LOCK(?, ?) AS held', [`spool ${digest}`, lockSeconds])
  if (Number(found?.['held']) !== 1)
    throw new ExportError(
      `Another session has been writing to ${quoted} for ${lockSeconds} seconds, so nothing was written.`,
      false,
    )
}
