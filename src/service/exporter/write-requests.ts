import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { statementMemory } from '../config.ts'
import { windowKey } from '../../contract/destinations/tables/window-query.ts'
import { pinEndpoint } from '../destinations/destination-check.ts'
import type { RequestDestination } from '../destinations/destination-driver.ts'
import { fileContent, readOptions } from '../destinations/file-content.ts'
import { RefusedRequest } from '../destinations/refused-request.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import type { SentPosition } from '../store/schema/export-tables.ts'
import { rowsOnce, stableOrder, type RunRows } from '../warehouse/run-rows.ts'
import { rowBatches, type RowBatch } from './row-batches.ts'
import {
  reportProgress,
  runMark,
  type ExportServices,
  type RunControl,
  type RunResult,
} from './run-control.ts'
import { watchRun } from './watch-run.ts'

/** Pauses (ms) before a request is repeated within an attempt of the run; a receiver can ask for longer ones, up to the limit. */
const pausesMs = [200, 1000, 5000]
const pauseMsMax = 30_000
/** Longest time (ms) without an answer: of a pause and a request, with some to spare. */
const stallMs = 75_000

type RequestRun = { destination: RequestDestination; rows: RunRows; rowsMax: number; takenUntil: number }

/**
 * Sends a run's rows in batches, each after the one before it has been acknowledged. Every batch is sent at least once: an attempt
 * goes on after the last acknowledged batch, and repeats the one whose answer was lost, with the same key.
 */
export async function writeRequests(
  services: ExportServices,
  exportRow: BatchExportRow,
  run: RunRow,
  { destination, rows, rowsMax, takenUntil }: RequestRun,
  control: RunControl,
): Promise<Omit<RunResult, 'takenUntil'>> {
  const { warehouse, config, clock } = services
  const { signal } = control
  const options = { ...readOptions(config, rows.params, runMark(run)), signal }
  const { total, source } = await rowsOnce(warehouse, rows, rowsMax, options)
  const ordered = { ...rows, from: `${source} ORDER BY ${stableOrder[exportRow.model]}` }
  const { select, settings } = fileContent(ordered, 'JSONLines', null)
  const sorting = { max_bytes_before_external_sort: Math.floor(0.3 * statementMemory(config)) }
  const statement = { ...options, settings: { ...settings, ...options.settings, ...sorting } }
  const release = await pinEndpoint(services, destination.url())
  const sender = openSender(services, destination, control, total)
  const watch = watchSender(services, destination, runMark(run), sender, control)
  const first = { batches: 0, rows: 0, bytes: 0, digest: digestOf(destination.url() ?? ''), takenUntil }
  const sendFrom = async (position: SentPosition) => {
    let end: SentPosition | null = position
    await warehouse.stream(select, { ...statement, format: 'LineAsString' }, async (chunks) => {
      const batches = rowBatches(chunks, destination.batchRowsMax)
      end = await sendBatches(
        batches,
        windowKey(exportRow.id, run.data_interval_start),
        { first, position },
        sender,
      )
    })
    return end as SentPosition | null
  }
  try {
    return await watch.during(async () => {
      // Kept before anything is sent, so that a repeat of the first batch has the same rows.
      if (!run.sent_position) await sender.keep(first)
      const sent = (await sendFrom(run.sent_position ?? first)) ?? (await sendFrom(first)) ?? first
      const { rows: records, bytes } = sent
      return {
        records,
        total: Math.max(total, records),
        bytes,
        files: [],
        objects: [],
        table: destination.explained.endpoint ?? 'the receiver',
        writtenAt: clock.now(),
      }
    })
  } finally {
    watch.stop()
    release()
  }
}

type Sender = ReturnType<typeof openSender>

/** Sends batches and keeps the position; `answers` counts the answers of the receiver. */
function openSender(
  services: ExportServices,
  destination: RequestDestination,
  { signal, onProgress, keepPosition = () => Promise.resolve(true) }: RunControl,
  total: number,
) {
  const sender = {
    answers: 0,
    async send(key: string, body: Uint8Array): Promise<void> {
      for (let repeats = 0; ; repeats += 1)
        try {
          await destination.send(services, { key, body, at: services.clock.now(), signal })
          sender.answers += 1
          return
        } catch (error) {
          signal.throwIfAborted()
          if (error instanceof RefusedRequest) sender.answers += 1
          const pauseMs = pauseAfter(error, repeats)
          if (pauseMs === null) throw error
          await setTimeout(pauseMs, undefined, { signal })
        }
    },
    async keep(position: SentPosition): Promise<void> {
      if (!(await keepPosition(position)))
        throw new Error('The run has ended or belongs to another worker, so no more rows are sent.')
      reportProgress({ onProgress }, { records: Math.min(position.rows, total), total })
    },
  }
  return sender
}

/** Returns the time (ms) after which a request is repeated; null if this attempt does not repeat it. */
function pauseAfter(error: unknown, repeats: number): number | null {
  const pauseMs = pausesMs[repeats]
  if (pauseMs === undefined) return null
  if (!(error instanceof RefusedRequest)) return pauseMs
  const askedMs = error.retryAfterMs ?? 0
  return error.isPassing && askedMs <= pauseMsMax ? Math.max(pauseMs, askedMs) : null
}

function watchSender(
  services: ExportServices,
  { explained }: RequestDestination,
  mark: string,
  sender: Sender,
  control: RunControl,
) {
  return watchRun(services, {
    mark,
    place: explained.endpoint ?? 'the receiver',
    sentBytes: () => sender.answers,
    completionLimitMs: () => stallMs,
    onProgress: () => undefined,
    control,
  })
}

/**
 * Sends the batches after a position, and returns the last position; null if the batches before it are not those that were
 * acknowledged, because the rows, the query or the destination has changed since. A key names the content too, so that a receiver
 * that ignores known keys does not ignore changed rows.
 */
async function sendBatches(
  batches: AsyncIterable<RowBatch>,
  window: string,
  { first, position }: Record<'first' | 'position', SentPosition>,
  sender: Sender,
): Promise<SentPosition | null> {
  let at = first
  for await (const { rows, body } of batches) {
    const content = digestOf(body)
    const key = `${window}:${at.batches}:${content.slice(0, 16)}`
    at = {
      ...at,
      batches: at.batches + 1,
      rows: at.rows + rows,
      bytes: at.bytes + body.length,
      digest: digestOf(at.digest + content),
    }
    if (at.batches === position.batches && at.digest !== position.digest) return null
    if (at.batches <= position.batches) continue
    await sender.send(key, body)
    await sender.keep(at)
  }
  return at.batches < position.batches ? null : at
}

function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
