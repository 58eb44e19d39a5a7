import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import {
  ErasureCertificate,
  PersonErasure,
  PersonErasureDetails,
} from '../../../contract/privacy/person-erasure.ts'
import { Ledger } from '../../../contract/runs/ledger.ts'
import { blockFolder } from '../../snapshots/blocks.ts'
import { gatherProperties } from '../../recordings/filter/gather-properties.ts'
import { assetFolder } from '../../recordings/assets/asset-key.ts'
import type { Services } from '../../services.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { findRow, findRows, updateRows } from '../../store/schema/rows.ts'
import { insertAsset, insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { createExport, createObject, insertEntry, insertRun } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { continueErasure, newProgress } from '../../privacy/run-erasures.ts'

const of = '/api/projects/:project_id'
/** Names of the person that nothing may contain in the end. */
const names = ['ada@example.com', 'anonymous-ada', 'Lovelace']
const hour = 3_600_000
let service: TestService
let project: number
let token: string

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  project = service.own.project_id
  token = (await findRow(service.services.store, 'projects', { id: project }))?.api_token ?? ''
})
afterAll(() => service.stop())

const ask = (method: string, path: string, body?: object) =>
  service.request(method, `/api/projects/${project}${path}`, body ? { body } : {})

async function capture(batch: object[]) {
  const response = await service.request('POST', '/batch/', { body: { api_key: token, batch }, key: '' })
  expect(response.status, response.text).toBe(200)
}

const event = (distinct_id: string, $session_id: string, properties: object = {}, name = 'viewed') => ({
  event: name,
  distinct_id,
  properties: { $session_id, ...properties },
})

/** Returns the services of a process that dies after its nth statement of a turn. */
function dyingAfter(statements: number): Services {
  const { warehouse } = service.services
  let count = 0
  const command: typeof warehouse.command = async (...given) => {
    await warehouse.command(...given)
    if (count++ === statements) throw new Error('killed')
  }
  return {
    ...service.services,
    logger: { ...service.services.logger, error: () => undefined } as unknown as Services['logger'],
    warehouse: Object.assign(Object.create(warehouse) as typeof warehouse, { command }),
  }
}

/** Erases until the end; each turn is interrupted after some of its statements, and repeated by another process. */
async function finish(id: string) {
  for (let turn = 0; turn < 200; turn += 1) {
    const before = await findRow(service.services.store, 'person_erasures', { id })
    if (before?.finished_at) return before
    for (const statements of [0, 2, 5]) {
      await continueErasure(dyingAfter(statements), newProgress())
      const now = await findRow(service.services.store, 'person_erasures', { id })
      if (now?.step !== before?.step || now?.finished_at) break
    }
    const progress = newProgress()
    await continueErasure(service.services, progress)
    service.clock.advance(1000)
    await continueErasure(service.services, progress)
  }
  throw new Error('the erasure has not finished')
}

/** Counts rows, including those that are only hidden, with a condition on the session or the distinct id. */
async function countIn(table: string, condition: string) {
  const [row] = await service.services.warehouse.query<{ count: number }>(
    `SELECT count() AS count FROM ${table} WHERE team_id = {project: Int64} AND ${condition}`,
    { params: { project }, settings: { apply_deleted_mask: false } },
  )
  return row?.count
}

let ofAda: RecordingRow
let erasure: z.output<typeof PersonErasure>

async function visits() {
  ofAda = await insertRecording(service, { session_id: 'session-ada', distinct_id: 'anonymous-ada' })
  const ofBob = await insertRecording(service, { session_id: 'session-bob', distinct_id: 'bob' })
  for (const recording of [ofAda, ofBob]) {
    await insertBlock(service, recording, 0, [['w', { timestamp: service.clock.now(), type: 4 }]])
    await insertAsset(
      service,
      recording,
      { content: 'shared', content_type: 'text/css' },
      { url: 'https://a.example/s' },
    )
  }
  await insertAsset(
    service,
    ofAda,
    { content: 'own', content_type: 'text/css' },
    { url: 'https://a.example/o' },
  )
  await createObject(service, project, 'recording_notes', {
    session_recording_id: 'session-ada',
    at: 1,
    text: 'Lovelace hesitates',
  })
  await capture([
    event('anonymous-ada', 'session-ada', { plan: 'pro', email: 'ada@example.com' }),
    event(
      'ada@example.com',
      'session-ada',
      { $anon_distinct_id: 'anonymous-ada', $set: { email: 'ada@example.com', surname: 'Lovelace' } },
      '$identify',
    ),
    event('ada@example.com', 'session-ada', { $exception_message: 'Lovelace failed' }, '$exception'),
    event('bob', 'session-bob', { plan: 'pro' }),
  ])
  service.clock.advance(60_000)
  while (await gatherProperties(service.services)) continue
}

/** A run of the hour in which the events arrived, and its entry in the ledger. */
async function exported(input: object) {
  const made = await createExport(service, { name: 'All events', ...input })
  const start = Math.floor((service.clock.now() - 60_000) / hour) * hour
  const window = { data_interval_start: new Date(start), data_interval_end: new Date(start + hour) }
  const write = async () => {
    const started_at = new Date(service.clock.now())
    const run = await insertRun(service, made, { ...window, started_at, finished_at: started_at })
    const object = { key: `events/${run.id}.parquet`, bytes: 1, checksum: 'sha256:a', holds: 'rows' as const }
    await insertEntry(service, run, { objects: [object], written_at: started_at })
  }
  await write()
  return { made, write }
}

test(`POST ${of}/persons/:person_id/erase/ requires the person's name, and deletes the profile at once`, async () => {
  await visits()
  const path = `/persons/${encodeURIComponent('ada@example.com')}/erase/`
  const refused = await ask('POST', path, { confirm: 'bob' })
  expect([refused.status, problemOf(refused).attr]).toEqual([400, 'confirm'])
  await exported({})
  const table = await exported({ name: 'To a table' })
  const hook = await exported({ name: 'To a receiver' })
  const toTable = {
    destination_type: 'Postgres',
    destination_config: { host: 'db', database: 'd', table_name: 'a"b' },
  } as const
  await updateRows(
    service.services.store,
    'batch_exports',
    { id: table.made.id },
    { ...toTable, destination_config: JSON.stringify(toTable.destination_config) as never },
  )
  await table.write()
  const toHook = {
    destination_type: 'Webhook',
    destination_config: JSON.stringify({ url: 'https://hook.example/' }) as never,
  } as const
  await updateRows(service.services.store, 'batch_exports', { id: hook.made.id }, toHook)
  await hook.write()
  await createObject(service, project, 'saved_views', {
    name: 'Her visits',
    query: `distinct_ids=["anonymous-ada"]`,
  })

  const response = await ask('POST', path, { confirm: 'ada@example.com' })
  expect(response.status, response.text).toBe(201)
  erasure = bodyOf(PersonErasure, response)
  expect(erasure).toMatchObject({ step: 'person', finished_at: null, by: 'Own key' })
  expect(await findRows(service.services.store, 'persons', { project_id: project })).toEqual([])
  // A second request does not start another erasure.
  expect((await ask('POST', path, { confirm: 'ada@example.com' })).body).toMatchObject({ id: erasure.id })
})

test('an erasure whose process dies again and again leaves nothing of the person, and all of others', async () => {
  await finish(erasure.id)
  for (const [table, own, others] of [
    ['events', `distinct_id != 'bob'`, `distinct_id = 'bob'`],
    ['persons', `distinct_id != 'bob'`, null],
    ...['console_entries', 'session_entries', 'session_events', 'session_properties', 'event_properties'].map(
      (each) =>
        [
          each,
          `session_id = 'session-ada'`,
          each.endsWith('_entries') ? null : `session_id = 'session-bob'`,
        ] as const,
    ),
    ['property_values', `value = 'ada@example.com'`, `value = 'pro'`],
  ] as const) {
    expect(await countIn(table, own), table).toBe(0)
    if (others !== null) expect(await countIn(table, others), table).toBeGreaterThan(0)
  }
  const { store, objects } = service.services
  const recordings = await findRows(store, 'session_recordings', { project_id: project })
  expect(
    recordings.map(({ session_id, distinct_id, deleted_at }) => [
      session_id,
      distinct_id,
      deleted_at !== null,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['session-ada', '', true],
      ['session-bob', 'bob', false],
    ]),
  )
  expect(await objects.list(blockFolder(project, 'session-ada'))).toEqual([])
  expect(await objects.list(blockFolder(project, 'session-bob'))).toHaveLength(1)
  expect(await objects.list(assetFolder(project))).toHaveLength(1)
  expect(await findRows(store, 'recording_notes', { project_id: project })).toEqual([])
})

test(`GET ${of}/person_erasures/:erasure_id/certificate/ is signed, names nobody, and lists what still holds the person`, async () => {
  const response = await ask('GET', `/person_erasures/${erasure.id}/certificate/`)
  const { certificate, public_key, signature } = bodyOf(ErasureCertificate, response)
  const canonical = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(canonical)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, part]) => [key, canonical(part)]),
          )
        : value
  const given = Object(response.body)
  const text = Buffer.from(JSON.stringify(canonical(given.certificate)))
  expect(verify(null, text, createPublicKey(public_key), Buffer.from(signature, 'base64'))).toBe(true)
  for (const name of names) expect(response.text.replaceAll('anonymous-ada"', '')).not.toContain(name)
  expect(certificate).toMatchObject({
    project,
    counts: { distinct_ids: 2, events: 3, recordings: 1, blocks: 1, assets: 1, notes: 1 },
    rewritten_at: expect.any(String),
    window_count: 3,
    mentions: [{ kind: 'saved_view', name: 'Her visits' }],
    unchecked_exports: [],
  })
  expect(
    certificate.places.map(({ name, holds, statement, windows }) => ({ name, holds, statement, windows })),
  ).toEqual([
    { name: 'All events', holds: 'files', statement: null, windows: { holds: 1 } },
    { name: 'To a receiver', holds: 'requests', statement: null, windows: { holds: 1 } },
    {
      name: 'To a table',
      holds: 'table',
      statement: 'DELETE FROM "public"."a""b" WHERE "distinct_id" IN (:distinct_ids)',
      windows: { holds: 1 },
    },
  ])
  expect(certificate.windows[0]).toMatchObject({ is_certain: true, key_count: 1 })
  const stored = await findRow(service.services.store, 'person_erasures', { id: erasure.id })
  for (const name of names) expect(JSON.stringify(stored)).not.toContain(name)
})

test(`GET ${of}/person_erasures/ and GET ${of}/person_erasures/:erasure_id/windows/ list erasures and windows, newest first`, async () => {
  const list = await ask('GET', '/person_erasures/?limit=1')
  expect(list.body).toMatchObject({ results: [{ id: erasure.id, step: 'done' }] })
  const windows = await ask('GET', `/person_erasures/${erasure.id}/windows/?limit=2`)
  expect(windows.body).toMatchObject({ count: 3, results: [{ state: 'holds' }, { state: 'holds' }] })
})

test(`GET ${of}/person_erasures/:erasure_id/ and the ledger link a window to the erasure until it is exported again`, async () => {
  const [held] = bodyOf(PersonErasureDetails, await ask('GET', `/person_erasures/${erasure.id}/`)).places
  const ledgerOf = async () => {
    const period = '?start=2026-03-04T00:00:00Z&end=2026-03-05T00:00:00Z'
    const ledger = await ask('GET', `/batch_exports/${held?.batch_export}/ledger/${period}`)
    return bodyOf(Ledger, ledger).results.find(({ entry }) => entry)
  }
  expect(await ledgerOf()).toMatchObject({ flags: ['erased'], entry: { erasure: erasure.id } })
  const { store } = service.services
  await updateRows(
    store,
    'batch_export_ledger',
    { batch_export_id: held?.batch_export ?? '' },
    {
      verified_at: new Date(service.clock.now()),
      objects_found: 'intact',
      rows_source: 0,
      rows_read: 1,
      hash_expected: '',
      hash_read: 'a',
    },
  )
  // The erased rows are neither missing at the source nor changed at the destination.
  expect(await ledgerOf()).toMatchObject({ state: 'unverified', flags: ['erased'] })
  const [run] = await findRows(store, 'batch_export_runs', { batch_export_id: held?.batch_export ?? '' })
  if (!run) throw new Error('the export has a run')
  service.clock.advance(1000)
  const started_at = new Date(service.clock.now())
  const { data_interval_start, data_interval_end } = run
  const window = { data_interval_start, data_interval_end, started_at, finished_at: started_at }
  const again = await insertRun(service, { id: run.batch_export_id, team_id: project }, window)
  await insertEntry(service, again, { written_at: started_at })
  expect(await ledgerOf()).toMatchObject({ flags: [], entry: { erasure: null } })
  const { places } = bodyOf(PersonErasureDetails, await ask('GET', `/person_erasures/${erasure.id}/`))
  expect(places[0]).toMatchObject({ name: 'All events', windows: { replaced: 1 }, periods: [] })
})

test('an event that arrives later belongs to a new person', async () => {
  await capture([event('ada@example.com', 'session-new', { $set: { plan: 'free' } }, '$identify')])
  const response = await ask('GET', `/persons/${encodeURIComponent('ada@example.com')}/`)
  expect(response.body).toMatchObject({
    distinct_ids: ['ada@example.com'],
    event_count: 1,
    properties: { plan: 'free' },
  })
})

test(`GET ${of}/persons/:person_id/erase/ counts the recordings that others share, which an erasure keeps on request`, async () => {
  const { store } = service.services
  const own = await insertRecording(service, { session_id: 'of-dora', distinct_id: 'dora' })
  const shared = await insertRecording(service, { session_id: 'of-carl', distinct_id: 'carl' })
  const visit = async (...ids: string[]) => {
    await capture(ids.map((id) => event(id, 'of-carl', { of: id }, '$exception')))
    service.clock.advance(60_000)
    while (await gatherProperties(service.services)) continue
  }
  /** Erases until the rows are hidden. */
  const erased = async (id: string, body: object) => {
    const response = await ask('POST', `/persons/${id}/erase/`, { confirm: id, ...body })
    const erasureId = { id: bodyOf(PersonErasure, response).id }
    for (let turn = 0; turn < 20; turn += 1) {
      const row = await findRow(store, 'person_erasures', erasureId)
      if (row?.step === 'disk') {
        await updateRows(store, 'person_erasures', erasureId, { finished_at: new Date(service.clock.now()) })
        return row
      }
      await continueErasure(service.services, newProgress())
    }
    throw new Error('the rows were not hidden')
  }
  const visible = async (table: string, condition: string) =>
    (await service.services.warehouse.query(`SELECT 1 FROM ${table} WHERE ${condition}`)).length
  const remaining = async () =>
    (await findRows(store, 'session_recordings', { id: [own.id, shared.id], deleted_at: null })).map(
      ({ session_id }) => session_id,
    )
  await capture([event('carl', 'of-dora')])
  await visit('carl', 'dora')
  const { body } = await ask('GET', '/persons/dora/erase/')
  expect(body).toEqual({ recordings: 2, shared_recordings: 2, recordings_of_others: 1 })
  const kept = await erased('dora', { shared_recordings: 'keep' })
  expect(kept).toMatchObject({ keeps_shared: true, kept_session_ids: ['of-carl'] })
  expect(kept.counts).toMatchObject({ events: 1, recordings: 1, shared_recordings: 1, kept_recordings: 1 })
  expect(await remaining()).toEqual(['of-carl'])
  expect(await visible('session_properties', `session_id = 'of-carl' OR value = 'dora'`)).toBe(0)
  expect(await visible('events', `distinct_id = 'carl'`)).toBe(2)

  await visit('dora')
  const both = await erased('dora', {})
  expect(both.counts).toMatchObject({ events: 1, recordings: 1, shared_recordings: 1, kept_recordings: 0 })
  expect(await remaining()).toEqual([])
})
