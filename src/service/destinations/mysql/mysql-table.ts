import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ResultSetHeader, RowDataPacket } from 'mysql2'
import type { TableColumn } from '../../warehouse/table-rows.ts'
import { ExportError } from '../../problems/export-error.ts'
import {
  comparedColumns,
  deliveriesTable,
  windowColumn,
  writtenNames,
  type RowStream,
  type TablePlan,
  type TableStore,
} from '../table-store.ts'
import type { MysqlSession } from './connect-mysql.ts'
import { createStatement, list, mergeStatements, quote, readExpression } from './mysql-statements.ts'
import { clashOf, mysqlType } from './mysql-types.ts'

/** Time (s) that a writer waits for another one of its window. */
const lockSeconds = 30

/** Largest row that is read back, and how many wait for the engine. */
const rowBytesMax = 64 * 1024 * 1024
const rowsWaiting = 4

const mysqlTypes = {
  typeOf: (column: TableColumn) => mysqlType(column, false),
  clashOf,
  // MySQL ignores the case of a column's name.
  nameOf: (name: string) => name.toLowerCase(),
}

/** Opens a table over a connection of its own. */
export function openMysqlTable(connection: MysqlSession, database: string, name: string): TableStore {
  const sql = connection.promise()
  const table = `${quote(database)}.${quote(name)}`
  const deliveries = `${quote(database)}.${quote(deliveriesTable)}`

  const select = async (text: string, values: unknown[] = []) =>
    (await sql.query<RowDataPacket[]>(text, values))[0]

  const columnsOf = async (tableName: string) => {
    const rows = await select(
      `SELECT COLUMN_NAME AS name, COLUMN_TYPE AS type FROM information_schema.COLUMNS
       WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND coalesce(GENERATION_EXPRESSION, '') = ''`,
      [database, tableName],
    )
    return new Map(rows.map((row) => [mysqlTypes.nameOf(String(row['name'])), String(row['type'])]))
  }

  const assertTransactional = async () => {
    const [found] = await select(
      'SELECT ENGINE AS engine FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?',
      [database, name],
    )
    const engine = String(found?.['engine'])
    if (found && engine !== 'InnoDB')
      throw new ExportError(
        `The table ${table} has the engine ${engine}, not InnoDB, and so no transactions: change its engine, or the destination's table.`,
        true,
      )
  }

  /** Collation by which texts are equal only if all their characters are. */
  const collation = async () => {
    const names = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin']
    const found = await select(
      'SELECT COLLATION_NAME AS name FROM information_schema.COLLATIONS WHERE COLLATION_NAME IN (?)',
      [names],
    )
    return String(found[0]?.['name'] ?? 'utf8mb4_bin')
  }

  /** Creates what is absent; each CREATE TABLE is a transaction of its own. */
  const create = async (plan: TablePlan) => {
    if ((await columnsOf(name)).size === 0)
      await sql.query(plan.ddl.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'))
    // Without privileges to create tables, those that exist can be used.
    if ((await columnsOf(deliveriesTable)).size === 0)
      await sql.query(`CREATE TABLE IF NOT EXISTS ${deliveries} (export_id CHAR(36) NOT NULL, window_key VARCHAR(255) NOT NULL,
        \`rows\` BIGINT NOT NULL, hash CHAR(64) NOT NULL, run_id CHAR(36) NOT NULL, written_at DATETIME(6) NOT NULL,
        PRIMARY KEY (export_id, window_key)) ENGINE = InnoDB CHARACTER SET ascii`)
  }

  /** Waits until no other connection writes what the key names; the lock is held until this connection ends. */
  const lock = async (key: string) => {
    const digest = createHash('sha256').update(key).digest('hex').slice(0, 40)
    const [found] = await select('SELECT GET_LOCK(?, ?) AS held', [`spool ${digest}`, lockSeconds])
    if (Number(found?.['held']) !== 1)
      throw new ExportError(
        `Another session has been writing to ${table} for ${lockSeconds} seconds, so nothing was written.`,
        false,
      )
  }

  const loadInto = async (target: string, names: readonly string[], rows: RowStream) => {
    let loaded = 0
    await rows(async (chunks) => {
      const source = Readable.from(buffers(chunks), { objectMode: false })
      // mysql2 does not always listen; without a listener, the error would end the process.
      source.on('error', () => undefined)
      const loading = sql.query<ResultSetHeader>({
        // The server receives these rows, whatever file it asks for.
        sql: `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${target} CHARACTER SET utf8mb4
          FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' ESCAPED BY '' LINES TERMINATED BY '\\n' (${list(names)})`,
        infileStreamFactory: () => source,
      })
      // Ends the engine's statement, too, if the server has refused the rows.
      const [result] = await loading.finally(() => source.destroy())
      loaded = result.affectedRows
    })
    const [warning] = await select('SHOW WARNINGS')
    // LOCAL turns errors about values into warnings, and stores other values.
    if (warning)
      throw Object.assign(new Error(String(warning['Message'])), { code: 'ER_LOADED_WITH_WARNINGS' })
    return loaded
  }

  return {
    async plan(columns, merge) {
      const there = await columnsOf(name)
      await assertTransactional()
      const compared = comparedColumns(columns, there.size > 0 ? there : null, mysqlTypes)
      return { table, ddl: createStatement(table, columns, merge, await collation()), ...compared }
    },
    async load(window, plan, rows, merge) {
      await create(plan)
      // Writers of persons wait for each other, since they can change the same rows.
      await lock(merge ? table : `${table} ${window.key}`)
      await sql.query('START TRANSACTION')
      if (plan.hasWindows)
        await sql.query(`DELETE FROM ${table} WHERE ${quote(windowColumn)} = ?`, [window.key])
      const names = writtenNames(plan)
      if (!merge) return await loadInto(table, names, rows)
      const stage = `${quote(database)}.${quote('_spool_stage')}`
      await sql.query(
        `CREATE TEMPORARY TABLE ${stage} ENGINE = InnoDB SELECT ${list(names)} FROM ${table} WHERE false`,
      )
      const loaded = await loadInto(stage, names, rows)
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
      const { received } = connection
      const query = connection.query({
        sql: `SELECT ${line} FROM ${table} WHERE ${quote(windowColumn)} = ?`,
        values: [key],
        rowsAsArray: true,
        typeCast: false,
      })
      query.once('fields', () => (received.bytesMax = rowBytesMax))
      query.on('result', (_, index) => {
        if (index === 0) received.bytes = 0
      })
      const rows = query.stream({ highWaterMark: rowsWaiting })
      rows.on('error', () => undefined)
      // A lost connection does not end the query of a stream.
      connection.on('error', (error) => rows.destroy(error))
      await read(lines(rows))
    },
    async close() {
      // Ends a transaction without its COMMIT, and the locks.
      connection.destroy()
    },
  }
}

/** Joins selected lines, each of which ends with a separator, which becomes its end. */
async function* lines(rows: AsyncIterable<[Buffer | null]>): AsyncGenerator<Uint8Array> {
  let [waiting, bytes]: [Buffer[], number] = [[], 0]
  for await (const [line] of rows) {
    if (!line) throw new Error('A row is longer than the max_allowed_packet of the server')
    line[line.length - 1] = 10
    waiting.push(line)
    bytes += line.length
    if (bytes < 65_536) continue
    yield Buffer.concat(waiting)
    ;[waiting, bytes] = [[], 0]
  }
  yield Buffer.concat(waiting)
}

async function* buffers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
