import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { BatchExportChange } from '../../../contract/exports/batch-export-change.ts'
import { cursorPage } from '../../../contract/page.ts'
import { createExport, ownPrefix } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const pathOf = (id: string) => `/api/projects/@current/batch_exports/${id}/`

async function changesOf(id: string) {
  const path = `/api/projects/@current/batch_export_changes/?batch_export=${id}`
  return bodyOf(cursorPage(BatchExportChange), await service.request('GET', path)).results
}

/** Returns the id of the newest change. */
async function newestOf(id: string): Promise<string> {
  const [newest] = await changesOf(id)
  return newest?.id ?? ''
}

async function patch(id: string, body: object): Promise<string> {
  const response = await service.request('PATCH', pathOf(id), { body })
  expect(response.status, response.text).toBe(200)
  return await newestOf(id)
}

function revert(change: string) {
  return service.request('POST', `/api/projects/@current/batch_export_changes/${change}/revert/`, {
    body: {},
  })
}

test('POST /api/projects/:project_id/batch_export_changes/:id/revert/ returns 200 with the earlier values, and is itself a change', async () => {
  const made = await createExport(service, { destination: ownPrefix(), end_at: '2027-01-01T00:00:00Z' })
  const change = await patch(made.id, {
    name: 'Nightly',
    interval: 'day',
    end_at: null,
    hogql_query: 'SELECT event FROM events',
    destination: { config: { region: 'us-east-1', compression: 'gzip', aws_secret_access_key: 'another' } },
  })
  const response = await revert(change)
  expect(response.status, response.text).toBe(200)
  const { name, interval, end_at, hogql_query, schema, destination } = bodyOf(BatchExport, response)
  expect({ name, interval, end_at, hogql_query, schema, destination }).toEqual({
    name: 'Daily events',
    interval: 'hour',
    end_at: '2027-01-01T00:00:00Z',
    hogql_query: '',
    schema: null,
    destination: made.destination,
  })
  const [reverting, reverted] = await changesOf(made.id)
  expect(reverting).toMatchObject({ kind: 'updated', by: 'Own key', reverts: change })
  expect(reverting?.fields.filter(({ secret }) => secret)).toEqual([])
  expect(reverted?.revert_problem).toMatch(/ have been changed again since: revert the later change first\.$/)
  const again = await revert(reverting?.id ?? '')
  expect(bodyOf(BatchExport, again)).toMatchObject({ name: 'Nightly', interval: 'day' })
})

test('secrets stay: a change of secrets alone cannot be reverted', async () => {
  const { id } = await createExport(service, { destination: ownPrefix() })
  const change = await patch(id, { destination: { config: { aws_secret_access_key: 'another' } } })
  const response = await revert(change)
  expect([response.status, problemOf(response).detail]).toEqual([
    409,
    'Only secrets were replaced, and the history does not store their values.',
  ])
})

test('a field that was changed again since is a conflict; other fields are not', async () => {
  const { id } = await createExport(service)
  const first = await patch(id, { interval: 'day' })
  const second = await patch(id, { name: 'Renamed' })
  const third = await patch(id, { interval: 'week' })
  const response = await revert(first)
  expect([response.status, problemOf(response).detail]).toEqual([
    409,
    '"interval" has been changed again since: revert the later change first.',
  ])
  for (const change of [second, third, first]) expect((await revert(change)).status).toBe(200)
  const end = bodyOf(BatchExport, await service.request('GET', pathOf(id)))
  expect([end.name, end.interval]).toEqual(['Daily events', 'hour'])
})

test('a revert is validated like an edit', async () => {
  const destination = { type: 'File', config: { path: 'taken' } }
  const { id } = await createExport(service, { destination })
  const change = await patch(id, { destination: { config: { path: 'moved' } } })
  await createExport(service, { name: 'Newcomer', destination })
  const response = await revert(change)
  expect([response.status, problemOf(response).attr]).toEqual([400, 'destination'])
  expect(problemOf(response).detail).toContain('"Newcomer" already writes files with these names')
  const toS3 = await createExport(service, { destination: ownPrefix() })
  const switched = await patch(toS3.id, { destination: { type: 'File', config: { path: 'other' } } })
  expect(problemOf(await revert(switched)).detail).toBe(
    "Configuration missing required field: 'aws_access_key_id'",
  )
})

test('a change of the destination’s type is reverted with its whole config', async () => {
  const made = await createExport(service)
  const { config } = ownPrefix()
  const change = await patch(made.id, { destination: { type: 'S3', config } })
  expect(bodyOf(BatchExport, await revert(change)).destination).toEqual(made.destination)
})

test('pauses and creations', async () => {
  const { id } = await createExport(service)
  const paused = await patch(id, { paused: true })
  expect(bodyOf(BatchExport, await revert(paused)).paused).toBe(false)
  const changes = await changesOf(id)
  expect(changes.map(({ kind }) => kind)).toEqual(['unpaused', 'paused', 'created'])
  const response = await revert(changes.at(-1)?.id ?? '')
  expect([response.status, problemOf(response).detail]).toEqual([
    409,
    'To revert this, delete the batch export.',
  ])
})

test('a deleted export is restored, paused since its deletion', async () => {
  const { id } = await createExport(service)
  const edited = await patch(id, { name: 'Before the deletion' })
  service.clock.advance(60_000)
  await service.request('DELETE', pathOf(id))
  const [deleted] = await changesOf(id)
  expect(problemOf(await revert(edited)).detail).toBe(
    'The batch export has been deleted: revert its deletion first.',
  )
  service.clock.advance(86_400_000)
  const response = await revert(deleted?.id ?? '')
  expect(response.status, response.text).toBe(200)
  expect(bodyOf(BatchExport, response)).toMatchObject({
    name: 'Before the deletion',
    paused: true,
    last_paused_at: deleted?.created_at,
  })
  const [, restored] = await changesOf(id)
  expect(restored).toMatchObject({ kind: 'restored', reverts: deleted?.id })
  expect((await revert(deleted?.id ?? '')).status).toBe(409)
})
