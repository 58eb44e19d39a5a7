import type { Updateable } from 'kysely'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import type { BatchExportUpdate } from '../../../contract/exports/batch-export.ts'
import { moveSchedule, scheduleOf } from '../../../contract/exports/schedule.ts'
import type { Caller } from '../../auth/caller.ts'
import { invalidInput, notFound } from '../../problems/api-error.ts'
import { logExport } from '../../runs/export-log.ts'
import { resumeSchedule } from '../../background/resume-schedule.ts'
import type { Services } from '../../services.ts'
import { lockBatchExport, updateBatchExport, type BatchExportRow } from '../../store/runs/batch-exports.ts'
import { insertChange } from '../../store/runs/changes-list.ts'
import { inTransaction, type StoreTransaction } from '../../store/schema/database.ts'
import type { BatchExportsTable } from '../../store/schema/export-tables.ts'
import { findRow } from '../../store/schema/rows.ts'
import { arrivalTime } from '../../store/runs/watermark.ts'
import { authorOf, byKey, type Actor } from '../by-key.ts'
import { changedFields } from './changed-fields.ts'
import { holdConnection } from './chosen-connection.ts'
import { storeDestination } from './destination-input.ts'
import { labelColumns } from './export-labels.ts'
import type { ApiRequest } from '../handler.ts'
import { describePause, pauseColumns, pauseInputs, unchangedPauseFields } from './pause-columns.ts'
import { assertOrder, readInstant } from '../given-times.ts'
import { assertColumnsFit } from './assert-columns-fit.ts'
import { assertOwnFiles } from './assert-own-files.ts'
import { showBatchExport } from './show-batch-export.ts'
import { slowChecks, type SlowChecks } from './slow-checks.ts'

type Request = Pick<ApiRequest<'pauseBatchExport'>, 'services' | 'batchExport'> & {
  caller: Actor
  checks?: SlowChecks
}

/** With `isWhole`, the destination's config is complete: the stored fields that it omits are removed, except secrets. */
export type ExportChange = Omit<BatchExportUpdate, 'destination'> & {
  destination?: (NonNullable<BatchExportUpdate['destination']> & { isWhole?: boolean }) | undefined
}

/** Updates the fields that the body names. */
export async function changeBatchExport(request: Request & { caller: Caller; body: BatchExportUpdate }) {
  return showBatchExport(request, await writeChange(request, request.body, request.caller))
}

/**
 * Updates an export, its history and its log. Pausing a paused export changes nothing, nor does unpausing an active one.
 * An error names another export only if `reader` can read it. The change counts as made at `givenTime`, an arrival time
 * (milliseconds), by default now.
 */
export async function writeChange(
  request: Request,
  body: ExportChange,
  reader: Caller | null = null,
  givenTime?: number,
): Promise<BatchExportRow> {
  const { services, caller, batchExport } = request
  const { checks = slowChecks(services) } = request
  await checkChange(services, checks, batchExport, body)
  const now = givenTime ?? (await arrivalTime(services))
  return inTransaction(services.store, async (transaction) => {
    const row = await lockBatchExport(transaction, [batchExport.project_id], batchExport.id)
    if (!row) throw notFound()
    const fields = givenFields(row, body)
    if (fields.length === 0) return row
    const change = await columnsOf({ services, transaction, checks }, row, body, now)
    await holdConnection(transaction, change.integration_id ?? null)
    const changed = await updateBatchExport(transaction, row, { ...change, last_updated_at: new Date(now) })
    if (body.destination || body.model || body.hogql_query !== undefined) assertColumnsFit(changed)
    if (changed.interval !== row.interval) await assertNoWindowsInTable(transaction, row)
    if (body.destination || body.interval || body.model)
      await assertOwnFiles({ services, reader }, transaction, changed)
    await writeHistory(request, transaction, row, changed)
    await logExport(transaction, row.id, `${describe(fields, changed)} ${byKey(caller)}.`, new Date(now))
    return changed
  })
}

/** Makes the checks of a change that take long, on the export as it was loaded. @throws ApiError 400. */
export async function checkChange(
  services: Services,
  checks: SlowChecks,
  row: BatchExportRow,
  body: ExportChange,
): Promise<void> {
  if (body.destination) await storeDestination(services, body.destination, targetOf(row, checks))
  await queryColumns(checks, row, body)
}

/**
 * Refuses another interval for an export that has written to a table: its rows have the start of their window only, so that a
 * window of another length would replace some of the rows that it overlaps and repeat the others.
 */
async function assertNoWindowsInTable(transaction: StoreTransaction, row: BatchExportRow): Promise<void> {
  if (destinationKinds[row.destination_type].holds !== 'table') return
  const written = await findRow(transaction, 'batch_export_ledger', { batch_export_id: row.id })
  if (!written) return
  throw invalidInput(
    'The interval cannot change once rows are in a table: windows of another length would repeat or replace some of them. Clone the export with the new interval and another table.',
    ['interval'],
  )
}

function targetOf(row: BatchExportRow, checks: SlowChecks) {
  return { projectId: row.project_id, stored: row, checks }
}

function givenFields(row: BatchExportRow, body: ExportChange): string[] {
  const same = new Set<string>(unchangedPauseFields(row, body))
  if (body.paused === row.paused) same.add('paused')
  return Object.entries(body).flatMap(([name, value]) =>
    value === undefined || same.has(name) ? [] : [name],
  )
}

async function writeHistory(
  { services, caller }: Pick<Request, 'services' | 'caller'>,
  transaction: StoreTransaction,
  before: BatchExportRow,
  after: BatchExportRow,
): Promise<void> {
  const fields = changedFields(services, before, after)
  if (fields.length === 0) return
  const isPause =
    before.paused !== after.paused && fields.every(({ field }) => field === 'paused' || field in pauseInputs)
  await insertChange(transaction, {
    batchExportId: after.id,
    kind: isPause ? (after.paused ? 'paused' : 'unpaused') : 'updated',
    ...authorOf(caller),
    at: after.last_updated_at,
    fields,
  })
}

function describe(fields: readonly string[], row: BatchExportRow): string {
  const isPausing = fields.includes('paused')
  const pausing = row.paused ? `Paused${describePause(row)}` : 'Unpaused'
  const others = fields.filter(
    (field) => field !== 'paused' && !(isPausing && (field === 'reason' || field === 'until')),
  )
  if (others.length === 0) return pausing
  const changed = `changed ${others.join(', ')}`
  return isPausing ? `${pausing} and ${changed}` : `C${changed.slice(1)}`
}

type Work = { services: Services; transaction: StoreTransaction; checks: SlowChecks }

async function columnsOf(
  { services, transaction, checks }: Work,
  row: BatchExportRow,
  body: ExportChange,
  now: number,
): Promise<Updateable<BatchExportsTable>> {
  const { name, model = row.model, interval = row.interval, paused = row.paused } = body
  const start = readInstant(body.start_at)
  const end = readInstant(body.end_at)
  const bounds = {
    start_at: start === undefined ? row.start_at : start,
    end_at: end === undefined ? row.end_at : end,
  }
  assertOrder(bounds)
  const schedule = scheduleOf({ interval, ...bounds })
  const cursor =
    row.paused && !paused
      ? await resumeSchedule(services, transaction, row, schedule, now)
      : moveSchedule(row.scheduled_until.getTime(), schedule, now)
  return {
    ...(name !== undefined && { name }),
    ...labelColumns(body),
    model,
    interval,
    paused,
    ...bounds,
    ...(body.destination && (await storeDestination(services, body.destination, targetOf(row, checks)))),
    ...(await queryColumns(checks, row, body)),
    ...pausedAt(row, body, now),
    ...pauseColumns(row, body, now),
    scheduled_until: new Date(cursor),
  }
}

function pausedAt(row: BatchExportRow, body: ExportChange, now: number) {
  const given = readInstant(body.last_paused_at)
  if (given !== undefined) return { last_paused_at: given }
  return body.paused && !row.paused ? { last_paused_at: new Date(now) } : {}
}

/** Validates a kept query again if the model changes, because each model has its own columns. */
async function queryColumns(checks: SlowChecks, row: BatchExportRow, body: ExportChange) {
  const { model = row.model } = body
  if (body.hogql_query === undefined && model === row.model) return {}
  const text = body.hogql_query === undefined ? row.hogql_query : body.hogql_query
  return checks.query(text ?? '', model)
}
