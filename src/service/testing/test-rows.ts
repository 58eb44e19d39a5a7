import { noteDays } from '../store/runs/day-changes.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { z } from 'zod'
import { BatchExport } from '../../contract/exports/batch-export.ts'
import { anyBatchExport } from '../store/runs/batch-exports.ts'
import type { BackfillRow } from '../store/runs/backfills-list.ts'
import { newId } from '../store/schema/identifier.ts'
import { findRow, insertRow } from '../store/schema/rows.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { ledgerSettings, recordWindow, type WrittenWindow } from '../store/windows/ledger.ts'
import { bodyOf, type TestService } from './test-service.ts'

export const s3Destination = {
  type: 'S3',
  config: {
    bucket_name: 'reports',
    region: 'eu-central-1',
    prefix: 'daily/',
    aws_access_key_id: 'AKIA-secret-id',
    aws_secret_access_key: 'very-secret',
  },
}
let places = 0
/** The input for an export; each use gets a folder of its own, since two exports cannot write the same files. */
export const exportInput = {
  name: 'Daily events',
  interval: 'hour',
  get destination() {
    places += 1
    return { type: 'File', config: { path: `daily-${places}` } }
  },
}

/** Returns an S3 destination with a prefix that no other export has. */
export function ownPrefix() {
  places += 1
  return { ...s3Destination, config: { ...s3Destination.config, prefix: `daily-${places}/` } }
}

/** Creates an export through the API, in the first project unless the path says otherwise. */
export async function createExport(
  service: TestService,
  input: object = {},
  path = `/api/projects/${service.own.project_id}/batch_exports/`,
): Promise<z.output<typeof BatchExport>> {
  const response = await service.request('POST', path, { body: { ...exportInput, ...input } })
  expect(response.status, response.text).toBe(201)
  return bodyOf(BatchExport, response)
}

/** Returns where the schedule of an export has got to. */
export async function cursorOf({ services }: TestService, id: string) {
  const row = await findRow(services.store, 'batch_exports', { id })
  return row?.scheduled_until.toISOString()
}

/** Returns the row of a completed run of the hour before `now` (milliseconds); `values` override it. */
export function runRow(
  batchExport: { id: string; project_id: number },
  now: number,
  values: Partial<RunRow>,
): RunRow {
  const hour = 3_600_000
  const start = Math.floor(now / hour) * hour - hour
  return {
    id: newId(now),
    batch_export_id: batchExport.id,
    project_id: batchExport.project_id,
    backfill_id: null,
    origin: 'retry',
    selects_by: 'arrival',
    status: 'Completed',
    attempt: 1,
    data_interval_start: new Date(start),
    data_interval_end: new Date(start + hour),
    records_completed: 0,
    records_total_count: null,
    bytes_exported: null,
    files: [],
    latest_error: null,
    failure_cause: null,
    created_at: new Date(now),
    started_at: null,
    finished_at: null,
    last_updated_at: new Date(now),
    next_attempt_at: null,
    worker_id: null,
    heartbeat_at: null,
    cancel_requested_at: null,
    sent_position: null,
    ...values,
  }
}

/** Inserts a run's row without involving the jobs. */
export async function insertRun(
  { services, clock }: TestService,
  { id, team_id: project_id }: Pick<BatchExport, 'id' | 'team_id'>,
  values: Partial<RunRow> = {},
): Promise<RunRow> {
  await noteDays(services.store, id)
  return insertRow(services.store, 'batch_export_runs', runRow({ id, project_id }, clock.now(), values))
}

/** Records in the ledger that a run wrote its window. */
export function insertEntry({ services }: TestService, run: RunRow, values: Partial<WrittenWindow> = {}) {
  const { batch_export_id, data_interval_start, data_interval_end, id, selects_by } = run
  return services.store.transaction().execute(async (transaction) => {
    const row = await anyBatchExport(transaction, batch_export_id)
    await recordWindow(transaction, {
      batch_export_id,
      data_interval_start,
      data_interval_end,
      run_id: id,
      selects_by,
      taken_until: data_interval_end,
      settings: ledgerSettings(row),
      rows_expected: 1,
      rows_written: 1,
      objects: [],
      written_at: data_interval_end,
      ...values,
    })
  })
}

export async function insertBackfill(
  service: TestService,
  batchExport: Pick<BatchExport, 'id' | 'team_id'>,
  values: Partial<BackfillRow> = {},
): Promise<BackfillRow> {
  const now = service.clock.now()
  return insertRow(service.services.store, 'batch_export_backfills', {
    id: newId(now),
    workflow_id: `${batchExport.id}-Backfill-test`,
    batch_export_id: batchExport.id,
    project_id: batchExport.team_id,
    start_at: new Date('2026-03-01T00:00:00Z'),
    end_at: new Date('2026-03-02T00:00:00Z'),
    total_runs: 24,
    status: 'Completed',
    created_at: new Date(now),
    finished_at: new Date(now),
    last_updated_at: new Date(now),
    ...values,
  })
}

/** Returns the id of the first change in an export's history, which is its creation. */
export async function firstChange(service: TestService, batchExportId: string): Promise<string> {
  const { store } = service.services
  const row = await findRow(
    store,
    'batch_export_changes',
    { batch_export_id: batchExportId },
    sql`ORDER BY id`,
  )
  return row?.id ?? ''
}

/** Creates an object of a project through the API; returns its id. */
export async function createObject(
  service: Pick<TestService, 'request'>,
  projectId: number,
  kind: 'bulk_actions' | 'recording_notes' | 'repair_plans' | 'saved_views' | 'session_recording_playlists',
  body: object,
): Promise<string> {
  const response = await service.request('POST', `/api/projects/${projectId}/${kind}/`, { body })
  expect(response.status, response.text).toBe(201)
  return bodyOf(z.object({ id: z.string() }), response).id
}

/** Inserts the finished erasure of a person; resolves to its id. */
export async function insertErasure({ services }: TestService, project_id: number): Promise<string> {
  const now = new Date(services.clock.now())
  const { id } = await insertRow(services.store, 'person_erasures', {
    id: newId(services.clock.now()),
    project_id,
    subject: 'hash',
    actor: 'Test',
    step: 'done',
    distinct_ids: [],
    created_at: now,
    finished_at: now,
  })
  return id
}
