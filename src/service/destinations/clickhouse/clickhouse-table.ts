import { createHash, randomBytes } from 'node:crypto'
import { quoteClickhouse as quote } from '../../../contract/destinations/tables/window-query.ts'
import { ExportError } from '../../problems/export-error.ts'
import {
  comparedColumns,
  deliveriesTable,
  windowColumn,
  writtenNames,
  type Delivery,
  type TablePlan,
  type TableStore,
  type TableWindow,
} from '../table-store.ts'
import type { ClickhouseHttp } from './clickhouse-http.ts'
import { createStatement, stageEngine } from './clickhouse-statements.ts'
import { clashOf, clickhouseType } from './clickhouse-types.ts'

/** A table, whether it exists or not. `quoted`: its name in statements; `inDatabase` returns that of another one beside it. */
type Target = {
  http: ClickhouseHttp
  database: string
  name: string
  quoted: string
  inDatabase(tableName: string): string
}

/** A table of rows of one attempt, which are attached to the destination's table in its commit. */
type Stage = { name: string; hasWindows: boolean }

/**
 * Opens a table of a server. ClickHouse has no transactions: an attempt that is killed in its commit can leave the table without
 * the window, or with all of its rows but no delivery. The next attempt deletes what it finds first.
 */
export function openClickhouseTable(http: ClickhouseHttp, database: string, name: string): TableStore {
  const inDatabase = (tableName: string) => `${quote(database)}.${quote(tableName)}`
  const table = inDatabase(name)
  const target = { http, database, name, quoted: table, inDatabase }
  let stage: Stage | null = null
  return {
    async plan(columns, merge) {
      await assertVersion(http)
      const [found, there] = [await describe(target, name), await columnsOf(target)]
      if (found) assertAttachable(table, String(found['engine']))
      else await assertDatabase(http, database)
      const compared = comparedColumns(columns, found && there, { typeOf: clickhouseType, clashOf })
      return { table, ddl: createStatement(table, columns, merge), ...compared }
    },
    async load(window, plan, rows) {
      await createMissing(target, plan)
      await dropOtherStages(target, window, stage)
      const created = await createStage(target, window, plan.hasWindows)
      stage = created
      const insert = `INSERT INTO ${inDatabase(created.name)} (${writtenNames(plan).map(quote).join(', ')})`
      await rows((chunks) => http.insert(insert, chunks))
      const [counted] = await http.query(`SELECT count() AS rows FROM ${inDatabase(created.name)}`)
      return Number(counted?.['rows'])
    },
    async commit(window, delivery, signal) {
      if (!stage) throw new Error('no rows are loaded')
      await dropOtherStages(target, window, stage)
      await attach(target, stage, window, delivery, signal)
    },
    async read({ key }, columns, read) {
      const fields = columns.map((column) => quote(column.name)).join(', ')
      await http.stream(
        `SELECT ${fields} FROM ${table} WHERE ${quote(windowColumn)} = {key: String}`,
        { key },
        read,
      )
    },
    async close() {
      // The next attempt drops what remains after a lost connection.
      if (stage) await http.command(`DROP TABLE IF EXISTS ${inDatabase(stage.name)}`).catch(() => undefined)
      stage = null
    },
  }
}

/** Returns the engine of a table, and the clauses that follow its name; null if there is no such table. */
async function describe({ http, database }: Target, name: string): Promise<Record<string, unknown> | null> {
  const [found] = await http.query(
    `SELECT engine, engine_full AS clauses FROM system.tables
     WHERE database = {database: String} AND name = {name: String}`,
    { database, name },
  )
  return found ?? null
}

/** Returns the types of the columns that can be written, by name; none if there is no table. */
async function columnsOf({ http, database, name }: Target): Promise<Map<string, string>> {
  const rows = await http.query(
    `SELECT name, type FROM system.columns
     WHERE database = {database: String} AND table = {name: String} AND default_kind IN ('', 'DEFAULT')`,
    { database, name },
  )
  return new Map(rows.map((row) => [String(row['name']), String(row['type'])]))
}

/** Creates the planned table and that of the deliveries, if they are absent. */
async function createMissing(target: Target, plan: TablePlan): Promise<void> {
  const { http, inDatabase } = target
  if (!plan.exists) await http.command(plan.ddl.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'))
  // Without the privilege to create tables, one that exists can be used.
  if (!(await describe(target, deliveriesTable)))
    await http.command(`CREATE TABLE IF NOT EXISTS ${inDatabase(deliveriesTable)} (export_id UUID, window_key String, rows UInt64, hash String,
      run_id UUID, written_at DateTime64(6, 'UTC')) ENGINE = ReplacingMergeTree(written_at) ORDER BY (export_id, window_key)`)
}

type Window = Pick<TableWindow, 'key'>

/** Returns how the names of all stages of a window begin. */
/** @throws ExportError for a server without ATTACH PARTITION ALL FROM, which would delete a window and then fail. */
async function assertVersion(http: ClickhouseHttp): Promise<void> {
  const [found] = await http.query('SELECT version() AS version')
  const version = String(found?.['version'])
  const [year = 0, release = 0] = version.split('.').map(Number)
  if (year > 24 || (year === 24 && release >= 4)) return
  throw new ExportError(
    `The server has ClickHouse ${version} and lacks what an export needs: update it to 24.4 or later.`,
    true,
  )
}

function stagePrefix({ quoted }: Target, { key }: Window): string {
  const digest = createHash('sha256').update(`${quoted} ${key}`).digest('hex').slice(0, 32)
  return `_spool_stage_${digest}_`
}

/** Creates an empty table to which the rows of a window are written. */
async function createStage(target: Target, window: Window, hasWindows: boolean): Promise<Stage> {
  const { http, name, quoted, inDatabase } = target
  const stage = `${stagePrefix(target, window)}${randomBytes(8).toString('hex')}`
  const clauses = String((await describe(target, name))?.['clauses'])
  await http.command(`CREATE TABLE ${inDatabase(stage)} AS ${quoted} ENGINE = ${stageEngine(clauses)}`)
  return { name: stage, hasWindows }
}

/**
 * Drops the stages of other attempts at a window, which can then attach nothing more.
 * @throws ExportError if one of them has dropped this attempt's
 */
async function dropOtherStages(target: Target, window: Window, own: Stage | null): Promise<void> {
  const { http, database, inDatabase } = target
  const rows = await http.query(
    'SELECT name FROM system.tables WHERE database = {database: String} AND startsWith(name, {prefix: String})',
    { database, prefix: stagePrefix(target, window) },
  )
  const names = rows.map((row) => String(row['name']))
  if (own && !names.includes(own.name))
    throw new ExportError('A later attempt of this window has begun, so nothing was written.', false)
  for (const found of names)
    if (found !== own?.name) await http.command(`DROP TABLE IF EXISTS ${inDatabase(found)} SYNC`)
}

/**
 * Replaces the window's rows by those of a stage, and records their delivery. A later attempt drops the stage first, so that
 * statements of this one, which may have been frozen, then change nothing.
 */
async function attach(
  { http, database, quoted: table, inDatabase }: Target,
  stage: Stage,
  { exportId, key, runId }: TableWindow,
  { rows, hash }: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const hasStage = `(SELECT count() FROM system.tables WHERE database = {database: String} AND name = {stage: String}) = 1`
  const ofStage = { key, database, stage: stage.name }
  const change = async (sql: string, params: Record<string, string> = {}) => {
    signal.throwIfAborted()
    await http.command(sql, params)
  }
  if (stage.hasWindows) {
    const ofWindow = `${quote(windowColumn)} = {key: String}`
    const [found] = await http.query(`SELECT count() AS rows FROM ${table} WHERE ${ofWindow}`, { key })
    if (Number(found?.['rows']) > 0)
      await change(
        `ALTER TABLE ${table} DELETE WHERE ${ofWindow} AND ${hasStage} SETTINGS mutations_sync = 2`,
        ofStage,
      )
  }
  await change(`ALTER TABLE ${table} ATTACH PARTITION ALL FROM ${inDatabase(stage.name)}`)
  await change(
    `INSERT INTO ${inDatabase(deliveriesTable)} (export_id, window_key, rows, hash, run_id, written_at)
     SELECT {export: UUID}, {key: String}, {rows: UInt64}, {hash: String}, {run: UUID}, now64(6) WHERE ${hasStage}`,
    { ...ofStage, export: exportId, rows: String(rows), hash, run: runId },
  )
}

/** @throws ExportError if a table has an engine to which parts cannot be attached. */
function assertAttachable(table: string, engine: string): void {
  if (engine.endsWith('MergeTree') && !engine.startsWith('Replicated')) return
  const what = engine.startsWith('Replicated') ? 'which is not supported yet' : 'not MergeTree'
  throw new ExportError(
    `The table ${table} has the engine ${engine}, ${what}: change the destination's table to one with MergeTree.`,
    true,
  )
}

/** @throws ExportError if there is no such database. */
async function assertDatabase(http: ClickhouseHttp, database: string): Promise<void> {
  const found = await http.query('SELECT 1 FROM system.databases WHERE name = {database: String}', {
    database,
  })
  if (found.length > 0) return
  throw new ExportError(
    `There is no database "${database}": create it, or change the destination's database.`,
    true,
  )
}
