import { sql } from 'kysely'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { BulkAction, BulkActionDetails } from '../../../contract/bulk-action.ts'
import { rowsOf } from '../../store/schema/database.ts'
import { findRows } from '../../store/schema/rows.ts'
import { createExport } from '../test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../test-service.ts'
import { continueBulkAction } from '../../bulk/run-bulk-actions.ts'

export let service: TestService
/** Three exports of the running test. */
export let exports: BatchExport[]

export async function openBulkActions(): Promise<void> {
  service = await createTestService()
}

/** Completes what earlier tests left, and creates the exports. */
export async function createExports(): Promise<void> {
  await finish()
  service.clock.advance(60_000)
  exports = []
  for (const name of ['a', 'b', 'c']) exports.push(await createExport(service, { name }))
}

export const path = '/api/projects/@current/bulk_actions/'

export async function start(body: object, key?: string): Promise<z.output<typeof BulkAction>> {
  const response = await service.request('POST', path, { body, ...(key !== undefined && { key }) })
  expect(response.status, response.text).toBe(201)
  return bodyOf(BulkAction, response)
}

/** Completes all bulk actions. */
export async function finish(): Promise<void> {
  while (await continueBulkAction(service.services));
}

export async function details(id: string): Promise<z.output<typeof BulkActionDetails>> {
  const response = await service.request('GET', `${path}${id}/`)
  expect(response.status, response.text).toBe(200)
  return bodyOf(BulkActionDetails, response)
}

export async function undo(id: string): Promise<z.output<typeof BulkActionDetails>> {
  const response = await service.request('POST', `${path}${id}/undo/`, { body: {} })
  expect(response.status, response.text).toBe(200)
  await finish()
  return await details(id)
}

export const ids = () => exports.map(({ id }) => id)

/** The rows of the exports and of their pauses, without the time of the last change. */
export async function stateOf(batchExports: readonly { id: string }[]) {
  const { store } = service.services
  const list = batchExports.map(({ id }) => id)
  const rows = await findRows(store, 'batch_exports', { id: list }, sql`ORDER BY id`)
  const pauses = await rowsOf(store)`
    SELECT batch_export_id, started_at, ended_at FROM batch_export_pauses WHERE batch_export_id = ANY (${list}) ORDER BY 1, 2`
  return { rows: rows.map((row) => ({ ...row, last_updated_at: null })), pauses }
}

export function runsOf({ id }: { id: string }) {
  return findRows(service.services.store, 'batch_export_runs', { batch_export_id: id }, sql`ORDER BY id`)
}
