import { ClickHouseError } from '@clickhouse/client'
import type { Model } from '../../contract/batch-export.ts'
import { invalidInput } from '../http/api-error.ts'
import { EngineDown } from '../http/down-engine.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/batch-exports.ts'
import { bindHogql, compileHogql } from '../warehouse/hogql.ts'

type QueryColumns = Pick<BatchExportRow, 'hogql_query' | 'schema'>

/**
 * A query as it is stored: normalised, with its schema. No text: no query. ClickHouse is asked whether the expressions'
 * types agree, so that a mistake shows now and not in a run at night.
 * @throws ApiError 400 on `hogql_query`.
 */
export async function storeQuery(services: Services, query: string, model: Model): Promise<QueryColumns> {
  if (query.trim() === '') return { hogql_query: null, schema: null }
  const compiled = await compileHogql(query, model)
  if (!compiled.ok) throw refuse(compiled.detail)
  const { schema, where } = compiled
  const columns = schema.fields.map(({ expression }) => expression).join(', ')
  const text = `SELECT ${columns} FROM ${model} AS ${model}${where === null ? '' : ` WHERE ${where}`} LIMIT 0`
  const { sql, params } = bindHogql(text, schema.values)
  try {
    await services.warehouse.query(sql, { params })
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw new EngineDown('ClickHouse', error)
    throw refuse(`Invalid HogQL query: ${firstSentence(error.message)}`)
  }
  return { hogql_query: schema.hogql_query, schema }
}

function refuse(detail: string) {
  return invalidInput(detail, ['hogql_query'])
}

/** ClickHouse goes on with the whole statement and its version after what is wrong. */
function firstSentence(message: string): string {
  const [sentence = message] = message.split(/(?:[.:] (?:In scope|While processing)|: while |\. \(|\n)/)
  return sentence.slice(0, 300)
}
