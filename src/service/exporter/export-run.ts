import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { lastVisibleArrival } from '../store/runs/watermark.ts'
import type { FileDestination } from '../destinations/destination-driver.ts'
import { openDestination } from '../destinations/destination-drivers.ts'
import { readOptions } from '../destinations/file-content.ts'
import type { PublishedFile } from '../destinations/file-store.ts'
import type { FileKeyParts } from '../destinations/file-key.ts'
import { countRows, runRows, type RunRows } from '../warehouse/run-rows.ts'
import { openFileStore, type SentBytes } from './open-file-store.ts'
import {
  countMark,
  reportProgress,
  runMark,
  runMarks,
  type ExportServices,
  type RunControl,
  type RunResult,
} from './run-control.ts'
import { writeFiles, type RowsDraft, type WrittenRun } from './write-files.ts'
import { writeRecordings } from './write-recordings.ts'
import { watchRun } from './watch-run.ts'
import { writeRequests } from './write-requests.ts'
import { writeTable } from './write-table.ts'

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
  const { warehouse, clock } = services
  const { signal } = control
  const mark = runMark(run)
  const stop = () => {
    for (const each of runMarks(run)) void warehouse.kill(each).catch(() => undefined)
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', stop)
  try {
    const destination = await openDestination(services, exportRow)
    const arrivesBefore = run.selects_by === 'arrival' ? run.data_interval_end.getTime() : Infinity
    // A repeated attempt must send the same rows as the one before it.
    const takenUntil =
      run.sent_position?.takenUntil ?? (await lastVisibleArrival(services, arrivesBefore, signal))
    const rows = await runRows(exportRow, run, takenUntil)
    const rowsMax = await countedRows(services, rows.withRepeats ?? rows.from, rows, mark)
    signal.throwIfAborted()
    await control.onProgress({ records: 0, total: rowsMax })
    // A table without rows is written too: an earlier run of the window may have left some there.
    if (rowsMax === 0 && destination.holds !== 'table')
      return { records: 0, total: 0, bytes: 0, files: [], objects: [], takenUntil, writtenAt: clock.now() }
    if (control.unreachable) throw control.unreachable
    const written =
      destination.holds === 'table'
        ? await writeTable(services, exportRow, run, { destination, taken: rows, rowsMax }, control)
        : destination.holds === 'requests'
          ? await writeRequests(services, exportRow, run, { destination, rows, rowsMax, takenUntil }, control)
          : await writeRows(services, exportRow, run, { destination, rows, rowsMax, stop }, control)
    return { ...written, takenUntil }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The rows of a run; `rowsMax` counts repeats too, and `stop` stops the run's statements. */
type SelectedRows = { destination: FileDestination; rows: RunRows; rowsMax: number; stop: () => void }

/** Writes and publishes the files, while the rows without repeats are counted and the progress is watched. */
async function writeRows(
  services: ExportServices,
  exportRow: BatchExportRow,
  run: RunRow,
  { destination, rows, rowsMax, stop }: SelectedRows,
  control: RunControl,
): Promise<Omit<RunResult, 'takenUntil'>> {
  const { signal, whileCurrent = (publish) => publish(signal) } = control
  const mark = runMark(run)
  let writtenAt = services.clock.now()
  const sent: SentBytes = { bytes: null }
  let isCounting = rows.withRepeats !== null
  let isWritingRecordings = destination.includesBlocks && exportRow.model === 'recordings'
  const watch = watchRun(services, {
    mark,
    place: destination.explained.endpoint ?? 'the exports folder',
    sentBytes: () => sent.bytes,
    isOtherwiseBusy: () => isCounting || isWritingRecordings,
    onProgress: ({ readRows, totalRows }) => {
      if (totalRows === 0) return
      const records = Math.floor(Math.min(1, readRows / totalRows) * rowsMax)
      reportProgress(control, { records, total: rowsMax })
    },
    control,
  })
  try {
    const store = await openFileStore(services, destination, run, { watch, sent, signal })
    // Counts during the write, to find out whether the rows written ahead contain repeats.
    const counting =
      rows.withRepeats === null
        ? Promise.resolve(rowsMax)
        : countedRows(services, rows.from, rows, countMark(mark)).catch((error: unknown) => {
            stop()
            throw error
          })
    const counted = () => void (isCounting = false)
    counting.then(counted, counted)
    const parts: FileKeyParts = {
      ...destination,
      model: exportRow.model,
      interval: { start: run.data_interval_start.getTime(), end: run.data_interval_end.getTime() },
    }
    const writeAll = async () => {
      let records = 0
      const onWritten = () => void control.onProgress({ records: (records += 1), total: rowsMax })
      const options = { projectId: run.project_id, parts, mark, signal, onWritten }
      // The file of the rows appears last, so that a reader of a row finds its recording.
      const recordings = isWritingRecordings ? await writeRecordings(services, store, rows, options) : null
      isWritingRecordings = false
      const draft = draftOf(rows, rowsMax, counting)
      const written = await writeFiles(store, draft, parts, destination.fileBytesMax, (publish) =>
        whileCurrent(async (lost) => {
          await publish(AbortSignal.any([lost, signal]))
          writtenAt = services.clock.now()
        }),
      )
      return { ...written, recordings: recordings?.files ?? [], deleted: recordings?.deleted ?? 0 }
    }
    const writing = writeAll().then(
      async (written) => ({ ...written, leftovers: await store.close() }),
      async (error: unknown) => {
        await store.close()
        throw error
      },
    )
    const [total, written] = await Promise.all([counting, writing]).finally(() =>
      // A run whose count fails ends only when its unfinished files are removed.
      writing.catch(() => undefined),
    )
    return { ...resultOf(written), records: total, total, writtenAt }
  } finally {
    watch.stop()
  }
}

type Written = WrittenRun & { recordings: PublishedFile[]; deleted: number; leftovers: readonly string[] }

function resultOf({ files: rowFiles, manifest, recordings, deleted, leftovers }: Written) {
  const files = [...rowFiles, ...recordings]
  return {
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    files: files.map(({ key }) => key),
    objects: [
      ...rowFiles.map((file) => ({ ...file, holds: 'rows' as const })),
      ...(manifest ? [{ ...manifest, holds: 'manifest' as const }] : []),
      ...recordings.map((file) => ({ ...file, holds: 'attachment' as const })),
    ],
    ...(leftovers.length > 0 && { leftovers }),
    ...(deleted > 0 && { deleted }),
  }
}

function countedRows({ warehouse, config }: ExportServices, from: string, { params }: RunRows, mark: string) {
  return countRows(warehouse, from, readOptions(config, params, mark))
}

/** Guesses that no row repeats: without merging repeats, reading takes a quarter less time. */
function draftOf(rows: RunRows, rowsMax: number, counting: Promise<number>): RowsDraft {
  const guess = { ...rows, from: rows.withRepeats ?? rows.from }
  const settled = counting.then((total) => {
    if (total === 0) return null
    return { rows: total === rowsMax ? guess : rows, count: total }
  })
  // The caller handles a failed count; without this, a write that fails earlier would leave the rejection unhandled.
  settled.catch(() => undefined)
  return { guess, settled }
}
