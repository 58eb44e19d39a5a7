import type { Model } from '../../contract/exports/batch-export.ts'
import type { QueryPosition } from '../../contract/problem.ts'
import { invalidInput } from '../problems/api-error.ts'
import { statementError } from '../problems/down-engine.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { positionOf } from '../hogql/error.ts'
import { bindHogql, compileHogql } from '../hogql/hogql.ts'

export type QueryColumns = Pick<BatchExportRow, 'hogql_query' | 'schema'>

/**
 * Returns a query's columns as stored: its normal form and schema, or nulls for blank text. ClickHouse checks the types
 * of the expressions, so that a mistake is reported now instead of failing later runs.
 * @throws ApiError 400 on `hogql_query`, EngineDown when ClickHouse cannot be reached.
 */
export async function storeQuery(services: Services, query: string, model: Model): Promise<QueryColumns> {
  if (query.trim() === '') return { hogql_query: null, schema: null }
  const compiled = await compileHogql(query, model)
  if (!compiled.ok) throw refuse(compiled.detail, compiled.position)
  const { schema, sql: select } = compiled
  const { fields, where, values } = select
  const columns = fields.map(({ expression }) => expression).join(', ')
  const text = `SELECT ${columns} FROM ${model} AS ${model}${where === null ? '' : ` WHERE ${where}`} LIMIT 0`
  const { sql, params } = bindHogql(text, values)
  try {
    await services.warehouse.query(sql, { params })
  } catch (error) {
    const sentence = firstSentence(statementError(error).message)
    throw refuse(`Invalid HogQL query: ${sentence}`, positionOfFunction(query, sentence))
  }
  return { hogql_query: schema.hogql_query, schema }
}

function refuse(detail: string, position?: QueryPosition) {
  return invalidInput(detail, ['hogql_query'], { position })
}

/** Locates an error of the compiled SQL in the query; possible if it names a function that the query calls once. */
function positionOfFunction(query: string, message: string): QueryPosition | undefined {
  const [, name] = /\bfunction `?(\w+)/.exec(message) ?? []
  const calls = name ? [...query.matchAll(new RegExp(`\\b${name}\\s*\\(`, 'gi'))] : []
  const [only, ...others] = calls
  return only && others.length === 0
    ? positionOf(query, Array.from(query.slice(0, only.index)).length)
    : undefined
}

/** Returns the first sentence of a ClickHouse error, without the statement and the server version that follow. */
function firstSentence(message: string): string {
  const [sentence = message] = message.split(/(?:[.:] (?:In scope|While processing)|: while |\. \(|\n)/)
  return sentence.slice(0, 300)
}
