import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { offsetPage } from '../../../contract/page.ts'
import { RecordingNote } from '../../../contract/recordings/recording-note.ts'
import { StoredSummary } from '../../../contract/recordings/recording-summary.ts'
import { EventType, IncrementalSource, MouseInteractions } from '../../../replay/recorded/rrweb.ts'
import { RecordingEvents, SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { importRecording } from '../../recordings/transfer/import-recording.ts'
import { firstOwner } from '../../store/accounts/users.ts'
import { withSeal } from '../../recordings/transfer/seal.ts'
import { start as recordedStart, recorded, snapshotItem } from '../../testing/test-replay.ts'
import { insertAsset } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const png = { content: Buffer.from('\x89PNG\r\n\x1a\n lamp', 'latin1'), content_type: 'image/png' }
const css = { content: 'p { background: url(lamp.png) }', content_type: 'text/css; charset=utf-8' }

let service: TestService
/** A captured session of the first project, and its file. */
let session: string
let file: Buffer
beforeAll(async () => {
  service = await createTestService({ now: new Date(recordedStart + 60_000).toISOString() })
})
afterAll(() => service.stop())
beforeEach(async () => {
  session = crypto.randomUUID()
  file = await capturedFile()
})

const place = (project: number | '@current' = '@current') => `/api/projects/${project}/session_recordings/`
const notesOf = (project: number | '@current') => `/api/projects/${project}/recording_notes/`

/** Captures two blocks of a session in two windows, with an event and its person, files and a summary. */
async function capturedFile(): Promise<Buffer> {
  const { store } = service.services
  const { api_token } = await store
    .selectFrom('projects')
    .select('api_token')
    .where('id', '=', service.own.project_id)
    .executeTakeFirstOrThrow()
  const capture = async (batch: unknown[]) => {
    const response = await service.request('POST', '/batch/', { body: { api_key: api_token, batch } })
    expect(response.status).toBe(200)
  }
  const page = { ...recorded.page(100, 'https://shop.example/lamps'), type: EventType.Meta }
  await capture([
    {
      event: 'order placed',
      uuid: crypto.randomUUID(),
      distinct_id: session,
      timestamp: new Date(recordedStart + 900).toISOString(),
      properties: { $session_id: session, price: 12, $set: { email: 'ada@shop.example' } },
    },
    snapshotItem(session, {
      windowId: 'w1',
      distinctId: session,
      events: [page, recorded.log(300, 'error', 'No lamp')],
    }),
    snapshotItem(session, {
      windowId: 'w2',
      distinctId: session,
      events: [
        recorded.interaction(300, MouseInteractions.Click),
        recorded.source(800, IncrementalSource.Input),
      ],
    }),
  ])
  await capture([
    snapshotItem(session, { windowId: 'w1', distinctId: session, events: [recorded.log(2000, 'log', 'Ä')] }),
  ])
  const row = await store
    .selectFrom('session_recordings')
    .selectAll()
    .where('session_id', '=', session)
    .executeTakeFirstOrThrow()
  await insertAsset(service, row, png, { url: 'https://cdn.example/lamp.png' })
  await insertAsset(service, row, css, { url: 'https://cdn.example/shop.css', is_stylesheet: true })
  await insertAsset(service, row, png, {
    url: 'https://gone.example/x.png',
    hash: null,
    reason: 'The host is unknown.',
  })
  service.clock.advance(10 * 60_000)
  expect((await service.request('GET', `${place()}${session}/summary/`)).status).toBe(200)
  const note = { session_recording_id: session, at: 0.3, text: 'The lamp fails here.' }
  expect((await service.request('POST', notesOf('@current'), { body: note })).status).toBe(201)
  const response = await service.server.inject({
    url: `${place()}${session}/file/`,
    headers: { authorization: `Bearer ${service.own.api_key}` },
  })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/zstd'])
  return response.rawPayload
}

const send = (raw: Buffer, { project = service.secondProjectId, search = '' } = {}) =>
  service.request('POST', `${place(project)}import/${search}`, {
    raw,
    headers: { 'content-type': 'application/zstd' },
  })

/** What a project shows of a session, without the paths and times of the installation. */
async function shown(project: number, id: string) {
  const get = (path: string) => service.request('GET', `${place(project)}${id}/${path}`)
  const {
    person,
    shared: _shared,
    facts: _facts,
    storage: _storage,
    ...numbers
  } = bodyOf(SessionRecording, await get(''))
  const { results, missing } = bodyOf(RecordedAssets, await get('assets/'))
  const { summary, content } = bodyOf(StoredSummary, await get('summary/'))
  const notes = await service.request('GET', `${notesOf(project)}?session_recording_id=${id}`)
  const { results: events } = bodyOf(RecordingEvents, await get('events/'))
  const { block_count } = await service.services.store
    .selectFrom('session_recordings')
    .select('block_count')
    .where('session_id', '=', id)
    .where('project_id', '=', project)
    .executeTakeFirstOrThrow()
  const snapshots = await get(`snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=${block_count - 1}`)
  const files = results.map(async ({ path, ...asset }) => ({
    ...asset,
    content: path === null ? null : (await service.server.inject({ url: path })).rawPayload.length,
  }))
  return {
    numbers: { ...numbers, id: '' },
    name: person.name,
    files: await Promise.all(files),
    missing,
    summary,
    content,
    notes: bodyOf(offsetPage(RecordingNote), notes).results.map((note) => ({
      ...note,
      id: '',
      session_recording_id: '',
    })),
    events,
    snapshots: snapshots.text,
  }
}

function consoleOf(project: number, id: string) {
  return service.services.warehouse.query(
    `SELECT level, message, window_id, toString(timestamp) AS time FROM console_entries FINAL
      WHERE team_id = {project: Int64} AND session_id = {id: String} ORDER BY time, message`,
    { params: { project, id } },
  )
}

test('GET /api/projects/:project_id/session_recordings/:recording_id/file/ returns 200 with JSON lines, compressed with zstd', async () => {
  const lines = zstdDecompressSync(file.subarray(0, -40)).toString().trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).part ?? 'snapshot')).toEqual([
    'recording',
    'block',
    ...Array.from({ length: 4 }, () => 'snapshot'),
    'block',
    'snapshot',
    'event',
    ...Array.from({ length: 3 }, () => 'asset'),
    'summary',
    'note',
  ])
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    version: 1,
    session_id: session,
    numbers: { click_count: 1 },
  })
})

test('POST /api/projects/:project_id/session_recordings/import/ returns 201, and the other project shows the same', async () => {
  const response = await send(file)
  expect(response.status, response.text).toBe(201)
  expect(bodyOf(SessionRecording, response)).toMatchObject({
    id: session,
    storage: 'object_storage_lts',
    ongoing: false,
  })
  const own = service.own.project_id
  expect(await shown(service.secondProjectId, session)).toEqual(await shown(own, session))
  expect(await consoleOf(service.secondProjectId, session)).toEqual(await consoleOf(own, session))
})

test('a session that the project has or had is refused, unless it is imported as a copy', async () => {
  const project = service.own.project_id
  const before = await shown(project, session)
  expect(problemOf(await send(file, { project }))).toMatchObject({
    code: 'conflict',
    detail: expect.stringMatching(/as_copy=true/),
  })
  const response = await send(file, { project, search: '?as_copy=true' })
  const { id } = bodyOf(SessionRecording, response)
  expect([response.status, id === session]).toEqual([201, false])
  const copied = await shown(project, id)
  const unlinked = (events: typeof before.events) =>
    events.map(({ uuid: _uuid, properties: { $session_id: _id, ...properties }, ...event }) => ({
      ...event,
      properties,
    }))
  expect({ ...copied, events: unlinked(copied.events) }).toEqual({
    ...before,
    events: unlinked(before.events),
  })
  expect(await shown(project, session)).toEqual(before)
  await service.request('DELETE', `${place(project)}${session}/`)
  expect((await send(file, { project })).status).toBe(409)
})

test('nothing of a recording is visible before its file has been read completely', async () => {
  const seen: unknown[] = []
  async function* body() {
    yield file.subarray(0, -1)
    const list = await service.request('GET', place(service.secondProjectId))
    seen.push(
      (await left()).rows,
      list.text.includes(session),
      await consoleOf(service.secondProjectId, session),
    )
    yield file.subarray(-1)
  }
  const user = await firstOwner(service.services.store, service.own.organization_id)
  await importRecording(service.services, {
    projectId: service.secondProjectId,
    userId: user?.user_id ?? '',
    body: body(),
    asCopy: false,
  })
  expect([...seen, (await left()).rows]).toEqual([0, false, [], 1])
})

test('two imports of a file at once make one recording', async () => {
  const responses = await Promise.all([send(file), send(file)])
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409])
  await shown(service.secondProjectId, session)
})

async function sealed(text: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(withSeal([zstdCompressSync(text)].values() as never)))
}

/** Returns the number of rows and objects that the second project has of the session. */
async function left(): Promise<{ rows: number; unnamed: number }> {
  const { store, objects } = service.services
  const rows = await store
    .selectFrom('session_recordings')
    .select('id')
    .where('project_id', '=', service.secondProjectId)
    .where('session_id', '=', session)
    .execute()
  const blocks = await objects.list(`recordings/${service.secondProjectId}/`)
  const known = await store
    .selectFrom('session_recording_blocks')
    .select('object_key')
    .where('object_key', 'in', ['', ...blocks])
    .execute()
  return { rows: rows.length, unnamed: blocks.length - known.length }
}

test('a changed or cut file is refused with 400, and nothing of it remains', async () => {
  const at = fc.nat({ max: file.length - 1 })
  const damage = fc.oneof(
    at.map((end) => file.subarray(0, end)),
    fc.tuple(at, fc.integer({ min: 1, max: 255 })).map(([index, bits]) => {
      const changed = Buffer.from(file)
      changed.writeUInt8(changed.readUInt8(index) ^ bits, index)
      return changed
    }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.concat([file, bytes, Buffer.from('x')])),
  )
  const property = fc.asyncProperty(damage, async (damaged) => {
    const response = await send(damaged)
    expect([response.status, problemOf(response).code]).toEqual([400, 'invalid_input'])
  })
  await fc.assert(property, { numRuns: 60 })
  expect(await left()).toEqual({ rows: 0, unnamed: 0 })
})

test('a file with hostile lines is refused with 4xx, and nothing of it remains', async () => {
  const lines = zstdDecompressSync(file.subarray(0, -40)).toString().trimEnd().split('\n')
  const hostile = fc.oneof(
    fc.constantFrom(
      '[]',
      '["w",{"type":3,"timestamp":1e30,"data":{}}]',
      '["w",null]',
      '{"part":"block"}',
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      `["w",{"type":3,"timestamp":1767608430400,"data":${'['.repeat(2000)}${']'.repeat(2000)}}]`,
      lines[0] ?? '',
    ),
    fc
      .record({
        part: fc.constantFrom('recording', 'event', 'asset', 'summary', '__proto__'),
        url: fc.webUrl(),
      })
      .map((part) => JSON.stringify(part)),
    fc.json(),
    fc.string({ unit: 'binary' }),
  )
  const property = fc.asyncProperty(fc.nat({ max: lines.length - 1 }), hostile, async (index, line) => {
    const response = await send(await sealed(`${lines.with(index, line).join('\n')}\n`))
    expect(response.status, response.text).toBeLessThan(500)
    if (response.status >= 400) return void problemOf(response)
    await service.request('DELETE', `${place(service.secondProjectId)}${session}/`)
    await service.services.store
      .deleteFrom('session_recordings')
      .where('session_id', '=', session)
      .where('project_id', '=', service.secondProjectId)
      .execute()
  })
  await fc.assert(property, { numRuns: 60 })
  expect(await left()).toEqual({ rows: 0, unnamed: 0 })
})

test('the parts of a file may not name addresses, files or sessions that capture would refuse', async () => {
  const lines = zstdDecompressSync(file.subarray(0, -40)).toString().trimEnd().split('\n')
  const changed = async (part: string, change: object) => {
    const index = lines.findIndex((line) => JSON.parse(line).part === part)
    const line = JSON.stringify({ ...JSON.parse(lines[index] ?? ''), ...change })
    const response = await send(await sealed(`${lines.with(index, line).join('\n')}\n`))
    return [response.status, problemOf(response).detail]
  }
  expect(await changed('recording', { version: 2 })).toEqual([400, expect.stringMatching(/version/)])
  expect(await changed('recording', { session_id: '../x' })).toEqual([400, expect.any(String)])
  expect(await changed('asset', { url: 'file:///etc/passwd' })).toEqual([
    400,
    expect.stringMatching(/address/),
  ])
  expect(await changed('asset', { content: Buffer.from('<script>').toString('base64') })).toEqual([
    400,
    expect.stringMatching(/image/),
  ])
  expect(
    await changed('asset', { content: Buffer.alloc(5_000_001, png.content).toString('base64') }),
  ).toEqual([413, expect.stringMatching(/too large/)])
  expect(await changed('event', { event: '$snapshot' })).toEqual([400, expect.any(String)])
})
