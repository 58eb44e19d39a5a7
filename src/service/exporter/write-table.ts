import { createHash } from 'node:crypto'
import { mergesPersons, personMerge } from '../../contract/destinations/tables/column-changes.ts'
import { windowKey } from '../../contract/destinations/tables/window-query.ts'
import { pinEndpoint } from '../destinations/destination-check.ts'
import type { TableDestination } from '../destinations/destination-driver.ts'
import { readOptions } from '../destinations/file-content.ts'
import type { MergeKey, RowStream, TablePlan, TableWindow } from '../destinations/table-store.ts'
import { ExportError } from '../problems/export-error.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { rowsOnce, type RunRows } from '../warehouse/run-rows.ts'
import {
  countChangedValues,
  selectTableRows,
  tableColumns,
  type ValuedColumn,
} from '../warehouse/table-rows.ts'
import { changedColumns } from './tables/changed-columns.ts'
import {
  countMark,
  reportProgress,
  runMark,
  type ExportServices,
  type RunControl,
  type RunResult,
} from './run-control.ts'
import { watchRun } from './watch-run.ts'

/**
 * Longest times (ms) without rows: for a connection and the plan, for the statements around the rows, which may delete and merge
 * many, and for the commit.
 */
const limits = { open: 60_000, load: 600_000, commit: 120_000 }

/** Returns how persons are merged: the newest row of each distinct id stays; null if every row is kept. */
export function mergeKeyOf(
  { model }: Pick<BatchExportRow, 'model'>,
  columns: readonly { name: string }[],
): MergeKey | null {
  const names = columns.map(({ name }) => name)
  return mergesPersons(model, names) ? personMerge : null
}

type TableRun = { destination: TableDestination; taken: RunRows; rowsMax: number }

/** Writes a run's rows to a table, in which they replace those of an earlier run of the window. */
export async function writeTable(
  services: ExportServices,
  exportRow: BatchExportRow,
  run: RunRow,
  { destination, taken, rowsMax }: TableRun,
  control: RunControl,
): Promise<Omit<RunResult, 'takenUntil'>> {
  const { warehouse, config, clock } = services
  const { signal, whileCurrent = (publish) => publish(signal) } = control
  const mark = runMark(run)
  const rows = changedColumns(services.secrets, exportRow, taken)
  const window: TableWindow = {
    exportId: exportRow.id,
    key: windowKey(exportRow.id, run.data_interval_start),
    runId: run.id,
  }
  const options = { ...readOptions(config, { ...rows.params, window: window.key }, mark), signal }
  const columns = (await tableColumns(warehouse, rows)).map((column) => destination.text.adapt(column))
  const { total, source } = await rowsOnce(warehouse, rows, rowsMax, options)
  const release = await pinEndpoint(services, destination.url())
  // Counts during the load, most of which waits for the database.
  const changing = countChanged(warehouse, columns, source, options)
  changing.catch(() => undefined)
  const sent = sentRows()
  const watch = watchTable(services, destination, mark, sent, control)
  try {
    return await watch.during(async () => {
      const store = await destination.openTable(services, signal)
      try {
        const plan = await store.plan(columns, mergeKeyOf(exportRow, columns))
        assertWritable(plan, destination.appendsOnly)
        const planned = columns.filter((_, index) => plan.columns[index]?.typeThere !== null)
        const { format } = destination.text
        const settings = { ...options.settings, ...destination.text.settings }
        const send: RowStream = async (write) => {
          sent.isSending = true
          await warehouse.stream(
            selectTableRows(planned, source, plan.hasWindows),
            { ...options, settings, format },
            (chunks) => write(sent.counted(chunks)),
          )
          sent.isSending = false
        }
        sent.phase = 'load'
        const loaded = await store.load(window, plan, send, mergeKeyOf(exportRow, planned))
        assertComplete(total, loaded)
        sent.phase = 'commit'
        const changed = await changing
        let writtenAt = clock.now()
        await whileCurrent(async (lost) => {
          const ending = AbortSignal.any([lost, signal])
          ending.throwIfAborted()
          await store.commit(window, { rows: loaded, hash: sent.hash() }, ending)
          writtenAt = clock.now()
        })
        const notes = notesOf(plan, columns, changed)
        const { table } = plan
        return {
          records: loaded,
          total: loaded,
          bytes: sent.bytes,
          files: [],
          table,
          objects: [],
          writtenAt,
          notes,
        }
      } finally {
        await store.close()
      }
    })
  } finally {
    watch.stop()
    release()
    await changing.catch(() => undefined)
  }
}

function watchTable(
  services: ExportServices,
  { explained }: TableDestination,
  mark: string,
  sent: ReturnType<typeof sentRows>,
  control: RunControl,
) {
  return watchRun(services, {
    mark,
    place: explained.endpoint ?? 'the database',
    sentBytes: () => sent.bytes,
    completionLimitMs: () => (sent.isSending ? null : limits[sent.phase]),
    onProgress: ({ readRows, totalRows }) => {
      if (totalRows > 0) reportProgress(control, { records: Math.min(readRows, totalRows), total: totalRows })
    },
    control,
  })
}

/** Counts the values that were changed because databases refuse them. */
async function countChanged(
  warehouse: ExportServices['warehouse'],
  columns: readonly ValuedColumn[],
  source: string,
  options: ReturnType<typeof readOptions>,
): Promise<ChangedValues> {
  const [counted] = await warehouse.query<ChangedValues>(countChangedValues(columns, source), {
    ...options,
    mark: countMark(options.mark),
    settings: { ...options.settings, max_block_size: 8192 },
  })
  return counted ?? { cleaned: 0, lost: [] }
}

/** Counts and hashes the text that is sent. */
function sentRows() {
  const hash = createHash('sha256')
  const sent = {
    bytes: 0,
    isSending: false,
    phase: 'open' as keyof typeof limits,
    hash: () => hash.digest('hex'),
    async *counted(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        sent.bytes += chunk.length
        yield chunk
      }
    },
  }
  return sent
}

/** @throws ExportError for a table that cannot receive the rows, before any row is sent. */
function assertWritable({ table, columns, hasWindows }: TablePlan, appendsOnly: boolean): void {
  const clash = columns.find((column) => column.clash !== null)
  if (clash?.clash) throw new ExportError(`The column "${clash.name}" of ${table} ${clash.clash}`, true)
  if (columns.every(({ typeThere }) => typeThere === null))
    throw new ExportError(
      `The table ${table} has none of the exported columns: change the destination's table.`,
      true,
    )
  if (!hasWindows && !appendsOnly)
    throw new ExportError(
      `The table ${table} has no column "_spool_window", by which a repeated window replaces its rows: add the column as text, change the destination's table, or set append_only, with which a repeated window doubles its rows.`,
      true,
    )
}

function assertComplete(expected: number, loaded: number): void {
  if (loaded === expected) return
  throw new ExportError(
    `The database received ${loaded.toLocaleString('en')} of ${expected.toLocaleString('en')} rows, so nothing was committed.`,
    false,
  )
}

type ChangedValues = { cleaned: number; lost: readonly number[] }

/** What the run's log says about columns and values that were left out. */
function notesOf(
  { columns, table }: TablePlan,
  sent: readonly ValuedColumn[],
  counted: ChangedValues,
): string[] {
  const cleaned = Number(counted.cleaned)
  const lost = sent.flatMap(({ name }, index) => {
    const values = Number(counted.lost[index] ?? 0)
    return values > 0 ? [`${values.toLocaleString('en')} in ${name}`] : []
  })
  const missing = sent.filter((_, index) => columns[index]?.typeThere === null).map(({ name }) => name)
  return [
    ...(missing.length > 0 ? [`Left out columns that ${table} does not have: ${missing.join(', ')}.`] : []),
    ...(cleaned > 0
      ? [
          `Removed null characters and lone surrogates from ${cleaned.toLocaleString('en')} ${cleaned === 1 ? 'value' : 'values'}, because databases refuse them.`,
        ]
      : []),
    ...(lost.length > 0
      ? [`Wrote NULL for numbers that the database does not have (NaN and infinity): ${lost.join(', ')}.`]
      : []),
  ]
}
