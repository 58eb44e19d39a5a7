import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import type { Row, StatementOptions, Warehouse } from '../engines/clickhouse/clickhouse.ts'
import { quoteString } from '../engines/clickhouse/statement.ts'
import { modelColumns } from '../hogql/columns.ts'
import { ExportError } from '../problems/export-error.ts'

export type ExportSource = Pick<BatchExportRow, 'project_id' | 'model' | 'hogql_query' | 'destination_config'>
export type RunInterval = Pick<RunRow, 'data_interval_start' | 'data_interval_end' | 'selects_by'>

export type ExportedColumn = {
  name: string
  /** ClickHouse SQL over the table expression of `RunRows.from`. */
  expression: string
  kind: 'json' | 'uuid' | 'value'
}

/** The rows of a run: the text after FROM (including WHERE), the columns to select, and the bound parameters. */
export type RunRows = {
  from: string
  /** Like `from`, but with repeats that are not merged yet, which is faster to read; null if no row can repeat. */
  withRepeats: string | null
  columns: readonly ExportedColumn[]
  params: Row
}

/** CPU time (ms); generous, since the query was accepted before and must not fail on a slower machine. */
const parserLimitMs = 60_000

type Tables = Pick<RunRows, 'from' | 'withRepeats'>

const uuids = ['uuid', 'person_id']

/** Returns the exported columns of a model, in the order of the files. */
function exportedColumns(model: ExportSource['model']): ExportedColumn[] {
  const { exported, json } = modelColumns[model]
  return exported.map((name) => {
    const kind = json.includes(name) ? 'json' : uuids.includes(name) ? 'uuid' : 'value'
    return { name, expression: name, kind }
  })
}

/**
 * Selects the rows that a run exports. Rows that arrive after `until` (milliseconds) are left out, so that a run counts
 * and writes the same rows while more arrive.
 * @throws ExportError when the export's query can no longer be compiled.
 */
export async function runRows(row: ExportSource, run: RunInterval, until: number): Promise<RunRows> {
  const params: Row = {
    team_id: row.project_id,
    interval_start: run.data_interval_start.getTime(),
    interval_end: run.data_interval_end.getTime(),
    until,
  }
  return await queriedRows(row, tablesOf(row, run, params), params)
}

function tablesOf(row: ExportSource, run: RunInterval, params: Row): Tables {
  switch (row.model) {
    case 'events':
      return eventsOf(row, run, params)
    case 'persons': {
      // The latest state of each person and distinct id that changed in the interval.
      const arrived = [
        'team_id = {team_id: Int64}',
        ...within('inserted_at'),
        `inserted_at <= ${instant('until')}`,
      ]
      return { from: latestPersons(arrived), withRepeats: null }
    }
    case 'recordings':
      return { from: recordingsOf(run), withRepeats: null }
  }
}

function eventsOf(row: ExportSource, run: RunInterval, params: Row): Tables {
  const time = run.selects_by === 'arrival' ? 'inserted_at' : 'timestamp'
  const conditions = ['team_id = {team_id: Int64}', ...within(time)]
  if (run.selects_by === 'time') conditions.push(`inserted_at <= ${instant('until')}`)
  conditions.push(...namedEvents(row, params))
  // FINAL merges repeats in sort order, so its memory does not grow with the window.
  const where = conditions.join(' AND ')
  return {
    from: `(SELECT * FROM events FINAL WHERE ${where}) AS events`,
    withRepeats: `(SELECT * FROM events WHERE ${where}) AS events`,
  }
}

/** Returns the conditions that the export's destination sets for names of events, and binds the names. */
export function namedEvents(row: Pick<ExportSource, 'destination_config'>, params: Row): string[] {
  const tests = [
    ['include_events', 'IN'],
    ['exclude_events', 'NOT IN'],
  ] as const
  return tests.flatMap(([field, test]) => {
    const names = row.destination_config[field]
    if (!Array.isArray(names) || names.length === 0) return []
    params[field] = names
    return [`event ${test} {${field}: Array(String)}`]
  })
}

/**
 * Selects the latest state of each person and distinct id. With `window`, an expression, it selects the latest state in
 * each window, with the columns `window_start` and `arrived`, the time of the window's first change.
 */
export function latestPersons(conditions: readonly string[], window: string | null = null): string {
  const state = ['properties', 'person_version', 'person_distinct_id_version', 'created_at', 'is_deleted']
  const version = 'person_version, person_distinct_id_version, inserted_at'
  const columns = state.map((name, index) => `latest.${index + 1} AS ${name}`).join(', ')
  const keys = ['team_id', 'distinct_id', 'person_id', ...(window === null ? [] : ['window_start'])].join(
    ', ',
  )
  const ofWindow = window === null ? '' : `${window} AS window_start, min(inserted_at) AS arrived, `
  return `(SELECT ${keys}, ${window === null ? '' : 'arrived, '}${columns} FROM (
    SELECT team_id, distinct_id, person_id, ${ofWindow}argMax((${state.join(', ')}), (${version})) AS latest
    FROM persons WHERE ${conditions.join(' AND ')} GROUP BY ${keys})) AS persons`
}

/** Selects the latest version of each recording that arrived in the interval or, by time, of each that began in it. */
function recordingsOf({ selects_by }: RunInterval): string {
  const arrived = ['team_id = {team_id: Int64}', `inserted_at <= ${instant('until')}`]
  if (selects_by === 'arrival') arrived.push(...within('inserted_at'))
  const latest = `SELECT * FROM recordings FINAL WHERE ${arrived.join(' AND ')} ORDER BY session_id, version DESC LIMIT 1 BY session_id`
  const began = selects_by === 'time' ? ` WHERE ${within('start_time').join(' AND ')}` : ''
  return `(SELECT * FROM (${latest})${began}) AS recordings`
}

/** Conditions: a time is in the bound interval. */
export function within(column: string): string[] {
  return [`${column} >= ${instant('interval_start')}`, `${column} < ${instant('interval_end')}`]
}

function instant(parameter: string): string {
  return `fromUnixTimestamp64Milli({${parameter}: Int64}, 'UTC')`
}

/** Applies an export's query, if it has one, to its tables. @throws ExportError when the query can no longer be compiled. */
export async function queriedRows(
  { hogql_query: query, model }: Pick<ExportSource, 'hogql_query' | 'model'>,
  { from, withRepeats }: Tables,
  params: Row,
): Promise<RunRows> {
  if (query === null) return { from, withRepeats, columns: exportedColumns(model), params }
  // Loaded on demand: the parser is large, and most exports have no query.
  const { bindHogql, compileHogql } = await import('../hogql/hogql.ts')
  const compiled = await compileHogql(query, model, parserLimitMs)
  if (!compiled.ok) throw new ExportError(`The export's query is no longer valid: ${compiled.detail}`, true)
  const { fields, where, values } = compiled.sql
  const bind = (sql: string) => {
    const bound = bindHogql(sql, values)
    Object.assign(params, bound.params)
    return bound.sql
  }
  const columns = fields.map(({ expression, alias }) => ({
    name: alias,
    expression: bind(expression),
    kind: exportedColumns(model).find((column) => expression === `${model}.${column.name}`)?.kind ?? 'value',
  }))
  const condition = where === null ? '' : ` WHERE ${bind(where)}`
  return {
    from: from + condition,
    withRepeats: withRepeats === null ? null : withRepeats + condition,
    columns,
    params,
  }
}

/** Counts rows; `from` is the statement after FROM. */
export async function countRows(warehouse: Warehouse, from: string, options: StatementOptions) {
  const [counted] = await warehouse.query<{ count: number }>(`SELECT count() AS count FROM ${from}`, options)
  return Number(counted?.count ?? 0)
}

/**
 * Columns by which rows are in the same order at every reading. The first ones sort the table, so that reading events in this order
 * needs no memory for them.
 */
export const stableOrder: Record<ExportSource['model'], string> = {
  events: 'team_id, toStartOfHour(timestamp), event, cityHash64(distinct_id), uuid',
  persons: 'distinct_id, person_id',
  recordings: 'session_id',
}

/**
 * Counts rows without repeats, and returns the cheapest text after FROM that selects each once: without merging repeats, reading
 * takes less time and half the memory.
 * @param rowsMax number of rows, repeats included
 */
export async function rowsOnce(
  warehouse: Warehouse,
  { from, withRepeats }: Tables,
  rowsMax: number,
  options: StatementOptions,
): Promise<{ total: number; source: string }> {
  if (withRepeats === null) return { total: rowsMax, source: from }
  const total = await countRows(warehouse, from, options)
  return { total, source: total === rowsMax ? withRepeats : from }
}

/** Selects one String column `line`: each row as JSON, with its JSON columns embedded as objects. */
export function selectLines(rows: RunRows): string {
  const fields = rows.columns.map(({ name, expression, kind }, index) => {
    const start = quoteString(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    return `${start}, ${kind === 'json' ? embeddedJson(expression) : jsonValue(expression)}`
  })
  return `SELECT concat(${fields.join(', ')}, '}') AS line FROM ${rows.from}`
}

/** Selects the columns for a typed file format: JSON and UUIDs as text. */
export function selectColumns(rows: RunRows): string {
  const fields = rows.columns.map(({ name, expression, kind }) => {
    const value = kind === 'uuid' ? `toString(${expression})` : expression
    return `${value} AS ${quoteIdentifier(name)}`
  })
  // Conditions must not see the converted columns: they are inside the subquery or use qualified names.
  return `SELECT ${fields.join(', ')} FROM ${rows.from}`
}

/** Quotes a ClickHouse identifier in backticks. */
export function quoteIdentifier(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

/** Embeds JSON text unparsed, which takes a quarter of the time; invalid JSON becomes a JSON string. */
export function embeddedJson(column: string): string {
  // ClickHouse rejects integers beyond 64 bits and lone surrogates, which JSON allows: a second check replaces them.
  const tolerated = quoteString(String.raw`[1-9][0-9]{18,}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)
  const isValid = `isValidJSON(${column}) OR isValidJSON(replaceRegexpAll(${column}, ${tolerated}, '1'))`
  // Finding no line break takes a third of the time of a copy without line breaks.
  const isOneLine = `position(${column}, '\\n') = 0 AND position(${column}, '\\r') = 0`
  const inOneLine = `replaceAll(replaceAll(${column}, '\\n', ' '), '\\r', ' ')`
  // Each IF copies its result: valid JSON without line breaks, the usual case, is copied once.
  return `if((${isValid}) AND ${isOneLine}, ${column}, if(${isValid}, ${inOneLine}, toJSONString(${column})))`
}

function jsonValue(expression: string): string {
  return `ifNull(toJSONString(${expression}), 'null')`
}
