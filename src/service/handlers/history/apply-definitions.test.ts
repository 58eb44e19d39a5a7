import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { BatchExportChange } from '../../../contract/exports/batch-export-change.ts'
import { Drift } from '../../../contract/exports/export-definition.ts'
import { Overview } from '../../../contract/exports/overview.ts'
import { cursorPage } from '../../../contract/page.ts'
import { createExport, insertRun, ownPrefix } from '../../testing/test-rows.ts'
import { bodyOf, problemOf } from '../../testing/test-service.ts'
import {
  apply,
  createProject,
  exportsPath,
  file,
  listed,
  openDefinitions,
  send,
  service,
} from '../../testing/exports/test-definitions.ts'

beforeAll(openDefinitions)
afterAll(() => service.stop())
beforeEach(createProject)

async function actionsOf(exports: readonly object[], options: object = {}) {
  return (await apply(exports, options)).changes.map(({ name, action }) => [action, name])
}

test('POST /api/projects/:project_id/batch_exports/apply/ returns 200 with what it created, changed and left alone', async () => {
  expect(await actionsOf([file('one'), file('two')])).toEqual([
    ['create', 'one'],
    ['create', 'two'],
  ])
  const again = [file('two', { interval: 'day', tags: ['daily'] }), file('three'), file('one')]
  const planned = await apply(again.slice(0, 2), { dry_run: true })
  expect(planned).toMatchObject({
    applied: false,
    changes: [
      { name: 'two', action: 'update' },
      { name: 'three', action: 'create', batch_export: null },
      { name: 'one', action: 'unlisted', fields: [] },
    ],
  })
  expect((await listed()).map(({ name }) => name).sort()).toEqual(['one', 'two'])
  expect((await named('two')).interval).toBe('hour')

  const applied = await apply(again, { source: 'exports.yaml' })
  expect(applied.applied).toBe(true)
  expect(applied.changes.map(({ name, action, batch_export }) => [name, action, batch_export])).toEqual([
    ['two', 'update', (await named('two')).id],
    ['three', 'create', (await named('three')).id],
    ['one', 'unchanged', (await named('one')).id],
  ])
  expect(applied.changes[0]?.fields).toEqual([
    { field: 'interval', before: 'hour', after: 'day', secret: false },
    { field: 'tags', before: null, after: ['daily'], secret: false },
  ])
  expect(await actionsOf(again)).toEqual([
    ['unchanged', 'two'],
    ['unchanged', 'three'],
    ['unchanged', 'one'],
  ])
  const { id } = await named('two')
  const changes = await service.request('GET', `${exportsPath}${id}/changes/`)
  const [changed, ...others] = bodyOf(cursorPage(BatchExportChange), changes).results
  expect(changed).toMatchObject({ kind: 'updated', by: 'Own key', source: 'exports.yaml' })
  expect(others).toHaveLength(1)
  const logs = await service.request('GET', `${exportsPath}${id}/logs/`)
  expect(logs.text).toContain("Changed tags, interval by key 'Own key' from exports.yaml.")
})

test('settings that the definition omits become those of a new export; only paused stays', async () => {
  const end_at = '2027-01-01T00:00:00Z'
  await apply([file('one', { end_at, hogql_query: 'SELECT event FROM events', paused: true, owner: 'Ada' })])
  await patch('one', { destination: { config: { compression: 'gzip' } } })
  await apply([file('one')])
  expect(await named('one')).toMatchObject({
    end_at: null,
    hogql_query: '',
    owner: '',
    paused: true,
    destination: { type: 'File', config: { path: 'one' } },
  })
  await apply([file('one', { paused: false })])
  expect((await named('one')).paused).toBe(false)
})

test('lists the errors of all definitions, and applies none', async () => {
  await apply([file('taken')])
  const response = await send([
    file('fine', { interval: 'day' }),
    file('bad query', { hogql_query: 'SELECT nothing FROM events' }),
    file('bad folder', { destination: { type: 'File', config: { path: '../x', junk: 1 } } }),
    file('same files', { destination: { type: 'File', config: { path: 'taken' } } }),
    file('taken'),
    file('fine'),
  ])
  expect(response.status).toBe(400)
  const { attr, issues = [] } = problemOf(response)
  expect(attr).toBe('exports__1__hogql_query')
  expect(issues.map(({ path }) => path.join('.'))).toEqual([
    'exports.1.hogql_query',
    'exports.2.destination.config',
    'exports.2.destination.config.path',
    'exports.3.destination.config.path',
    'exports.5.name',
  ])
  expect(issues[3]?.message).toContain('The batch export "taken" already writes files with these names')
  expect(await listed()).toHaveLength(1)
})

test('checks the definitions against each other, in a dry run as well', async () => {
  const same = { type: 'File', config: { path: 'shared' } }
  const both = [file('one', { destination: same }), file('two', { destination: same })]
  for (const options of [{ dry_run: true }, {}]) {
    const response = await send(both, options)
    expect([response.status, problemOf(response).attr]).toEqual([
      400,
      'exports__1__destination__config__path',
    ])
  }
  expect(await listed()).toEqual([])
})

test('an export is ambiguous if another one has its name', async () => {
  for (const path of ['a', 'b'])
    await createExport(
      service,
      file('twin', { destination: { type: 'File', config: { path } } }),
      exportsPath,
    )
  const response = await send([file('twin')])
  expect([response.status, problemOf(response).detail]).toEqual([
    400,
    '2 batch exports have this name: rename all but one.',
  ])
})

test('deletes exports only with prune, and a new export can then take over their files', async () => {
  await apply([file('old'), file('kept')])
  const running = await insertRun(service, await named('old'), { status: 'Running', worker_id: 'someone' })
  const renamed = [file('new', { destination: { type: 'File', config: { path: 'old' } } }), file('kept')]
  expect((await send(renamed)).status).toBe(400)
  const planned = await actionsOf(renamed, { prune: true, dry_run: true })
  expect(planned).toEqual([
    ['create', 'new'],
    ['unchanged', 'kept'],
    ['delete', 'old'],
  ])
  const statusOf = async () => {
    const { store } = service.services
    const runs = store.selectFrom('batch_export_runs').select('status').where('id', '=', running.id)
    return (await runs.executeTakeFirstOrThrow()).status
  }
  expect([(await listed()).map(({ name }) => name).sort(), await statusOf()]).toEqual([
    ['kept', 'old'],
    'Running',
  ])
  expect(await actionsOf(renamed, { prune: true })).toEqual(planned)
  expect([(await listed()).map(({ name }) => name).sort(), await statusOf()]).toEqual([
    ['kept', 'new'],
    'Terminated',
  ])
})

test('secrets are compared, never shown, and stay if the definition omits them', async () => {
  const destination = ownPrefix()
  const s3 = (change: object) => ({
    ...file('bucket'),
    destination: { ...destination, config: { ...destination.config, ...change } },
  })
  await apply([s3({})])
  expect(await actionsOf([s3({})])).toEqual([['unchanged', 'bucket']])
  expect((await apply([s3({ aws_secret_access_key: 'very-secret-2' })])).changes[0]?.fields).toEqual([
    { field: 'destination.config.aws_secret_access_key', before: null, after: null, secret: true },
  ])
  const { aws_access_key_id: _, aws_secret_access_key: __, ...plain } = destination.config
  expect(await actionsOf([{ ...s3({}), destination: { type: 'S3', config: plain } }])).toEqual([
    ['unchanged', 'bucket'],
  ])
  const missing = await send([{ ...file('new bucket'), destination: { type: 'S3', config: plain } }])
  expect(problemOf(missing).detail).toBe("Configuration missing required field: 'aws_access_key_id'")
})

test('rejects unknown settings and too many definitions', async () => {
  const unknown = await send([file('one', { last_paused_at: '2026-01-01T00:00:00Z', colour: 'red' })])
  expect(problemOf(unknown).issues?.map(({ path }) => path.join('.'))).toEqual([
    'exports.0.last_paused_at',
    'exports.0.colour',
  ])
  const many = await send(Array.from({ length: 1001 }, (_, index) => file(`export ${index}`)))
  expect([many.status, problemOf(many).detail]).toEqual([400, 'Apply at most 1000 batch exports at once.'])
})

async function named(name: string): Promise<BatchExport> {
  const found = (await listed()).find((batchExport) => batchExport.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

async function patch(name: string, body: object): Promise<void> {
  const { id } = await named(name)
  expect((await service.request('PATCH', `${exportsPath}${id}/`, { body })).status).toBe(200)
}

async function driftOf(name: string): Promise<Drift> {
  const { id } = await named(name)
  return bodyOf(Drift, await service.request('GET', `${exportsPath}${id}/drift/`))
}

test('GET /api/projects/:project_id/batch_exports/:id/drift/ returns 200 with the settings changed since the application', async () => {
  await createExport(service, file('by hand'), exportsPath)
  expect(await driftOf('by hand')).toEqual({ applied: null, fields: [] })
  expect(await named('by hand')).not.toHaveProperty('applied')

  await apply([{ ...file('bucket'), destination: ownPrefix() }], { source: 'exports.yaml' })
  const applied = { at: '2026-03-04T10:30:00Z', by: 'Own key', source: 'exports.yaml', changed: false }
  expect(await driftOf('bucket')).toEqual({ applied, fields: [] })
  expect((await named('bucket')).applied).toEqual(applied)
  await patch('bucket', {
    paused: true,
    interval: 'day',
    destination: { config: { compression: 'gzip', aws_secret_access_key: 'another' } },
  })
  const plain = (field: string, before: unknown, after: unknown) => ({ field, before, after, secret: false })
  expect(await driftOf('bucket')).toEqual({
    applied: { ...applied, changed: true },
    fields: [
      plain('interval', 'hour', 'day'),
      plain('destination.config.compression', null, 'gzip'),
      { field: 'destination.config.aws_secret_access_key', before: null, after: null, secret: true },
    ],
  })
  expect((await named('bucket')).applied?.changed).toBe(true)
  const overview = bodyOf(Overview, await service.request('GET', `${exportsPath}overview/`)).results
  expect(overview.map(({ name, changed_since_apply }) => [name, changed_since_apply])).toEqual([
    ['bucket', true],
    ['by hand', undefined],
  ])
  const { id } = await named('bucket')
  const one = bodyOf(BatchExport, await service.request('GET', `${exportsPath}${id}/`))
  expect(one.applied?.changed).toBe(true)
})
