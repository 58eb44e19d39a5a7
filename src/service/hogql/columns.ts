import type { Model } from '../../contract/exports/batch-export.ts'
import { column, type Expression } from './expression.ts'

type Columns = {
  /** Columns that `*` expands to, in the order of the exported file. */
  exported: readonly string[]
  /** JSON columns, whose properties a query can name. */
  json: readonly string[]
  times: readonly string[]
}

/** The allow-list of columns that a query can name, besides `team_id`. */
export const modelColumns: Readonly<Record<Model, Columns>> = {
  events: {
    exported: names(
      'uuid timestamp inserted_at created_at event properties distinct_id elements_chain person_properties',
      'person_id',
    ),
    json: names('properties person_properties'),
    times: names('timestamp inserted_at created_at'),
  },
  persons: {
    exported: names(
      'team_id distinct_id person_id properties person_version person_distinct_id_version created_at is_deleted',
    ),
    json: names('properties'),
    times: names('created_at'),
  },
  recordings: {
    exported: names(
      'session_id distinct_id person_id start_time end_time duration active_seconds inactive_seconds',
      'click_count keypress_count mouse_activity_count console_log_count console_warn_count',
      'console_error_count failed_request_count start_url pages outcome problems browser os device country',
      'summary snapshot_source version inserted_at',
    ),
    json: names('pages outcome problems'),
    times: names('start_time end_time inserted_at'),
  },
}

function names(...lines: string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '))
}

/** The table that a query reads, and the query's alias for it. */
export type Source = { model: Model; alias: string | null }

/** Returns the columns that `*` expands to. */
export function allColumns({ model }: Source): Expression[] {
  const { exported, times } = modelColumns[model]
  return exported.map((name) => column({ column: name, path: [], chain: [name] }, times.includes(name)))
}

/** Finds the column or property that a chain like `properties.$browser` names; null if there is none. */
export function resolveField(chain: readonly string[], source: Source): Expression | null {
  const { exported, json, times } = modelColumns[source.model]
  const [first = '', ...rest] = withoutPerson(withoutTable(chain, source), source)
  if (!exported.includes(first) && first !== 'team_id') return null
  if (rest.length > 0 && (!json.includes(first) || rest.includes('*'))) return null
  const named = chain.slice(0, chain.length - rest.length)
  return column({ column: first, path: rest, chain: named }, times.includes(first))
}

/** Returns the property that a step like `['$browser']` or `[1]` selects; null if `base` is not a JSON column. */
export function resolveStep(base: Expression, step: string | number, { model }: Source): Expression | null {
  if (base.kind !== 'column' || step === '*') return null
  if (!modelColumns[model].json.includes(base.column)) return null
  return column({ column: base.column, path: [...base.path, step], chain: base.chain }, false)
}

/** Returns whether the chain is `*` or, for example, `events.*`. */
export function isAllColumns(chain: readonly string[], source: Source): boolean {
  return withoutTable(chain, source).join('.') === '*'
}

function withoutTable(chain: readonly string[], { model, alias }: Source): readonly string[] {
  const [first, ...rest] = chain
  return rest.length > 0 && (first === alias || first === model) ? rest : chain
}

/** Maps `person.id` and `person.properties` to the columns of the event that store them. */
function withoutPerson(chain: readonly string[], { model }: Source): readonly string[] {
  const [first, second, ...rest] = chain
  if (model !== 'events' || first !== 'person') return chain
  return second === 'id' || second === 'properties' ? [`person_${second}`, ...rest] : chain
}
