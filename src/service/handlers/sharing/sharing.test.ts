import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BulkShared, SharingConfiguration } from '../../../contract/recordings/sharing.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

const of = '/api/projects/:project_id/session_recordings'
let service: TestService
let recording: RecordingRow
let path: string

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  recording = await insertRecording(service)
  path = `/api/projects/${service.own.project_id}/session_recordings/${recording.session_id}/sharing/`
})

const stored = () => service.services.store.selectFrom('session_recording_sharing').selectAll()
const get = async () => bodyOf(SharingConfiguration, await service.request('GET', path))
const patch = async (body: object) =>
  bodyOf(SharingConfiguration, await service.request('PATCH', path, { body }))
const refresh = async () => bodyOf(SharingConfiguration, await service.request('POST', `${path}refresh/`))

/** Returns the status of a request with a link. */
const follow = async (token: string) =>
  (await service.request('GET', `/api/shared/${token}/`, { key: '' })).status

test(`GET ${of}/:recording_id/sharing/ returns 200 and stores nothing; enabling sharing keeps the token`, async () => {
  const before = await get()
  expect(before).toEqual({
    created_at: '2026-03-04T10:20:00Z',
    enabled: false,
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    expires_at: null,
    password_required: false,
    views: 0,
    last_viewed_at: null,
    start: null,
    end: null,
    shows: 'all',
    masks: [],
  })
  expect(await stored().where('recording_id', '=', recording.id).execute()).toEqual([])
  expect(await follow(before.access_token)).toBe(403)
  const enabled = await patch({ enabled: true })
  expect(enabled).toEqual({ ...before, enabled: true, created_at: '2026-03-04T10:30:00Z' })
  expect(await get()).toEqual(enabled)
  expect(await follow(enabled.access_token)).toBe(200)
})

test(`PATCH ${of}/bulk_sharing/ returns 200 with the links it has changed, in the order of the request`, async () => {
  const others = [await insertRecording(service), await insertRecording(service)]
  const ids = [others[1], recording, others[0]].map((one) => one?.session_id ?? '')
  const url = `/api/projects/${service.own.project_id}/session_recordings/bulk_sharing/`
  const share = async (body: object) => {
    const response = await service.request('PATCH', url, { body: { ids, ...body } })
    expect(response.status, response.text).toBe(200)
    return bodyOf(BulkShared, response).results
  }
  const known = await patch({ enabled: true })
  const elsewhere = await service.request('PATCH', url.replace(/\d+/, `${service.secondProjectId}`), {
    body: { ids, enabled: false },
  })
  expect(elsewhere.body).toEqual({ results: [] })
  const shared = await share({ enabled: true })
  expect(shared.map(({ id, enabled, shows }) => [id, enabled, shows])).toEqual([
    [ids[0], true, 'picture'],
    [ids[1], true, 'all'],
    [ids[2], true, 'picture'],
  ])
  expect(shared[1]?.access_token).toBe(known.access_token)
  await patch({ enabled: false })
  const stopped = await share({ enabled: false })
  expect(stopped.map(({ id, enabled }) => [id, enabled])).toEqual([
    [ids[0], false],
    [ids[2], false],
  ])
  for (const { access_token: token } of stopped) expect(await follow(token)).toBe(403)
  expect(await share({ enabled: false })).toEqual([])
  const restored = await share({ ids: [ids[0], 'unknown'], enabled: true, keep_token: true })
  expect(restored.map(({ id, access_token: token }) => [id, token])).toEqual([
    [ids[0], shared[0]?.access_token],
  ])
  expect(await follow(restored[0]?.access_token ?? '')).toBe(200)
})

test(`PATCH ${of}/:recording_id/sharing/ creates another link after disabling and enabling`, async () => {
  const first = await patch({ enabled: true })
  await patch({ enabled: true })
  expect((await get()).access_token).toBe(first.access_token)
  const off = await patch({ enabled: false })
  expect(await patch({ enabled: false })).toEqual(off)
  const second = await patch({ enabled: true })
  expect(second.access_token).not.toBe(first.access_token)
  expect([await follow(first.access_token), await follow(second.access_token)]).toEqual([403, 200])
})

test('with keep_token, a disabled link works again with its token and its views', async () => {
  const first = await patch({ enabled: true })
  await follow(first.access_token)
  await patch({ enabled: false })
  expect(await follow(first.access_token)).toBe(403)
  const restored = await patch({ enabled: true, keep_token: true })
  expect(restored).toMatchObject({ access_token: first.access_token, views: 1 })
  expect(await follow(first.access_token)).toBe(200)
  await patch({ enabled: false })
  expect((await patch({ enabled: true })).views).toBe(0)
})

test(`POST ${of}/:recording_id/sharing/refresh/ creates a new link, and the old one stops working`, async () => {
  const first = await patch({ enabled: true, password: 'open sesame' })
  const second = await refresh()
  expect(second).toEqual({ ...first, access_token: expect.any(String) })
  expect(second.access_token).not.toBe(first.access_token)
  const untouched = await insertRecording(service)
  path = path.replace(recording.session_id, untouched.session_id)
  expect((await refresh()).enabled).toBe(false)
})

test('an expiry must be in the future, and null removes it', async () => {
  for (const expires_at of ['2026-03-04T10:30:00Z', '2020-01-01', 'soon', 7]) {
    const response = await service.request('PATCH', path, { body: { enabled: true, expires_at } })
    expect([response.status, problemOf(response).attr]).toEqual([400, 'expires_at'])
  }
  expect((await get()).enabled).toBe(false)
  const limited = await patch({ enabled: true, expires_at: '2026-03-05T10:30:00+02:00' })
  expect(limited.expires_at).toBe('2026-03-05T08:30:00Z')
  expect((await patch({ expires_at: null })).expires_at).toBeNull()
})

test('a password is never shown, stored as a hash, and removed by "" or null', async () => {
  const response = await service.request('PATCH', path, { body: { enabled: true, password: ' hunter2 ' } })
  expect(bodyOf(SharingConfiguration, response).password_required).toBe(true)
  expect(response.text).not.toContain('hunter2')
  const row = await stored().where('recording_id', '=', recording.id).executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain('hunter2')
  expect(Buffer.from(row.password_hash ?? '', 'base64')).toHaveLength(48)
  expect((await patch({ enabled: true })).password_required).toBe(true)
  for (const password of ['', null]) {
    await patch({ password: 'again' })
    expect((await patch({ password })).password_required).toBe(false)
  }
})

test('the token itself is not in the store', async () => {
  const { access_token } = await patch({ enabled: true })
  const rows = await stored().execute()
  expect(JSON.stringify(rows)).not.toContain(access_token)
})

test('twenty simultaneous changes leave one link', async () => {
  await Promise.all(Array.from({ length: 20 }, () => patch({ enabled: true })))
  expect(await follow((await get()).access_token)).toBe(200)
})
