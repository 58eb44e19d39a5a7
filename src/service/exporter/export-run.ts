import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/batch-exports.ts'
import type { RunRow } from '../store/runs-list.ts'
import { openWatermark } from '../store/watermark.ts'
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
import { openFolder } from './write-file.ts'
import { openBucket } from './write-s3.ts'

export type ExportProgress = { records: number; total: number }
export type RunResult = ExportProgress & { bytes: number; files: string[] }
export type RunControl = {
  /** Called when the total is known and then about every second. */
  onProgress: (progress: ExportProgress) => Promise<void> | void
  /** Aborting stops the running statement; the run then rejects. */
  signal: AbortSignal
}
type ExportServices = Pick<Services, 'config' | 'clock' | 'store' | 'warehouse' | 'secrets' | 'exportsFolder'>

const progressPeriod = 1000
const noRows: RunResult = { records: 0, total: 0, bytes: 0, files: [] }

/** Name by which the statements of a run are found in ClickHouse. */
export function runMark(runId: string): string {
  return `run:${runId}`
}

/**
 * Exports a run's rows: counts them, then lets ClickHouse write its files. No rows, no file.
 * @throws what `explainFailure` explains, or the signal's reason.
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
    const store = await openFileStore(services, destination, run, watched(services, mark, rowsMax, control))
    // Counted beside the writing: it tells whether what is written ahead, repeats not merged, has any.
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
    const [total, files] = await Promise.all([
      counting,
      writeFiles(store, draftOf(rows, rowsMax, counting), parts, destination.fileBytesMax).finally(() =>
        store.close(),
      ),
    ])
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    return { records: total, total, bytes, files: files.map(({ key }) => key) }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** What a failure of `exportRun` means. */
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
    // Then its secrets are not known either, and no other text is safe to show.
    return explainError(unreadable, { secrets: [], hasQuery })
  }
}

/** Until when (milliseconds) every row has arrived: before the earliest insert in flight. */
async function lastArrival({ clock, store }: ExportServices): Promise<number> {
  const now = clock.now()
  const watermark = await openWatermark(store)
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

/** Where nothing repeats, nothing is to be merged, and reading is quicker by a quarter. */
function draftOf(rows: RunRows, rowsMax: number, counting: Promise<number>): RowsDraft {
  const guess = { ...rows, from: rows.withRepeats ?? rows.from }
  const settled = counting.then((total) => {
    if (total === 0) return null
    return total === rowsMax ? guess : rows
  })
  // Who counts hears of a failure; the writing may have failed before it asks.
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

/** Runs statements one after the other and reports how far the running one is. */
function watched(
  { warehouse }: ExportServices,
  mark: string,
  total: number,
  { signal, onProgress }: RunControl,
): RunStatement {
  const look = async () => {
    const progress = await warehouse.progress(mark)
    if (!progress || progress.totalRows === 0) return
    const share = Math.min(1, progress.readRows / progress.totalRows)
    await onProgress({ records: Math.floor(share * total), total })
  }
  return async (sql, options) => {
    signal.throwIfAborted()
    // A report that fails is not the run's failure: the next one comes in a second.
    const timer = setInterval(() => void look().catch(() => undefined), progressPeriod)
    await warehouse.command(sql, { ...options, lane: 'export', mark }).finally(() => clearInterval(timer))
    signal.throwIfAborted()
  }
}
