import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { decodeStates } from '../../../contract/runs/window-state.ts'
import type { SortOrder } from '../../ui/list/list-head.tsx'
import type { Line } from '../../ui/list/list-table.tsx'
import { count } from '../../format/amount.ts'
import { destinationPlace, destinationRoot } from '../../format/destination.ts'
import { needsAttention } from '../../format/export-state.ts'
import { everyInterval, shortInterval } from '../../format/interval.ts'
import type { ListSearch, Sort, SortKey } from './list-search.ts'

export type ExportLine = Line<ExportOverview>

/** Returns the exports that match the filters, sorted and grouped. */
export function arrange(rows: readonly ExportOverview[], search: ListSearch): ExportLine[] {
  const shown = sorted(
    rows.filter((row) => matches(row, search)),
    search.sort,
  )
  if (search.group === 'none') return shown.map(exportLine)
  const byState = search.group === 'state'
  const titleOf = (row: ExportOverview) => (byState ? row.state : destinationRoot(row.destination))
  const byTitle: Order = (a, b) => collator.compare(titleOf(a), titleOf(b))
  const groups = Map.groupBy(shown.toSorted(byState ? orders.state : byTitle), titleOf)
  return [...groups].flatMap(([title, members]) => [
    { kind: 'group' as const, key: `group ${title}`, title, rows: members },
    ...members.map(exportLine),
  ])
}

/** Returns the exports of the lines, in order. */
export function exportsOf(lines: readonly ExportLine[]): ExportOverview[] {
  return lines.flatMap((line) => (line.kind === 'row' ? [line.row] : []))
}

/** Returns the number of records exported in the last 24 hours. */
export function recordsOfDay(row: Pick<ExportOverview, 'records_by_hour'>): number {
  return row.records_by_hour.reduce((sum, records) => sum + records, 0)
}

function exportLine(row: ExportOverview): ExportLine {
  return { kind: 'row', key: row.id, row }
}

function matches(row: ExportOverview, search: ListSearch): boolean {
  const { q, state, destination, model, interval, tag, owner, missing } = search
  return (
    (state === 'any' || row.state === state) &&
    (destination === 'any' || row.destination.type === destination) &&
    (model === 'any' || row.model === model) &&
    (interval === 'any' || row.interval === interval) &&
    (tag === '' || row.tags.includes(tag)) &&
    (owner === '' || row.owner === owner) &&
    (!missing || row.missing > 0) &&
    (q === '' || containsWords(row, q))
  )
}

/** Whether the row's texts contain every word of `q`. */
function containsWords(row: ExportOverview, q: string): boolean {
  const text = texts.get(row) ?? textOf(row)
  // Each key searches all rows again.
  texts.set(row, text)
  return q
    .toLowerCase()
    .normalize()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const texts = new WeakMap<ExportOverview, string>()

/** Returns everything in which the filter finds words. */
function textOf({ name, model, destination, interval, tags, owner, note, id }: ExportOverview): string {
  const every = `${everyInterval(interval)} ${shortInterval(interval)}`
  return `${name} ${model} ${destination.type} ${destinationPlace(destination)} ${every} ${tags.join(' ')} ${owner} ${note} ${id}`
    .toLowerCase()
    .normalize()
}

type Order = (a: ExportOverview, b: ExportOverview) => number

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const byName: Order = (a, b) => collator.compare(a.name, b.name)

/** States that need attention come first. */
const stateOrder: Record<ExportOverview['state'], number> = {
  'auto-paused': 0,
  failing: 1,
  running: 2,
  waiting: 3,
  healthy: 4,
  paused: 5,
  ended: 6,
}

/** 0 for an export that needs attention, 1 for one with windows to repair, 2 for all others. */
function urgency({ state, missing, failed, strip }: ExportOverview): number {
  if (needsAttention(state)) return 0
  return missing + failed > 0 || decodeStates(strip).includes('short') ? 1 : 2
}

const orders: Record<SortKey, Order> = {
  name: byName,
  state: (a, b) => stateOrder[a.state] - stateOrder[b.state],
  windows: (a, b) => a.missing + a.failed - (b.missing + b.failed),
  rows: (a, b) => recordsOfDay(a) - recordsOfDay(b),
  next: (a, b) => nextAt(a) - nextAt(b),
  destination: (a, b) =>
    collator.compare(
      `${a.destination.type} ${destinationPlace(a.destination)}`,
      `${b.destination.type} ${destinationPlace(b.destination)}`,
    ),
}

function sorted(rows: ExportOverview[], sort: Sort): ExportOverview[] {
  // The sort is stable: the service returns the newest export first.
  if (sort === 'urgency') {
    const groups = Map.groupBy(rows, urgency)
    return [0, 1, 2].flatMap((each) => groups.get(each) ?? [])
  }
  const order = orders[sort.replace('-', '') as SortKey]
  const sign = sort.startsWith('-') ? -1 : 1
  return rows.toSorted((a, b) => sign * order(a, b) || byName(a, b))
}

/** Returns the order in which a column sorts the list; undefined if it does not. */
export function sortedAs(sort: Sort, key: SortKey): SortOrder {
  if (sort === key) return 'ascending'
  return sort === `-${key}` ? 'descending' : undefined
}

/** Returns the next sort order on a click: by the column, then reversed, then by urgency again. */
export function nextSort(sort: Sort, key: SortKey): Sort {
  const descending = `-${key}` as const
  const [first, second] = descendingFirst.has(key) ? [descending, key] : [key, descending]
  if (sort === first) return second
  return sort === second ? 'urgency' : first
}

/** Columns that sort the largest number first on the first click. */
const descendingFirst: ReadonlySet<SortKey> = new Set(['windows', 'rows'])

/** Returns the end of the next window; without one, a time after every real one, finite so that it can be subtracted. */
function nextAt({ next_window: next }: ExportOverview): number {
  return next === null ? Number.MAX_SAFE_INTEGER : Date.parse(next.end)
}

/** Formats the number of exports, or of the matching ones: `8`, `3 of 8`. */
export function shownOf(shown: number, all: number): string {
  return shown === all ? count(all) : `${count(shown)} of ${count(all)}`
}

/** Returns every different text, in alphabetical order, without empty ones. */
export function distinctTexts(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '').sort(collator.compare)
}
