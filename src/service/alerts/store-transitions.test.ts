import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AlertChannel, AlertChannels } from '../../contract/alerts/alert-channel.ts'
import { inTransaction } from '../store/schema/database.ts'
import { createChannel, createRule } from '../testing/test-alerts.ts'
import { createExport, insertRun, s3Destination } from '../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../testing/test-service.ts'
import { effectiveRules } from './effective-rules.ts'
import { evaluateRules } from './evaluate-rules.ts'
import { storeHeartbeat } from './alert-loops.ts'
import { storeTransitions } from './store-transitions.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.parse('2026-03-04T10:30:00Z')

let service: TestService
let project: number

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  project = service.own.project_id
})
afterAll(() => service.stop())
beforeEach(async () => {
  const { store } = service.services
  service.clock.set(new Date(start).toISOString())
  for (const table of ['incidents', 'alert_channels', 'alert_rules', 'batch_export_runs'] as const)
    await store.deleteFrom(table).execute()
  await store
    .updateTable('batch_exports')
    .set({ deleted_at: new Date(start) })
    .execute()
  const epoch = new Date(0)
  await store
    .updateTable('alert_watch')
    .set({ evaluated_at: epoch, watching_since: epoch, warehouse_at: epoch })
    .execute()
})

async function evaluate(later = minute): Promise<void> {
  service.clock.advance(later)
  await storeHeartbeat(service.services)
  expect(await evaluateRules(service.services)).toEqual({ workerAlive: true })
}

/** Creates an export to a bucket of its own, whose newest window failed. */
async function failingExport(bucket_name: string, path?: string): Promise<void> {
  const destination = { ...s3Destination, config: { ...s3Destination.config, bucket_name } }
  const made = await createExport(service, { name: bucket_name, destination }, path)
  const end = Math.floor(service.clock.now() / hour) * hour
  await insertRun(service, made, {
    origin: 'schedule',
    status: 'Failed',
    data_interval_start: new Date(end - hour),
    data_interval_end: new Date(end),
    finished_at: new Date(service.clock.now()),
    latest_error: 'There is no bucket of this name: create it.',
  })
}

async function countRows(table: 'incidents' | 'alert_deliveries', projectId: number): Promise<number> {
  const { count } = await service.services.store
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return count
}

test('one evaluation stores any number of messages', { tags: ['slow'], timeout: 60_000 }, async () => {
  for (let index = 0; index < 50; index += 1) await createChannel(service, project, { name: `${index}` })
  for (let index = 0; index < 110; index += 1) await failingExport(`bucket-${index}`)
  await evaluate()
  expect(await countRows('incidents', project)).toBe(110)
  expect(await countRows('alert_deliveries', project)).toBe(110 * 50)
})

test('a project whose alerts cannot be stored does not stop those of the others, and is evaluated again', async () => {
  const { store } = service.services
  const second = service.secondProjectId
  for (const id of [project, second]) await createChannel(service, id)
  await failingExport('first')
  await failingExport('second', `/api/projects/${second}/batch_exports/`)
  await sql`ALTER TABLE alert_deliveries ADD CONSTRAINT refused CHECK (project_id <> ${sql.lit(project)}) NOT VALID`.execute(
    store,
  )
  await evaluate()
  expect([await countRows('incidents', project), await countRows('incidents', second)]).toEqual([0, 1])
  await sql`ALTER TABLE alert_deliveries DROP CONSTRAINT refused`.execute(store)
  await evaluate()
  for (const id of [project, second])
    expect([await countRows('incidents', id), await countRows('alert_deliveries', id)]).toEqual([1, 1])
})

test('reminders are 15 minutes apart at least, and none queues behind a message that waits', async () => {
  const { store } = service.services
  const down = await createChannel(service, project, { name: 'Down' })
  const up = await createChannel(service, project, { name: 'Up' })
  const rule = await createRule(service, project, { kind: 'failed', remind_minutes: 15 })
  // Rules from before the minimum may have less.
  await store.updateTable('alert_rules').set({ remind_minutes: 1 }).where('id', '=', rule.id).execute()
  await failingExport('bucket')
  const deliver = (channelId: string) =>
    store
      .updateTable('alert_deliveries')
      .set({ status: 'delivered', next_attempt_at: null })
      .where('channel_id', '=', channelId)
      .execute()
  for (let minutes = 0; minutes < 60; minutes += 1) {
    await evaluate()
    await deliver(up.id)
  }
  await deliver(down.id)
  await evaluate(15 * minute)
  const messages = await store
    .selectFrom('alert_deliveries')
    .select(['channel_name', 'transition', 'created_at'])
    .orderBy('channel_name')
    .orderBy('created_at')
    .execute()
  expect(
    messages.map(
      ({ channel_name, transition, created_at }) =>
        `${channel_name}: ${transition} after ${(created_at.getTime() - start) / minute}`,
    ),
  ).toEqual([
    'Down: opened after 1',
    'Down: reminded after 75',
    'Up: opened after 1',
    'Up: reminded after 16',
    'Up: reminded after 31',
    'Up: reminded after 46',
    'Up: reminded after 75',
  ])
})

test('alerts about recordings are sent only to receivers that a key chose which can read them', async () => {
  const { services } = service
  const address = `/api/projects/${project}/alert_channels/`
  const limited = await service.newKey({ scopes: ['batch_export:write'] })
  const chosen = { url: 'http://127.0.0.1:9/other', signing_secret: 'the-secret-of-the-receiver' }
  for (const name of ['by a key without recordings', 'redirected by it', 'redirected back']) {
    const key = name.startsWith('by') ? { key: limited } : {}
    const body = { type: 'webhook', name, url: 'http://127.0.0.1:9/first' }
    const { id } = bodyOf(AlertChannel, await service.request('POST', address, { ...key, body }))
    if (!name.startsWith('by'))
      await service.request('PATCH', `${address}${id}/`, { key: limited, body: chosen })
    if (name.endsWith('back')) await service.request('PATCH', `${address}${id}/`, { body: chosen })
  }
  const { results } = bodyOf(AlertChannels, await service.request('GET', address))
  expect(results.map(({ name, recording_alerts: has }) => [name, has])).toEqual([
    ['by a key without recordings', false],
    ['redirected back', true],
    ['redirected by it', false],
  ])

  const rules = effectiveRules([], [])
  const opened = (['failed', 'silent', 'error'] as const).map((kind) => ({
    id: null,
    projectId: project,
    kind,
    cause: '1',
    destination: '',
    detail: 'A text.',
    exports: [],
  }))
  const changes = { opened, changed: [], kept: [], recovered: [] }
  await inTransaction(services.store, (transaction) =>
    storeTransitions(transaction, { changes, open: [], rules, now: start }),
  )
  const { rows } = await sql<{ name: string; kinds: string }>`
    SELECT channel_name AS name, string_agg(kind, ' ' ORDER BY kind) AS kinds FROM alert_deliveries
    JOIN incidents ON incidents.id = incident_id GROUP BY 1 ORDER BY 1`.execute(services.store)
  expect(rows).toEqual([
    { name: 'by a key without recordings', kinds: 'failed' },
    { name: 'redirected back', kinds: 'error failed silent' },
    { name: 'redirected by it', kinds: 'failed' },
  ])
})
