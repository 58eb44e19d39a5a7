import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FileFormat } from '../../contract/destinations/destination.ts'
import { fileFormats } from '../../contract/destinations/destination.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { changeSteps, lockRepairPlan, pageOfSteps } from '../store/repair/repair-plans.ts'
import { requestVerification } from '../store/windows/verifications.ts'
import { testJobs, type TestJobs } from '../testing/test-jobs.ts'
import { createBackfill } from '../runs/backfill.ts'
import { planRepair } from './plan-repair.ts'
import { continueRepairPlans, runRepairPlan } from './run-repair-plans.ts'
import { tick } from './scheduler.ts'
import { verifyNext } from './verify-windows.ts'
import { openWorker } from '../runs/worker.ts'

/* Repairs an export, and reads its files with DuckDB, which shares no code with the exporter. */

const hour = 3_600_000
const start = Date.UTC(2026, 2, 10, 12)
const hours = 12
const period = { start: start - 3 * hour, end: start + hours * hour }
const { signal } = new AbortController()

let jobs: TestJobs
let duckdb: DuckDBConnection
beforeAll(async () => {
  jobs = await testJobs(start)
  duckdb = await (await DuckDBInstance.create()).connect()
  await jobs.insertEvents(events)
})
afterAll(async () => {
  duckdb.closeSync()
  await jobs.cleanup()
})

/** Ten events an hour from two hours before the schedule; every third of its hours' arrives up to three hours late. */
const events = Array.from({ length: (hours + 2) * 10 }, (_, index) => {
  const timestamp = start - 2 * hour + Math.floor(index / 10) * hour + index
  const isLate = timestamp >= start && index % 3 === 0
  const inserted_at = Math.min(timestamp + (isLate ? (index % 4) * hour : 0), start + hours * hour - 1)
  return { uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, timestamp, inserted_at }
})

async function work(): Promise<void> {
  const worker = openWorker(jobs.services)
  const waiting = jobs.services.store
    .selectFrom('batch_export_runs')
    .select('id')
    .where('status', '=', 'Starting')
  for (const { id } of await waiting.execute()) await worker.work(id)
}

async function verifyAll(): Promise<void> {
  while (await verifyNext(jobs.services, signal));
}

/** Ends the runs of some windows of the schedule before a worker executes them. */
async function end(
  row: BatchExportRow,
  status: 'Failed' | 'Cancelled',
  windows: readonly number[],
): Promise<void> {
  await jobs.services.store
    .updateTable('batch_export_runs')
    .set({ status })
    .where('batch_export_id', '=', row.id)
    .where(
      'data_interval_start',
      'in',
      windows.map((window) => new Date(start + window * hour)),
    )
    .execute()
}

async function repair(row: BatchExportRow): Promise<string[]> {
  const { services, projectId } = jobs
  const plan = await planRepair(services, { projectId, ids: [row.id], period, actor: 'Key', stepsMax: 100 })
  if (!plan) throw new Error('the plan has too many steps')
  const steps = await pageOfSteps(services.store, plan.id, 0, 100)
  await services.store.transaction().execute(async (transaction) => {
    // Includes the windows that the pause skipped.
    await changeSteps(transaction, plan.id, { leaveOut: [], include: steps.map(({ number }) => number) })
    await runRepairPlan(services, transaction, await lockRepairPlan(transaction, plan.id))
  })
  while (await continueRepairPlans(services)) {
    await work()
    await verifyAll()
  }
  return (await pageOfSteps(services.store, plan.id, 0, 100)).map(({ state }) => state)
}

async function readUuids(folder: string, format: FileFormat): Promise<string[]> {
  const source =
    format === 'Parquet'
      ? `read_parquet('${folder}/*.parquet')`
      : `read_json('${folder}/*.jsonl', format = 'newline_delimited')`
  const result = await duckdb.runAndReadAll(`SELECT uuid::VARCHAR AS uuid FROM ${source} ORDER BY 1`)
  return result.getRowsJS().map((row) => (typeof row[0] === 'string' ? row[0] : ''))
}

test.each(fileFormats)('after a repair, DuckDB finds every event exactly once: %s', async (format) => {
  const path = `repaired/${format}`
  jobs.clock.time = start
  const row = await jobs.createExport({
    destination_config: { path, file_format: format },
    created_at: new Date(start),
  })
  await createBackfill(jobs.services, row, { start: start - 2 * hour, end: start })
  await work()
  jobs.clock.time = start + 7 * hour + 60_000
  await tick(jobs.services)
  await end(row, 'Failed', [0, 1, 5])
  await end(row, 'Cancelled', [2])
  await work()
  // A pause skips the eighth and ninth hour.
  const { store } = jobs.services
  const exports = store.updateTable('batch_exports').where('id', '=', row.id)
  await exports.set({ paused: true, last_updated_at: new Date(jobs.clock.time) }).execute()
  jobs.clock.time += 2 * hour
  const scheduled_until = new Date(start + 9 * hour)
  await exports.set({ paused: false, last_updated_at: new Date(jobs.clock.time), scheduled_until }).execute()
  jobs.clock.time = start + hours * hour + 60_000
  await tick(jobs.services)
  await work()
  // Someone removes two files, of which one holds events from before the schedule.
  const folder = join(jobs.folder, path)
  const names = (await readdir(folder)).toSorted()
  await Promise.all([names[0], names[4]].map((name) => rm(join(folder, name ?? ''))))
  const selection = { start: new Date(period.start), end: new Date(period.end) }
  await requestVerification(store, {
    batchExportId: row.id,
    actor: 'Key',
    at: new Date(jobs.clock.time),
    selection,
  })
  await verifyAll()
  expect(new Set(await readUuids(folder, format)).size).toBeLessThan(events.length)
  expect(new Set(await repair(row))).toEqual(new Set(['proven']))
  expect(await readUuids(folder, format)).toEqual(events.map(({ uuid }) => uuid))
  expect(await repair(row)).toEqual([])
})
