import { tick } from '../background/scheduler.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { updateRows } from '../store/schema/rows.ts'
import { s3Destination, testJobs, type TestJobs } from './test-jobs.ts'
import { openWorker, type Worker } from '../runs/worker.ts'

export const minute = 60_000
export const hour = 60 * minute
export const start = Date.UTC(2026, 2, 10, 12)
/** Start of an hour whose events take seconds to export. */
export const heavy = start - 100 * hour

export let jobs: TestJobs
export let worker: Worker
export let folder: string

/** Opens jobs with two events in the hour from `start`, one in the next hour, and a heavy hour long before. */
export async function openTestRuns(): Promise<void> {
  jobs = await testJobs(start)
  folder = jobs.folder
  await jobs.insertEvents([
    { timestamp: start + 1 },
    { timestamp: start + 2 },
    { timestamp: start + hour + 1 },
  ])
  await jobs.services.warehouse.command(
    `INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at, elements_chain, person_id, person_properties)
     SELECT {team: Int64}, generateUUIDv4(), 'many', concat('{"text":"', hex(sipHash128(number)), '"}'), toString(number), t, t, t, '', generateUUIDv4(), '{}'
     FROM (SELECT number, fromUnixTimestamp64Milli({at: Int64}, 'UTC') AS t FROM numbers(600000))`,
    {
      params: { team: jobs.projectId, at: heavy },
      // Smaller blocks, since the default ones need almost all the memory of a statement.
      settings: { min_insert_block_size_rows: 100_000, min_insert_block_size_bytes: 0 },
    },
  )
}

/** Opens a new worker, just after the hour from `start` has ended. */
export function openTestWorker(): void {
  jobs.clock.time = start + hour + 10_000
  worker = openWorker(jobs.services)
}

export async function createRun(
  change: Partial<BatchExportRow> = {},
): Promise<{ row: BatchExportRow; run: RunRow }> {
  const row = await jobs.createExport({
    scheduled_until: new Date(start),
    end_at: new Date(start + hour),
    ...change,
  })
  await tick(jobs.services)
  const [run] = await jobs.runs(row.id)
  if (!run) throw new Error('the export has no run')
  return { row, run }
}

/** Creates a run that takes seconds. */
export function createLongRun() {
  const until = heavy + hour
  return createRun({
    scheduled_until: new Date(heavy),
    end_at: new Date(until),
    destination_config: { path: 'long', compression: 'brotli' },
  })
}

export function current({ id }: Pick<RunRow, 'id'>): Promise<RunRow> {
  const { store } = jobs.services
  return store.selectFrom('batch_export_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export function changeRun(run: Pick<RunRow, 'id'>, to: Partial<RunRow>) {
  return updateRows(jobs.services.store, 'batch_export_runs', { id: run.id }, to)
}

/** Resolves when the run's statement is running and its first progress is stored. */
export async function untilProgress(run: Pick<RunRow, 'id'>): Promise<RunRow> {
  for (;;) {
    const now = await current(run)
    if (now.records_total_count !== null || now.finished_at) return now
    await jobs.pool.query('SELECT pg_sleep(0.01)')
  }
}

export function unreachableDestination(
  { services }: TestJobs,
  endpoint_url = 'http://127.0.0.1:9',
  bucket_name = 'exports',
): Partial<BatchExportRow> {
  return s3Destination(services, { bucket_name, endpoint_url })
}
