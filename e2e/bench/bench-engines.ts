import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import type { Window } from '../../src/contract/interval.ts'
import { createOrganization } from '../../src/service/auth/new-organization.ts'
import { systemClock } from '../../src/service/clock.ts'
import { readConfig } from '../../src/service/config.ts'
import { openEngines } from '../../src/service/engines/engines.ts'
import type { Warehouse } from '../../src/service/engines/clickhouse/clickhouse.ts'
import { exportRun } from '../../src/service/exporter/export-run.ts'
import { openServices } from '../../src/service/open-services.ts'
import { writtenWindow } from '../../src/service/runs/worker.ts'
import type { Services } from '../../src/service/services.ts'
import type { BatchExportRow } from '../../src/service/store/runs/batch-exports.ts'
import { insertScheduledRuns } from '../../src/service/store/runs/write-runs.ts'
import { newId } from '../../src/service/store/schema/identifier.ts'
import type { BenchedRun } from './bench-ledger.ts'
import { window } from './exports/fill-events.ts'
import { resetPeakResident } from './exports/peak-resident.ts'

/**
 * Opens the engines with a new project; the exports run in this process.
 * @param kept data directory that remains; by default, a folder that `close` removes
 */
export async function openBench(kept?: string, env: Record<string, string> = {}) {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'spool-bench-')))
  const config = readConfig({ SPOOL_DATA_DIR: folder, SPOOL_SAMPLE_DATA: 'off', ...env })
  const engines = await openEngines(config)
  const logger = pino({ level: 'silent' })
  const services = await openServices(engines, { config, clock: systemClock, logger })
  const { project_id: projectId } = await createOrganization(services.store, Date.now(), {
    name: 'Bench',
    projectName: 'Bench',
    keyLabel: 'Bench',
  })
  const close = async () => {
    await engines.stop()
    if (!kept) await rm(folder, { recursive: true, force: true })
  }
  return { services, postgres: engines.postgres, folder, projectId, close }
}

/** Creates an export of an hour; the returned function runs it, as often as it is called. */
export async function createBenchExport(
  services: Services,
  projectId: number,
  destination: Pick<BatchExportRow, 'destination_type' | 'destination_config'> & Partial<BatchExportRow>,
  hour: Window = window,
): Promise<() => Promise<BenchedRun>> {
  const { store } = services
  const now = new Date()
  const exportRow = await store
    .insertInto('batch_exports')
    .values({
      id: newId(now.getTime()),
      project_id: projectId,
      name: 'Bench',
      model: 'events',
      destination_secrets: null,
      interval: 'hour',
      paused: true,
      hogql_query: null,
      schema: null,
      created_at: now,
      last_updated_at: now,
      last_paused_at: now,
      start_at: null,
      end_at: null,
      deleted_at: null,
      scheduled_until: now,
      ...destination,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const [id = ''] = await store
    .transaction()
    .execute((transaction) => insertScheduledRuns(transaction, exportRow, [hour], Date.now()))
  const run = await store
    .selectFrom('batch_export_runs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return async () => {
    const result = await exportRun(services, exportRow, run, {
      onProgress: () => undefined,
      signal: new AbortController().signal,
    })
    if (result.records < 90_000) throw new Error(`exported ${result.records} rows`)
    return { exportRow, ...writtenWindow(exportRow, run, result) }
  }
}

/** Waits until the engine has merged the inserted parts; merging is not the exporter's work. */
async function mergesDone(warehouse: Warehouse): Promise<void> {
  for (;;) {
    const [running] = await warehouse.query<{ count: number }>('SELECT count() AS count FROM system.merges')
    if (running?.count === 0) return
    await setTimeout(200)
  }
}

/** Resets the kernel's peak of resident memory, to exclude the filling of the tables. */
export async function resetPeak(warehouse: Warehouse): Promise<void> {
  await mergesDone(warehouse)
  await resetPeakResident()
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
