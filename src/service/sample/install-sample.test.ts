import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { windowsBetween } from '../../contract/interval.ts'
import { tick } from '../background/scheduler.ts'
import { testJobs, type TestJobs } from '../testing/test-jobs.ts'
import { pageOfChanges } from '../store/runs/changes-list.ts'
import { isSampleProject } from '../store/windows/project-health.ts'
import { verifyModeOf } from '../store/windows/ledger.ts'
import type { Services } from '../services.ts'
import { installSample } from './install-sample.ts'
import { blockingFile, sampleExports } from './sample-exports.ts'
import { personCount } from './sample-persons.ts'

let jobs: TestJobs

beforeAll(async () => {
  jobs = await testJobs(Date.UTC(2026, 5, 17, 15, 42, 10))
})

afterAll(() => jobs.cleanup())

test('an interrupted installation is completed at the next start, and never repeated', async () => {
  const { services, projectId } = jobs
  const { warehouse } = services
  let commands = 0
  const failing: Services = {
    ...services,
    warehouse: {
      ...warehouse,
      command: (sql, options) =>
        (commands += 1) > 1 ? Promise.reject(new Error('killed')) : warehouse.command(sql, options),
    },
  }
  await expect(installSample(failing, projectId)).rejects.toThrow('killed')
  expect(await exportRows()).toEqual([])
  jobs.clock.time += 60_000
  await installSample(services, projectId)
  jobs.clock.time += 60_000
  await installSample(services, projectId)
  const counted = await warehouse.query<{ n: number; twice: number }>(
    `SELECT count() AS n, n - uniqExact(uuid) AS twice FROM events FINAL WHERE team_id = {projectId: Int64}`,
    { params: { projectId } },
  )
  expect(counted[0]?.n).toBeGreaterThan(180_000)
  expect(counted[0]?.twice).toBe(0)
  expect(await exportRows()).toHaveLength(sampleExports.length)
})

test('the persons are the same in the store, in the warehouse and on the events', async () => {
  const { services, projectId } = jobs
  const stored = await services.store
    .selectFrom('persons')
    .selectAll()
    .where('project_id', '=', projectId)
    .execute()
  expect(stored.filter(({ properties }) => 'country' in properties)).toHaveLength(personCount)
  expect(stored.length).toBeGreaterThan(personCount)
  const inWarehouse = await services.warehouse.query<{ id: string; properties: string; version: number }>(
    `SELECT toString(person_id) AS id, argMax(properties, person_version) AS properties, max(person_version) AS version
     FROM persons WHERE team_id = {projectId: Int64} GROUP BY person_id`,
    { params: { projectId } },
  )
  const byId = new Map(inWarehouse.map((person) => [person.id, person]))
  for (const { uuid, properties, version } of stored) {
    const person = byId.get(uuid)
    expect(person?.version).toBe(version)
    expect(JSON.parse(person?.properties ?? '')).toEqual(properties)
  }
  const strangers = await services.warehouse.query(
    `SELECT DISTINCT toString(person_id) AS id FROM events WHERE team_id = {projectId: Int64} AND person_properties != '{}'`,
    { params: { projectId } },
  )
  expect(strangers.length).toBeGreaterThan(1000)
  expect(strangers.filter(({ id }) => !byId.has(String(id)))).toEqual([])
})

test('the scheduler creates the past runs of the exports, and keeps the gap of the paused one', async () => {
  await tick(jobs.services)
  const runs = new Map<string, number>()
  for (const row of await exportRows()) {
    const made = await jobs.runs(row.id)
    runs.set(row.name, made.length)
    const [first, last] = [made[0], made.at(-1)]
    if (!row.paused || !first || !last) continue
    const covered = new Set(made.map((run) => run.data_interval_start.getTime()))
    const [from, until] = [first.data_interval_start.getTime(), last.data_interval_end.getTime()]
    const missing = windowsBetween(row.interval, from, until).filter(({ start }) => !covered.has(start))
    expect(missing).toHaveLength(6)
  }
  expect(Object.fromEntries(runs)).toMatchObject({
    'Weekly orders and carts': 4,
    'Daily archive': 14,
    'Customers to the CRM': 7,
    'Finance hand-over': 5,
    'Lake, hourly': 72,
    'Search terms': 30,
    'Orders with their revenue': 48,
  })
})

test('the windows of all exports are verified after each run', async () => {
  const modes = await Promise.all((await exportRows()).map(({ id }) => verifyModeOf(jobs.services.store, id)))
  expect(modes).toEqual(sampleExports.map(() => 'each_run'))
})

test('the health of the project says that it contains the sample', async () => {
  const { services, projectId } = jobs
  expect(await isSampleProject(services.store, projectId)).toBe(true)
  expect(await isSampleProject(services.store, projectId + 1)).toBe(false)
})

test('the history of the paused export says why it is paused', async () => {
  const paused = (await exportRows()).find((row) => row.paused)
  const page = await pageOfChanges(jobs.services.store, jobs.projectId, { batchExportId: paused?.id }, null)
  expect(page?.rows).toMatchObject([
    { kind: 'paused', actor: null, created_at: paused?.last_paused_at },
    { kind: 'created', actor: null, created_at: paused?.created_at },
  ])
  const reason = {
    field: 'pause_reason',
    before: null,
    after: 'The search page is being rebuilt.',
    secret: false,
  }
  expect(page?.rows[0]?.fields).toContainEqual(reason)
  expect(paused?.pause_reason).toBe(reason.after)
})

test('the failing export is blocked by a file that says what to do', async () => {
  const text = await readFile(
    join(jobs.services.exportsFolder ?? '', String(jobs.projectId), blockingFile.path),
    'utf8',
  )
  expect(text).toContain('Give the export another path')
})

test('a project with its own exports receives no sample', async () => {
  const { services, projectId, createExport } = jobs
  await services.store.deleteFrom('installation').where('name', '=', 'sample_project').execute()
  const own = await createExport({ name: 'Own' })
  await installSample(services, projectId)
  expect(await exportRows()).toHaveLength(sampleExports.length + 1)
  expect(own.name).toBe('Own')
})

function exportRows() {
  return jobs.services.store
    .selectFrom('batch_exports')
    .selectAll()
    .where('project_id', '=', jobs.projectId)
    .execute()
}
