import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RepairPlanDetails } from '../../contract/repair/repair-plan.ts'
import { createExport, insertRun } from '../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../testing/test-service.ts'
import { continueRepairPlans } from './run-repair-plans.ts'

const path = '/api/projects/@current/repair_plans/'
let service: TestService
beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:30:00Z' })
})
afterAll(() => service.stop())

/** Runs a plan that repairs an export; returns its id. */
async function runPlan(batchExportId: string, start = '2026-03-01'): Promise<string> {
  const body = { batch_export_ids: [batchExportId], start }
  const { id } = bodyOf(RepairPlanDetails, await service.request('POST', path, { body }))
  const run = await service.request('POST', `${path}${id}/run/`, { body: {} })
  expect(run.status, run.text).toBe(200)
  return id
}

async function stepsOf(id: string) {
  const details = bodyOf(RepairPlanDetails, await service.request('GET', `${path}${id}/`))
  return details.results.map(({ windows, state, sent }) => ({ windows, state, sent }))
}

test('a plan that fails does not stop later ones', async () => {
  const exports = [await createExport(service), await createExport(service)]
  const plans = []
  for (const made of exports) {
    await insertRun(service, made, { status: 'Failed' })
    plans.push(await runPlan(made.id))
  }
  const { store } = service.services
  await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`.execute(
    store,
  )
  await sql`CREATE TRIGGER refuse BEFORE INSERT ON batch_export_runs FOR EACH ROW
    WHEN (NEW.batch_export_id = ${sql.lit(exports[0]?.id)}) EXECUTE FUNCTION refuse()`.execute(store)
  expect(await continueRepairPlans(service.services)).toBe(true)
  await sql`DROP FUNCTION refuse CASCADE`.execute(store)
  const steps = await Promise.all(plans.map(stepsOf))
  expect(steps).toEqual([
    [{ windows: 1, state: 'planned', sent: 0 }],
    [{ windows: 1, state: 'running', sent: 1 }],
  ])
})

test('a long repair has steps of at most 10,000 windows, which start one after the other', async () => {
  const made = await createExport(service, { interval: 'every 5 minutes' })
  const url = `/api/projects/@current/batch_exports/${made.id}/backfill/`
  const first = { start_at: '2026-01-01T00:00:00Z', end_at: '2026-01-01T00:05:00Z' }
  expect((await service.request('POST', url, { body: first })).status).toBe(200)
  const id = await runPlan(made.id, '2026-01-01')
  expect(await continueRepairPlans(service.services)).toBe(true)
  // Until the export's creation, 62 days, 10 hours and 30 minutes later, except the window above.
  const rest = 62 * 288 + 126 - 1 - 10_000
  expect(await stepsOf(id)).toEqual([
    { windows: rest, state: 'running', sent: rest },
    { windows: 10_000, state: 'planned', sent: 0 },
  ])
})
