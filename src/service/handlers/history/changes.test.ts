import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExportChange } from '../../../contract/exports/batch-export-change.ts'
import { cursorPage } from '../../../contract/page.ts'
import { ProjectChange } from '../../../contract/exports/project-change.ts'
import { openDestination } from '../../destinations/destination-drivers.ts'
import { createExport, insertRun, ownPrefix, s3Destination } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { finishRun } from '../../runs/finish-run.ts'
import { insertChange } from '../../store/runs/changes-list.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const pathOf = (id: string) => `/api/projects/@current/batch_exports/${id}/`

async function pageAt(path: string) {
  const response = await service.request('GET', path)
  expect(response.status, response.text).toBe(200)
  expect(response.text).not.toMatch(/very-secret|AKIA/)
  return bodyOf(cursorPage(BatchExportChange), response)
}

async function changesOf(id: string) {
  return (await pageAt(`${pathOf(id)}changes/`)).results
}

async function patch(id: string, body: object) {
  const response = await service.request('PATCH', pathOf(id), { body })
  expect(response.status, response.text).toBe(200)
}

test('GET /api/projects/:project_id/batch_exports/:id/changes/ returns 200 with each change and its author, newest first', async () => {
  const destination = ownPrefix()
  const made = await createExport(service, { destination })
  service.clock.advance(60_000)
  await patch(made.id, {
    name: 'Nightly',
    interval: 'day',
    destination: { config: { prefix: 'nightly/', compression: 'gzip' } },
  })
  const [updated, created, ...rest] = await changesOf(made.id)
  expect(rest).toEqual([])
  expect(updated).toMatchObject({ kind: 'updated', by: 'Own key', created_at: '2026-03-04T10:31:00Z' })
  const plain = (field: string, before: unknown, after: unknown) => ({ field, before, after, secret: false })
  expect(updated?.fields).toEqual([
    plain('name', 'Daily events', 'Nightly'),
    plain('interval', 'hour', 'day'),
    plain('destination.config.prefix', destination.config.prefix, 'nightly/'),
    plain('destination.config.compression', null, 'gzip'),
  ])
  expect(created).toMatchObject({ kind: 'created', by: 'Own key' })
  expect(created?.fields).toContainEqual(plain('destination.config.bucket_name', null, 'reports'))
  expect(created?.fields).toContainEqual(plain('paused', null, false))
})

test('the history shows only that a secret changed, and only if it did', async () => {
  const { id } = await createExport(service, { destination: ownPrefix() })
  await patch(id, { destination: { config: { aws_secret_access_key: 'very-secret' } } })
  expect(await changesOf(id)).toHaveLength(1)
  await patch(id, { destination: { config: { aws_secret_access_key: 'very-secret-too' } } })
  const [changed] = await changesOf(id)
  expect(changed?.fields).toEqual([
    { field: 'destination.config.aws_secret_access_key', before: null, after: null, secret: true },
  ])
})

test('pausing and unpausing are separate changes; repeating them adds none', async () => {
  const { id } = await createExport(service)
  for (const verb of ['pause', 'pause', 'unpause', 'unpause'])
    await service.request('POST', `${pathOf(id)}${verb}/`, { body: {} })
  await patch(id, { paused: true })
  await patch(id, { name: 'Daily events' })
  const kinds = (await changesOf(id)).map(({ kind }) => kind)
  expect(kinds).toEqual(['paused', 'unpaused', 'paused', 'created'])
})

test('an export that pauses itself records the change, and its windows are paused from then on', async () => {
  const made = await createExport(service)
  service.clock.advance(1000)
  const scheduled = (hour: number) =>
    ({ origin: 'schedule', data_interval_start: new Date(hour * 3_600_000) }) as const
  for (let hour = 0; hour < 9; hour += 1)
    await insertRun(service, made, { ...scheduled(hour), status: 'Failed' })
  const run = await insertRun(service, made, { ...scheduled(9), status: 'Running', worker_id: 'someone' })
  const { store } = service.services
  await store
    .transaction()
    .execute((transaction) => finishRun(service.services, transaction, run, { status: 'Failed' }))
  const [paused] = await changesOf(made.id)
  expect(paused).toMatchObject({ kind: 'paused', by: null, fields: [{ field: 'paused', after: true }] })
  const pauses = store.selectFrom('batch_export_pauses').select(['started_at', 'ended_at'])
  expect(await pauses.where('batch_export_id', '=', made.id).execute()).toEqual([
    { started_at: new Date(service.clock.now()), ended_at: null },
  ])
})

test('keeps a deletion in the history', async () => {
  const { id } = await createExport(service)
  await service.request('DELETE', pathOf(id))
  const rows = await service.services.store
    .selectFrom('batch_export_changes')
    .select(['kind', 'actor'])
    .where('batch_export_id', '=', id)
    .orderBy('id')
    .execute()
  expect(rows.map(({ kind }) => kind)).toEqual(['created', 'deleted'])
})

test('a rejected change is not recorded', async () => {
  const { id } = await createExport(service)
  const body = { name: 'x', hogql_query: 'SELECT nothing FROM events' }
  expect((await service.request('PATCH', pathOf(id), { body })).status).toBe(400)
  expect(await changesOf(id)).toHaveLength(1)
})

test('pages through a long history', async () => {
  const { id } = await createExport(service)
  for (let number = 0; number < 60; number += 1) await patch(id, { name: `Name ${number}` })
  const first = await pageAt(`${pathOf(id)}changes/`)
  expect(first.results).toHaveLength(50)
  expect(first.previous).toBeNull()
  const second = await pageAt(first.next ?? '')
  expect(second.results).toHaveLength(11)
  expect(second.results.at(-1)?.kind).toBe('created')
  expect((await pageAt(second.previous ?? '')).results).toEqual(first.results)
  expect((await service.request('GET', `${pathOf(id)}changes/?cursor=junk`)).status).toBe(404)
})

test('a clone copies the secrets of its original, unless it sets its own or changes the type', async () => {
  const original = await createExport(service, { destination: ownPrefix() })
  const { bucket_name, region } = s3Destination.config
  const secretsOf = async (id: string) => {
    const row = await service.services.store
      .selectFrom('batch_exports')
      .select('destination_secrets')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row.destination_secrets && JSON.parse(service.services.secrets.open(row.destination_secrets))
  }
  const destination = { type: 'S3', config: { bucket_name, region, aws_access_key_id: 'another' } }
  const copy = await createExport(service, { destination, cloned_from: original.id })
  expect(await secretsOf(copy.id)).toEqual({
    aws_access_key_id: 'another',
    aws_secret_access_key: 'very-secret',
  })
  expect(copy.destination.config).not.toHaveProperty('prefix')
  expect((await changesOf(copy.id)).map(({ kind }) => kind)).toEqual(['cloned'])
  const folder = await createExport(service, { cloned_from: original.id })
  expect(await secretsOf(folder.id)).toBeNull()
})

test('rejects a clone of an export that the key cannot access', async () => {
  const path = `/api/projects/${service.secondProjectId}/batch_exports/`
  const other = await createExport(service, { destination: ownPrefix() }, path)
  const { bucket_name, region } = s3Destination.config
  const destination = { type: 'S3', config: { bucket_name, region } }
  for (const id of [other.id, 'junk']) {
    const body = { name: 'Copy', interval: 'hour', destination, cloned_from: id }
    const response = await service.request('POST', '/api/projects/@current/batch_exports/', { body })
    expect([response.status, problemOf(response).attr]).toEqual([400, 'cloned_from'])
  }
})

const projectPath = '/api/projects/@current/batch_export_changes/'

async function projectChanges(search: string) {
  const response = await service.request('GET', `${projectPath}?${search}`)
  expect(response.status, response.text).toBe(200)
  expect(response.text).not.toMatch(/very-secret|AKIA/)
  return bodyOf(cursorPage(ProjectChange), response)
}

test('GET /api/projects/:project_id/batch_export_changes/ returns 200 with the changes of all exports that match, deleted ones included', async () => {
  const one = await createExport(service, { name: 'Quarterly 100% report' })
  const other = await createExport(service, { name: 'Weekly report' })
  service.clock.advance(60_000)
  const renamedAt = new Date(service.clock.now()).toISOString()
  await patch(one.id, { name: 'Yearly report' })
  await service.request('DELETE', pathOf(one.id))
  const otherProject = `/api/projects/${service.secondProjectId}/batch_exports/`
  await createExport(service, { name: 'Yearly report' }, otherProject)
  const kindsOf = async (search: string) =>
    (await projectChanges(search)).results.map(({ kind, batch_export }) => [kind, batch_export.name])
  const name = 'Yearly report'
  expect(await kindsOf('search=yearly+report')).toEqual([
    ['deleted', name],
    ['updated', name],
    ['created', name],
  ])
  // The earlier name is a value of two changes; % is no wildcard.
  expect(await kindsOf('search=Quarterly+100%25+')).toEqual([
    ['updated', name],
    ['created', name],
  ])
  expect(await kindsOf(`batch_export=${one.id}&kind=deleted&kind=created`)).toHaveLength(2)
  expect(await kindsOf(`batch_export=${other.id}`)).toEqual([['created', 'Weekly report']])
  expect(await kindsOf(`batch_export=${one.id}&after=${renamedAt}&before=2027-01-01`)).toHaveLength(2)
  expect(await kindsOf(`batch_export=${one.id}&by=Nobody`)).toEqual([])
  expect(
    (await projectChanges(`batch_export=${one.id}`)).results.map((change) => change.batch_export),
  ).toEqual([1, 2, 3].map(() => ({ id: one.id, name, deleted: true })))
})

test('the history of a project is searched by the words that the dashboard shows', async () => {
  const made = await createExport(service, { destination: ownPrefix() })
  await patch(made.id, { destination: { type: 'S3', config: { aws_secret_access_key: 'very-secret 2' } } })
  const actors = async (search: string) =>
    (await projectChanges(`batch_export=${made.id}&search=${search}`)).results.map(({ by, kind }) => [
      by,
      kind,
    ])
  expect(await actors('access+KEY')).toEqual([
    ['Own key', 'updated'],
    ['Own key', 'created'],
  ])
  expect(await actors('Virtual-hosted')).toEqual([])
  const { store } = service.services
  await insertChange(store, {
    batchExportId: made.id,
    kind: 'unpaused',
    actor: null,
    at: new Date(service.clock.now()),
    fields: [],
  })
  expect(await actors('the+service')).toEqual([[null, 'unpaused']])
})

test('an export with a longer prefix than new ones may have is still shown and opened, and the history shortens the prefix', async () => {
  const made = await createExport(service, { destination: ownPrefix() })
  const prefix = 'p'.repeat(1_000_000)
  const row = await service.services.store
    .updateTable('batch_exports')
    .set({ destination_config: { ...made.destination.config, prefix } })
    .where('id', '=', made.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  expect(await openDestination(service.services, row)).toMatchObject({ prefix })
  const url = `/api/projects/@current/batch_exports/${made.id}/`
  expect((await service.request('PATCH', url, { body: { name: 'Renamed' } })).status).toBe(200)
  const config = { prefix: `${prefix}/` }
  const refused = await service.request('PATCH', url, { body: { destination: { config } } })
  expect([refused.status, problemOf(refused).detail]).toEqual([
    400,
    "Configuration has invalid value for 'prefix': Enter at most 1,024 characters.",
  ])
  const changed = await service.request('PATCH', url, { body: { destination: { config: { prefix: 'p/' } } } })
  expect(changed.status, changed.text).toBe(200)
  const history = await service.request('GET', `${url}changes/`)
  const [newest] = bodyOf(cursorPage(BatchExportChange), history).results
  expect(newest?.fields).toEqual([
    {
      field: 'destination.config.prefix',
      before: `${prefix.slice(0, 10_000)}…`,
      after: 'p/',
      secret: false,
    },
  ])
})

test('the history of a project comes in pages', async () => {
  const { id } = await createExport(service)
  for (let number = 0; number < 55; number += 1) await patch(id, { name: `Paged ${number}` })
  const first = await projectChanges(`batch_export=${id}&search=paged`)
  const second = await pageAt(first.next ?? '')
  expect([first.results.length, second.results.length]).toEqual([50, 6])
  expect(second.next).toBeNull()
})
