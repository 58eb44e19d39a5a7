import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SharingConfiguration } from '../../../contract/recordings/sharing.ts'
import { sharingPasswordHeader } from '../../../contract/recordings/sharing-header.ts'
import { throttled } from '../../auth/rate-limit.ts'
import { followLink } from '../../recordings/sharing/sharing-link.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { insertEvents } from '../../testing/test-sessions.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

let service: TestService
let recording: RecordingRow
let token: string

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  recording = await insertRecording(service, { dropped_events: 3 })
  await insertBlock(service, recording, 0, [['window', { timestamp: Date.parse('2026-03-04T10:20:00Z') }]])
  token = (await share({ enabled: true })).access_token
})

const pathOf = ({ session_id } = recording) =>
  `/api/projects/${service.own.project_id}/session_recordings/${session_id}/`

async function share(body: object): Promise<Sharing> {
  return bodyOf(SharingConfiguration, await service.request('PATCH', `${pathOf()}sharing/`, { body }))
}
type Sharing = ReturnType<typeof SharingConfiguration.parse>

/** Sends a request without a key, optionally with a password. */
function ask(path: string, password?: string, method = 'GET') {
  const headers = password === undefined ? {} : { 'x-sharing-password': password }
  return service.request(method, path, { key: '', headers })
}
const open = (password?: string) => ask(`/api/shared/${token}/`, password)

const shared = () => ({
  id: recording.session_id,
  recording_duration: 60,
  start_time: '2026-03-04T10:20:00Z',
  end_time: '2026-03-04T10:21:00Z',
  dropped_events: 3,
})

test('GET /api/shared/:access_token/ returns 200 with the shared recording, and counts a view', async () => {
  const response = await open()
  expect(response.status).toBe(200)
  const { project_id: team_id } = service.own
  expect(response.body).toEqual({ ...shared(), team_id, shows: 'all', highlights: null, acted_at: [] })
  await open()
  expect((await share({})).views).toBe(2)
})

test('a link reveals when the visitor acted, and nothing else of the captured events', async () => {
  const of = { session_id: recording.session_id }
  const at = (second: number) => ({ ...of, timestamp: `2026-03-04T10:20:0${second}.500Z` })
  await insertEvents(service, [
    { ...at(3), event: '$autocapture' },
    { ...at(1), event: '$pageview', properties: { $current_url: 'https://shop.example/secret' } },
    { ...at(2), event: 'order placed' },
    { ...at(4), event: '$pageview', team_id: service.secondProjectId },
  ])
  const response = await open()
  expect(response.body).toMatchObject({
    acted_at: ['2026-03-04T10:20:01.500Z', '2026-03-04T10:20:03.500Z'].map((time) => Date.parse(time)),
  })
  expect(response.text).not.toMatch(/secret|placed/)
})

test('the token instead of a key opens the recording and its snapshots, with limited fields', async () => {
  const response = await ask(`${pathOf()}?sharing_access_token=${token}`)
  expect([response.status, response.body]).toEqual([200, shared()])
  const search = `?source=blob_v2&start_blob_key=0&end_blob_key=0&sharing_access_token=${token}`
  expect((await ask(`${pathOf()}snapshots/${search}`)).text).toMatch(/^\["window",/)
  const sources = await ask(`${pathOf()}snapshots/?sharing_access_token=${token}`)
  expect(sources.body).toMatchObject({ sources: [{ blob_key: '0' }] })
  expect((await share({})).views).toBe(0)
})

test('the token opens nothing else', async () => {
  const search = `?sharing_access_token=${token}`
  const closed = [
    ['GET', `${pathOf()}sharing/`],
    ['GET', `${pathOf()}events/`],
    ['POST', `${pathOf()}persist/`],
    ['DELETE', pathOf()],
    ['PATCH', pathOf()],
    ['GET', `/api/projects/${service.own.project_id}/session_recordings/`],
    ['GET', '/api/users/@me/'],
  ] as const
  for (const [method, path] of closed)
    expect((await ask(`${path}${search}`, undefined, method)).status, `${method} ${path}`).toBe(401)
  const other = await insertRecording(service)
  const elsewhere = pathOf().replace(/projects\/\d+/, `projects/${service.secondProjectId}`)
  for (const path of [pathOf(other), elsewhere, `${pathOf()}x/`.replace('/x/', 'x/')])
    expect((await ask(`${path}${search}`)).status, path).toBe(403)
  const withKey = await service.request('GET', `${pathOf(other)}${search}`)
  expect([withKey.status, withKey.body]).toEqual([200, expect.objectContaining({ distinct_id: 'visitor' })])
})

test('a link says when it was revoked or expired; one that never worked is like an unknown one', async () => {
  const ends = async () => {
    const { code, ended_at } = problemOf(await open())
    const page = await service.server.inject({ url: `/shared/${token}` })
    return [code, ended_at, page.statusCode]
  }
  await share({ expires_at: '2026-03-04T10:31:00Z', password: 'lamp' })
  service.clock.set('2026-03-04T10:32:00Z')
  expect(await ends()).toEqual(['link_expired', '2026-03-04T10:31:00Z', 404])
  await share({ enabled: false })
  expect(await ends()).toEqual(['link_revoked', '2026-03-04T10:32:00Z', 404])
  await share({ enabled: true })
  expect(await ends()).toEqual(['permission_denied', undefined, 404])
  recording = await insertRecording(service)
  token = (await share({ password: 'lamp' })).access_token
  expect(await ends()).toEqual(['permission_denied', undefined, 404])
  service.clock.set('2026-03-04T10:30:00Z')
})

test.each([
  ['that was replaced', () => service.request('POST', `${pathOf()}sharing/refresh/`)],
  ['to a deleted recording', () => service.request('DELETE', pathOf())],
  ['that does not exist', async () => (token = '\u0000%')],
])('a link %s: 403', async (_, close) => {
  await close()
  const given = encodeURIComponent(token)
  for (const path of [`/api/shared/${given}/`, `${pathOf()}?sharing_access_token=${given}`]) {
    const response = await ask(path)
    expect(response.status).toBe(403)
    expect(problemOf(response)).toMatchObject({ type: 'authentication_error', code: 'permission_denied' })
  }
})

test('a link works until it expires', async () => {
  await share({ expires_at: '2026-03-04T10:31:00Z' })
  expect((await open()).status).toBe(200)
  service.clock.set('2026-03-04T10:31:00Z')
  expect((await open()).status).toBe(403)
  service.clock.set('2026-03-04T10:30:00Z')
})

test('requires the password everywhere, accepts any script, and counts only views with it', async () => {
  await share({ password: 'пароль ✓ 100%' })
  const bytes = Buffer.from('пароль ✓ 100%').toString('latin1')
  const snapshots = `${pathOf()}snapshots/?sharing_access_token=${token}`
  for (const path of [`/api/shared/${token}/`, `${pathOf()}?sharing_access_token=${token}`, snapshots]) {
    expect([(await ask(path)).status, problemOf(await ask(path)).code]).toEqual([403, 'password_required'])
    const wrong = await ask(path, 'wrong')
    expect([wrong.status, problemOf(wrong).code]).toEqual([403, 'password_incorrect'])
    expect((await ask(path, bytes)).status).toBe(200)
  }
  expect((await share({})).views).toBe(1)
  await share({ password: 'für' })
  expect((await open('für')).status).toBe(200)
})

test('the limit of requests comes before the check of a password, which takes a lot of CPU time', async () => {
  await share({ password: 'right' })
  const limits = {
    attempts: { begin: () => {}, succeeded: () => {} },
    rateLimit: {
      count: () => {
        throw throttled(9)
      },
      assertFewFailures: () => undefined,
      countFailure: () => undefined,
      wrongKey: () => {},
      passkeyRequest: () => {},
    },
  }
  const given = { token, password: 'wrong', address: '127.0.0.1' }
  await expect(followLink(service.services, limits, given)).rejects.toMatchObject({
    details: { status: 429 },
  })
})

test('ten wrong passwords block a link for their address for a minute, but not for others, nor other links', async () => {
  await share({ password: 'right' })
  const wrong = await Promise.all(Array.from({ length: 12 }, () => open('wrong')))
  const statuses = wrong.map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429, 429])
  const refused = await open('right')
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
  expect(problemOf(refused).code).toBe('throttled')
  const elsewhere = await service.server.inject({
    url: `/api/shared/${token}/`,
    remoteAddress: '127.0.0.2',
    headers: { [sharingPasswordHeader]: 'right' },
  })
  expect(elsewhere.statusCode).toBe(200)
  const blocked = token
  recording = await insertRecording(service)
  token = (await share({ enabled: true, password: 'right' })).access_token
  for (let count = 0; count < 12; count++) expect((await open('right')).status).toBe(200)
  service.clock.advance(60_000)
  expect((await ask(`/api/shared/${blocked}/`, 'right')).status).toBe(200)
})
