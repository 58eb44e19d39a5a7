import type { LedgerObject } from '../../contract/runs/ledger.ts'
import type { ExportError } from '../problems/export-error.ts'
import type { Services } from '../services.ts'
import type { SentPosition } from '../store/schema/export-tables.ts'
import type { Attempt } from '../store/runs/write-runs.ts'
import type { WhileCurrent } from './write-files.ts'

export type ExportProgress = { records: number; total: number }
export type RunResult = ExportProgress & {
  bytes: number
  files: string[]
  /** The table or receiver that the run wrote to, if it wrote no files. */
  table?: string
  /** Everything that the run wrote. */
  objects: LedgerObject[]
  /** Arrival time (ms) up to which rows were taken. */
  takenUntil: number
  /** Time (ms) at which the objects were published, while no other run of the window could. */
  writtenAt: number
  /** Temporary objects that the run could not delete, if any. */
  leftovers?: readonly string[]
  /** Number of recordings that were deleted before their blocks could be written, if any. */
  deleted?: number
  /** What the log says about the rows, such as columns that were left out. */
  notes?: readonly string[]
}
export type RunControl = {
  /** Called when the total is known, then about every second. */
  onProgress: (progress: ExportProgress) => Promise<void> | void
  /** Aborting the signal stops the running statement and rejects the run. */
  signal: AbortSignal
  /** If omitted, files are published without a check: correct only for a run that no other worker can claim. */
  whileCurrent?: WhileCurrent
  /** Stores how far a run that sends requests has got; resolves to false if the attempt is no longer current. */
  keepPosition?: (position: SentPosition) => Promise<boolean>
  /** Called when the run starts or stops waiting for its destination. */
  onWaiting?: (waits: boolean) => void
  /** Called when the run has waited too long; the callee aborts the signal. */
  onStall?: (error: ExportError) => void
  /** Why the destination cannot be reached; a run that has rows fails with this error. */
  unreachable?: Error | undefined
}
export type ExportServices = Pick<
  Services,
  'config' | 'clock' | 'store' | 'warehouse' | 'secrets' | 'hosts' | 'exportsFolder' | 'logger' | 'objects'
>

/** Reports progress. A failed report must not fail the run: another one follows soon. */
export function reportProgress(
  { onProgress }: Pick<RunControl, 'onProgress'>,
  progress: ExportProgress,
): void {
  void Promise.try(onProgress, progress).catch(() => undefined)
}

/**
 * Returns the mark by which an attempt's statement is found in ClickHouse. A run that is handed back has another attempt of the
 * same number, by another worker.
 */
export function runMark({ id, attempt, worker_id: worker }: Attempt): string {
  return `run:${id}:${attempt}:${worker}`
}

/** Returns the mark of a statement that counts while the attempt's own statement runs. */
export function countMark(mark: string): string {
  return `${mark}:count`
}

/** Returns the marks of all statements of an attempt. */
export function runMarks(attempt: Attempt): string[] {
  const mark = runMark(attempt)
  return [mark, countMark(mark)]
}
