import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/batch-exports.ts'
import type { RunRow } from '../store/runs-list.ts'
import { currentWatermark } from '../store/watermark.ts'
import { checkEndpoint } from './destination-check.ts'
import { openDestination, secretsOf, type OpenDestination } from './destination-config.ts'
import { explainError, type Explanation } from './explain-error.ts'
import { ExportError } from './export-error.ts'
import { readSettings } from './file-content.ts'
import type { FileStore, RunStatement } from './file-store.ts'
import type { FileKeyParts } from './file-key.ts'
import { countRows, runRows, type RunRows } from './run-rows.ts'
import { endpointUrl, objectUrl } from './s3-location.ts'
import { writeFiles, type RowsDraft } from './write-files.ts'
import { openFolder } from './write-folder.ts'
import { openBucket } from './write-s3.ts'

export type ExportProgress = { records: number; total: number }
export type RunResult = ExportProgress & { bytes: number; files: string[] }
export type RunControl = {
  /** Called when the total is known, then about every second. */
  onProgress: (progress: ExportProgress) => Promise<void> | void
  /** Aborting the signal stops the running statement and rejects the run. */
  signal: AbortSignal
}
type ExportServices = Pick<Services, 'config' | 'clock' | 'store' | 'warehouse' | 'secrets' | 'exportsFolder'>

const progressIntervalMs = 1000
const noRows: RunResult = { records: 0, total: 0, bytes: 0, files: [] }

/** Returns the mark by which a run's statements are found in ClickHouse. */
export function runMark(runId: string): string {
  return `run:${runId}`
}

/**
 * Exports a run's rows: counts them, then lets ClickHouse write the files. Without rows, no file is written.
 * @throws the signal's reason, or an error that `explainFailure` explains.
 */
export async function exportRun(
  services: ExportServices,
  exportRow: BatchExportRow,
  run: RunRow,
  control: RunControl,
): Promise<RunResult> {
  const { warehouse } = services
  const { signal } = control
  const mark = runMark(run.id)
  const countMark = `${mark}:count`
  const stop = () => {
    for (const each of [mark, countMark]) void warehouse.kill(each).catch(() => undefined)
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', stop)
  try {
    const destination = openDestination(exportRow, services.secrets)
    const rows = await runRows(exportRow, run, await lastArrival(services))
    const rowsMax = await countedRows(services, rows.withRepeats ?? rows.from, rows, mark)
    signal.throwIfAborted()
    await control.onProgress({ records: 0, total: rowsMax })
    if (rowsMax === 0) return noRows
    const store = await openFileStore(
      services,
      destination,
      run,
      withProgress(services, mark, rowsMax, control),
    )
    // Counts during the write, to find out whether the rows written ahead contain repeats.
    const counting =
      rows.withRepeats === null
        ? Promise.resolve(rowsMax)
        : countedRows(services, rows.from, rows, countMark).catch((error: unknown) => {
            stop()
            throw error
          })
    const parts: FileKeyParts = {
      ...destination,
      model: exportRow.model,
      interval: { start: run.data_interval_start.getTime(), end: run.data_interval_end.getTime() },
    }
    const writing = writeFiles(
      store,
      draftOf(rows, rowsMax, counting),
      parts,
      destination.fileBytesMax,
    ).finally(() => store.close())
    const [total, files] = await Promise.all([counting, writing]).finally(() =>
      // A run whose count fails ends only when its unfinished files are removed.
      writing.catch(() => undefined),
    )
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    return { records: total, total, bytes, files: files.map(({ key }) => key) }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Explains a failure of `exportRun`. */
export function explainFailure(
  services: ExportServices,
  exportRow: BatchExportRow,
  error: unknown,
): Explanation {
  const hasQuery = exportRow.hogql_query !== null
  if (exportRow.destination_type === 'File') return explainError(error, { secrets: [], hasQuery })
  try {
    const destination = openDestination(exportRow, services.secrets)
    if (destination.type === 'File') return explainError(error, { secrets: [], hasQuery })
    return explainError(error, {
      secrets: secretsOf(destination),
      hasQuery,
      bucket: destination.config.bucket_name,
      endpoint: endpointUrl(destination.config),
    })
  } catch (unreadable) {
    // The secrets are unknown here, so only this error is safe to show.
    return explainError(unreadable, { secrets: [], hasQuery })
  }
}

/** Returns the time (ms) up to which all rows have arrived: just before the earliest insert in flight. */
async function lastArrival({ clock, store }: ExportServices): Promise<number> {
  const now = clock.now()
  const watermark = await currentWatermark(store)
  return watermark === null ? now : Math.min(now, watermark - 1)
}

async function countedRows(
  { warehouse }: ExportServices,
  from: string,
  { params }: RunRows,
  mark: string,
): Promise<number> {
  const counted = await warehouse.query<{ count: number }>(countRows(from), {
    params,
    settings: readSettings,
    mark,
  })
  return Number(counted[0]?.count ?? 0)
}

/** Guesses that no row repeats: without merging repeats, reading takes a quarter less time. */
function draftOf(rows: RunRows, rowsMax: number, counting: Promise<number>): RowsDraft {
  const guess = { ...rows, from: rows.withRepeats ?? rows.from }
  const settled = counting.then((total) => {
    if (total === 0) return null
    return total === rowsMax ? guess : rows
  })
  // The caller handles a failed count; without this, a write that fails earlier would leave the rejection unhandled.
  settled.catch(() => undefined)
  return { guess, settled }
}

async function openFileStore(
  services: ExportServices,
  destination: OpenDestination,
  run: RunRow,
  statement: RunStatement,
): Promise<FileStore> {
  if (destination.type === 'S3') {
    const refusal = await checkEndpoint(services.config, objectUrl(destination.config, ''))
    if (refusal !== null) throw new ExportError(refusal, true)
    return await openBucket(destination.config, statement)
  }
  if (services.exportsFolder !== null) return await openFolder(services.exportsFolder, run.id, statement)
  throw new ExportError(
    'The File destination needs the embedded ClickHouse: change the destination to S3.',
    true,
  )
}

/** Returns a function that runs statements of the export and reports their progress. */
function withProgress(
  { warehouse }: ExportServices,
  mark: string,
  total: number,
  { signal, onProgress }: RunControl,
): RunStatement {
  const poll = async () => {
    const progress = await warehouse.progress(mark)
    if (!progress || progress.totalRows === 0) return
    const share = Math.min(1, progress.readRows / progress.totalRows)
    await onProgress({ records: Math.floor(share * total), total })
  }
  return async (sql, options) => {
    signal.throwIfAborted()
    // A failed progress report must not fail the run: the next one follows in a second.
    const timer = setInterval(() => void poll().catch(() => undefined), progressIntervalMs)
    await warehouse.command(sql, { ...options, lane: 'export', mark }).finally(() => clearInterval(timer))
    signal.throwIfAborted()
  }
}
