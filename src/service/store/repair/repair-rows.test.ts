import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createExport, createObject, insertRun } from '../../testing/test-rows.ts'
import { createTestService, type TestService } from '../../testing/test-service.ts'
import { lockRepairPlan } from './repair-plans.ts'
import { stepsIn, updateStep } from './repair-progress.ts'
import { storeRowCounts } from './repair-rows.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(service.services.store)
  return rows[0]?.count ?? 0
}

test('rows are counted while a plan moves on: neither waits for the other forever', async () => {
  const { services } = service
  const batchExport = await createExport(service)
  await insertRun(service, batchExport, { status: 'Failed' })
  const id = await createObject(service, batchExport.team_id, 'repair_plans', {})
  const counting = await services.store.transaction().execute(async (transaction) => {
    await lockRepairPlan(transaction, id)
    const counting = storeRowCounts(services.store, id, [{ number: 0, rows: 5 }])
    await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), 30_000)
    const [step] = await stepsIn(transaction, id, ['planned'], 1)
    if (step) await updateStep(transaction, step, { state: 'running' })
    return { done: counting }
  })
  await counting.done
  const steps = await stepsIn(services.store, id, ['running'], 10)
  expect(steps).toMatchObject([{ rows_expected: 5 }])
})
