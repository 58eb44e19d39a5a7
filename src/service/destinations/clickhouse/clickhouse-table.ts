import { createHash, randomBytes } from 'node:crypto'
import { ExportError } from '../../problems/export-error.ts'
import { quoteIdentifier as quote } from '../../warehouse/run-rows.ts'
import type { TableColumn } from '../../warehouse/table-rows.ts'
import {
  comparedColumns,
  deliveriesTable,
  windowColumn,
  writtenNames,
  type MergeKey,
  type TableStore,
} from '../table-store.ts'
import type { ClickhouseHttp } from './clickhouse-http.ts'
import { clashOf, clickhouseType } from './clickhouse-types.ts'

/** A table of rows of one attempt, which are attached to the destination's table in its commit. */
type Stage = { name: string; hasWindows: boolean }

/**
 * Opens a table of a server. ClickHouse has no transactions: an attempt that is killed in its commit can leave the table without
 * the window, or with all of its rows but no delivery. The next attempt deletes what it finds first.
 */
export function openClickhouseTable(http: ClickhouseHttp, database: string, name: string): TableStore {
  const table = `${quote(database)}.${quote(name)}`
  const inDatabase = (tableName: string) => `${quote(database)}.${quote(tableName)}`
  const deliveries = inDatabase(deliveriesTable)
  let stage: Stage | null = null

  const describe = async (tableName: string) => {
    const [found] = await http.query(
      `SELECT engine, engine_full AS clauses FROM system.tables
       WHERE database = {database: String} AND name = {name: String}`,
      { database, name: tableName },
    )
    return found ?? null
  }

  const columnsThere = async () => {
    const rows = await http.query(
      `SELECT name, type FROM system.columns
       WHERE database = {database: String} AND table = {name: String} AND default_kind IN ('', 'DEFAULT')`,
      { database, name },
    )
    return new Map(rows.map((row) => [String(row['name']), String(row['type'])]))
  }

  /** Drops the stages of other attempts at a window, which can then attach nothing more. */
  const dropOtherStages = async (prefix: string) => {
    const rows = await http.query(
      'SELECT name FROM system.tables WHERE database = {database: String} AND startsWith(name, {prefix: String})',
      { database, prefix },
    )
    const names = rows.map((row) => String(row['name']))
    if (stage && !names.includes(stage.name))
      throw new ExportError('A later attempt of this window has begun, so nothing was written.', false)
    for (const found of names)
      if (found !== stage?.name) await http.command(`DROP TABLE IF EXISTS ${inDatabase(found)} SYNC`)
  }

  const createStage = async (stageName: string) => {
    const clauses = String((await describe(name))?.['clauses'])
    await http.command(`CREATE TABLE ${inDatabase(stageName)} AS ${table} ENGINE = ${stageEngine(clauses)}`)
  }

  return {
    async plan(columns, merge) {
      const [found, there] = [await describe(name), await columnsThere()]
      if (found) assertAttachable(table, String(found['engine']))
      else await assertDatabase(http, database)
      const compared = comparedColumns(columns, found && there, { typeOf: clickhouseType, clashOf })
      return { table, ddl: createStatement(table, columns, merge), ...compared }
    },
    async load(window, plan, rows) {
      if (!plan.exists) await http.command(plan.ddl.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'))
      // Without the privilege to create tables, one that exists can be used.
      if (!(await describe(deliveriesTable)))
        await http.command(`CREATE TABLE IF NOT EXISTS ${deliveries} (export_id UUID, window_key String, rows UInt64, hash String,
          run_id UUID, written_at DateTime64(6, 'UTC')) ENGINE = ReplacingMergeTree(written_at) ORDER BY (export_id, window_key)`)
      const prefix = stagePrefix(table, window.key)
      await dropOtherStages(prefix)
      const created = { name: `${prefix}${randomBytes(8).toString('hex')}`, hasWindows: plan.hasWindows }
      await createStage(created.name)
      stage = created
      const insert = `INSERT INTO ${inDatabase(created.name)} (${writtenNames(plan).map(quote).join(', ')})`
      await rows((chunks) => http.insert(insert, chunks))
      const [counted] = await http.query(`SELECT count() AS rows FROM ${inDatabase(created.name)}`)
      return Number(counted?.['rows'])
    },
    async commit({ exportId, key, runId }, { rows, hash }, signal) {
      if (!stage) throw new Error('no rows are loaded')
      // A later attempt drops the stage first, so that statements of this one, which may have been frozen, then change nothing.
      const hasStage = `(SELECT count() FROM system.tables WHERE database = {database: String} AND name = {stage: String}) = 1`
      const change = async (sql: string, params: Record<string, string> = {}) => {
        signal.throwIfAborted()
        await http.command(sql, params)
      }
      const ofStage = { key, database, stage: stage.name }
      await dropOtherStages(stagePrefix(table, key))
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
        `INSERT INTO ${deliveries} (export_id, window_key, rows, hash, run_id, written_at)
         SELECT {export: UUID}, {key: String}, {rows: UInt64}, {hash: String}, {run: UUID}, now64(6) WHERE ${hasStage}`,
        { ...ofStage, export: exportId, rows: String(rows), hash, run: runId },
      )
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

function stagePrefix(table: string, key: string): string {
  const digest = createHash('sha256').update(`${table} ${key}`).digest('hex').slice(0, 32)
  return `_spool_stage_${digest}_`
}

/**
 * Returns the engine of a stage: with the keys of its table, so that parts can be attached, but MergeTree without TTL. Others may
 * drop rows, which are counted.
 */
function stageEngine(engine: string): string {
  const clauses = engine.replace(/^\w+(\(.*?\))? (?=PARTITION BY |PRIMARY KEY |ORDER BY )/s, '')
  return `MergeTree ${clauses.replace(/ TTL .*?(?= SETTINGS |$)/s, '')}`
}

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

/**
 * The version of a person's row as one number: its versions, then the first half of the person's id, then the window's start, so
 * that equally new rows belong to the later window.
 */
const personVersion = [
  'bitShiftLeft(toUInt256(person_distinct_id_version), 192)',
  'bitShiftLeft(toUInt256(person_version), 128)',
  'bitShiftLeft(toUInt256(bitShiftRight(toUInt128(person_id), 64)), 64)',
  `toUInt256(toUnixTimestamp64Milli(parseDateTime64BestEffortOrZero(substring(${windowColumn}, 38), 3, 'UTC')))`,
].join(' + ')

function createStatement(table: string, columns: readonly TableColumn[], merge: MergeKey | null): string {
  const names = new Set(columns.filter(({ isNullable }) => !isNullable).map(({ name }) => name))
  const isPersons = merge !== null && [...merge.keys, ...merge.versions].every((name) => names.has(name))
  const fields = [
    ...columns.map((column) => `${quote(column.name)} ${clickhouseType(column)}`),
    `${quote(windowColumn)} String`,
    ...(isPersons
      ? [
          `_spool_version UInt256 MATERIALIZED ${personVersion}`,
          `INDEX _spool_window_index ${windowColumn} TYPE bloom_filter`,
        ]
      : []),
    ...(names.has('timestamp') ? ['INDEX _spool_time_index timestamp TYPE minmax'] : []),
  ]
  const engine = isPersons
    ? 'ReplacingMergeTree(_spool_version) ORDER BY (team_id, distinct_id)'
    : `MergeTree ORDER BY ${windowColumn}`
  return `CREATE TABLE ${table} (\n  ${fields.join(',\n  ')}\n) ENGINE = ${engine};`
}
