import { targetOf } from '../../../contract/destinations/tables/column-changes.ts'
import type { TablePlan as ShownPlan } from '../../../contract/exports/table-plan.ts'
import { pinEndpoint } from '../../destinations/destination-check.ts'
import type { TableDestination } from '../../destinations/destination-driver.ts'
import { explanationOf, tooSlow } from '../../destinations/try-destination.ts'
import type { MergeKey, TablePlan } from '../../destinations/table-store.ts'
import type { Services } from '../../services.ts'
import { runRows, type ExportSource, type RunRows } from '../../warehouse/run-rows.ts'
import { tableColumns, type ValuedColumn } from '../../warehouse/table-rows.ts'
import { queryLimits, sampledDays, withApiErrors } from '../preview-rows.ts'
import { mergeKeyOf } from '../write-table.ts'
import { changedColumns, columnChangesOf, hashPads } from './changed-columns.ts'

type PlanServices = Pick<Services, 'config' | 'clock' | 'warehouse' | 'secrets' | 'hosts' | 'exportsFolder'>

const timeLimitMs = 10_000
const sampleMax = 80
const dayMs = 86_400_000

/**
 * Compares the columns of an export with the table that it would write to, without changing anything there.
 * @throws ApiError 400 on `hogql_query` when the rows cannot be computed.
 */
export async function previewTable(
  services: PlanServices,
  destination: TableDestination,
  source: ExportSource,
): Promise<ShownPlan> {
  const now = services.clock.now()
  const days = { data_interval_start: new Date(now - sampledDays * dayMs), data_interval_end: new Date(now) }
  const taken = await runRows(source, { ...days, selects_by: 'arrival' }, now)
  const keys = Object.values(hashPads(services.secrets, source.project_id))
  const { columns, sample } = await withApiErrors(() => valuesOf(services, destination, source, taken), keys)
  const changes = columnChangesOf(source)
  const all = columns.map((column, index) => {
    const name = taken.columns[index]?.name ?? column.name
    const change = changes.find((each) => each.name === name) ?? { name }
    return {
      column,
      name,
      target: targetOf(change),
      hashed: change.hash === true,
      sample: sample[index] ?? null,
    }
  })
  const sent = all.flatMap(({ column, target }) => (target === null ? [] : [{ ...column, name: target }]))
  const found = await ask(services, destination, sent, mergeKeyOf(source, sent))
  if (found.plan === null) return found
  const planned = new Map(found.plan.columns.map((column) => [column.name, column]))
  const shown = all.map(({ column, name, target, hashed, sample: value }) => {
    const there = target === null ? undefined : planned.get(target)
    return {
      name,
      type: shownType(column),
      target,
      hashed,
      type_there: there?.typeThere ?? null,
      clash: there?.clash ?? null,
      sample: value,
    }
  })
  const { table, exists, ddl, hasWindows, unfilled } = found.plan
  return {
    plan: { table, exists, ddl, has_windows: hasWindows, columns: shown, unfilled: [...unfilled] },
    problem: null,
  }
}

/** Returns all columns, those that are left out included, and the values of one row. */
async function valuesOf(
  { warehouse, secrets }: PlanServices,
  { text }: TableDestination,
  source: ExportSource,
  taken: RunRows,
) {
  const hashing = columnChangesOf(source).filter(({ hash }) => hash)
  const rows = changedColumns(
    secrets,
    { ...source, destination_config: { columns: hashing.map(({ name }) => ({ name, hash: true })) } },
    taken,
  )
  const columns = (await tableColumns(warehouse, rows)).map((column) => text.adapt(column))
  const values = columns.map(({ value }) => `leftUTF8(toString(${value}), ${sampleMax + 1})`)
  const [row] = await warehouse.query<{ sample: (string | null)[] }>(
    `SELECT [${values.map((value) => `CAST(${value}, 'Nullable(String)')`).join(', ')}] AS sample
     FROM ${rows.withRepeats ?? rows.from} LIMIT 1`,
    { params: rows.params, settings: { ...queryLimits, timeout_overflow_mode: 'break' } },
  )
  return { columns, sample: (row?.sample ?? []).map((value) => value && cut(value)) }
}

function cut(text: string): string {
  const characters = Array.from(text)
  return characters.length > sampleMax ? `${characters.slice(0, sampleMax).join('')}…` : text
}

/** Asks the database what writing would do. An error of the database is a result. */
async function ask(
  services: PlanServices,
  destination: TableDestination,
  columns: readonly ValuedColumn[],
  merge: MergeKey | null,
): Promise<{ plan: TablePlan; problem: null } | { plan: null; problem: NonNullable<ShownPlan['problem']> }> {
  const signal = AbortSignal.timeout(timeLimitMs)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  const plan = async () => {
    const release = await pinEndpoint(services, destination.url())
    try {
      signal.throwIfAborted()
      const store = await destination.openTable(services, signal)
      return await store.plan(columns, merge).finally(() => store.close())
    } finally {
      release()
    }
  }
  try {
    return { plan: await Promise.race([plan(), late]), problem: null }
  } catch (error) {
    const target = { ...destination.explained, hasQuery: false }
    return { plan: null, problem: signal.aborted ? tooSlow(timeLimitMs) : explanationOf(error, target) }
  }
}

/** Returns the engine's name of a type as previews of rows show it. */
function shownType({ type, isJson }: ValuedColumn): string {
  return isJson ? 'JSON' : type.replace(/^DateTime64?\(.*\)$/, 'DateTime')
}
