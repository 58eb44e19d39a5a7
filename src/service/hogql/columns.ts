import type { Model } from '../../contract/batch-export.ts'
import { column, type Expression } from './expression.ts'

type Columns = {
  /** What `*` stands for, in the order of the exported file. */
  exported: readonly string[]
  /** Beside those, what a query can name. */
  others: readonly string[]
  /** Columns of JSON text, whose properties a query can name. */
  json: readonly string[]
  times: readonly string[]
}

const modelColumns: Readonly<Record<Model, Columns>> = {
  events: {
    exported: [
      'uuid',
      'timestamp',
      'inserted_at',
      'created_at',
      'event',
      'properties',
      'distinct_id',
      'elements_chain',
      'person_properties',
      'person_id',
    ],
    others: ['team_id'],
    json: ['properties', 'person_properties'],
    times: ['timestamp', 'inserted_at', 'created_at'],
  },
  persons: {
    exported: [
      'team_id',
      'distinct_id',
      'person_id',
      'properties',
      'person_version',
      'person_distinct_id_version',
      'created_at',
      'is_deleted',
    ],
    others: [],
    json: ['properties'],
    times: ['created_at'],
  },
}

/** The table a query reads, and its own name for it. */
export type Source = { model: Model; alias: string | null }

/** The columns that `*` stands for. */
export function allColumns({ model }: Source): Expression[] {
  const { exported, times } = modelColumns[model]
  return exported.map((name) => column({ column: name, path: [], chain: [name] }, times.includes(name)))
}

/** The column or property that a chain like `properties.$browser` names; null when there is none. */
export function resolveField(chain: readonly string[], source: Source): Expression | null {
  const { exported, others, json, times } = modelColumns[source.model]
  const [first = '', ...rest] = withoutPerson(withoutTable(chain, source), source)
  if (!exported.includes(first) && !others.includes(first)) return null
  if (rest.length > 0 && (!json.includes(first) || rest.includes('*'))) return null
  const named = chain.slice(0, chain.length - rest.length)
  return column({ column: first, path: rest, chain: named }, times.includes(first))
}

/** What a further step like `['$browser']` or `[1]` into a JSON column leads to; null where the expression is none. */
export function resolveStep(base: Expression, step: string | number, { model }: Source): Expression | null {
  if (base.kind !== 'column' || step === '*') return null
  if (!modelColumns[model].json.includes(base.column)) return null
  return column({ column: base.column, path: [...base.path, step], chain: base.chain }, false)
}

/** Whether the chain is `*`, also as `events.*`. */
export function isAllColumns(chain: readonly string[], source: Source): boolean {
  return withoutTable(chain, source).join('.') === '*'
}

function withoutTable(chain: readonly string[], { model, alias }: Source): readonly string[] {
  const [first, ...rest] = chain
  return rest.length > 0 && (first === alias || first === model) ? rest : chain
}

/** An event carries its person: `person.id` and `person.properties` are columns of its own. */
function withoutPerson(chain: readonly string[], { model }: Source): readonly string[] {
  const [first, second, ...rest] = chain
  if (model !== 'events' || first !== 'person') return chain
  return second === 'id' || second === 'properties' ? [`person_${second}`, ...rest] : chain
}
