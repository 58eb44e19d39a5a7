import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { offsetPage } from '../../../contract/page.ts'
import { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { RecordingLink, SharingConfiguration } from '../../../contract/recordings/sharing.ts'
import { insertLink } from '../../testing/test-recordings.ts'
import { bodyOf, problemOf } from '../../testing/test-service.ts'
import {
  service,
  recording,
  path,
  openLinks,
  createRecording,
  create,
  ask,
} from '../../testing/recordings/test-recording-links.ts'

const of = '/api/projects/:project_id/session_recordings/:recording_id/links/'

beforeAll(openLinks)
afterAll(() => service.stop())
beforeEach(() => createRecording())

const change = async (id: string, body: object) =>
  bodyOf(RecordingLink, await service.request('PATCH', `${path}links/${id}/`, { body }))
const list = async (search = '') =>
  bodyOf(offsetPage(RecordingLink), await service.request('GET', `${path}links/${search}`))
const follow = async (token: string) => (await ask(`/api/shared/${token}/`)).status

test(`POST ${of} returns 201 with a link that shows the picture alone`, async () => {
  const link = await create({ label: 'For the shop team' })
  expect(link).toEqual({
    id: expect.any(String),
    created_at: '2026-03-04T10:30:00Z',
    enabled: true,
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    expires_at: null,
    password_required: false,
    views: 0,
    last_viewed_at: null,
    start: null,
    end: null,
    shows: 'picture',
    masks: [],
    label: 'For the shop team',
    highlights: null,
  })
  expect(await follow(link.access_token)).toBe(200)
})

test(`GET ${of} returns 200 with the links but the default one, in pages, with their views`, async () => {
  await service.request('PATCH', `${path}sharing/`, { body: { enabled: true } })
  const first = await create({})
  const second = await create({ highlights: 30 })
  await follow(second.access_token)
  const page = await list()
  expect(page).toMatchObject({ count: 2, next: null, previous: null })
  expect(page.results).toEqual(
    expect.arrayContaining([first, { ...second, views: 1, last_viewed_at: '2026-03-04T10:30:00Z' }]),
  )
  expect((await list('?limit=1')).next).toContain('offset=1')
})

test(`PATCH ${of}:link_id/ revokes a link at once, and restores the same link`, async () => {
  const { id, access_token } = await create({})
  expect((await change(id, { enabled: false })).enabled).toBe(false)
  expect(problemOf(await ask(`/api/shared/${access_token}/`)).code).toBe('link_revoked')
  service.clock.advance(60_000)
  await change(id, { enabled: false })
  expect(problemOf(await ask(`/api/shared/${access_token}/`)).ended_at).toBe('2026-03-04T10:30:00Z')
  service.clock.set('2026-03-04T10:30:00Z')
  expect((await change(id, { enabled: true })).access_token).toBe(access_token)
  expect(await follow(access_token)).toBe(200)
})

test(`DELETE ${of}:link_id/ returns 204, and the link stops working`, async () => {
  const { id, access_token } = await create({})
  expect((await service.request('DELETE', `${path}links/${id}/`)).status).toBe(204)
  expect(await follow(access_token)).toBe(403)
  expect((await list()).count).toBe(0)
})

test.each([
  [{ start: 30, end: 20 }, 'end'],
  [{ start: 61 }, 'start'],
  [{ end: 0 }, 'end'],
  [{ start: -1 }, 'start'],
  [{ masks: [{ kind: 'selector', selector: 'p:hover' }] }, 'masks__0__selector'],
  [{ masks: [{ kind: 'selector', selector: '[[' }] }, 'masks__0__selector'],
  [{ masks: [{ kind: 'selector', selector: 'a b c d e f g' }] }, 'masks__0__selector'],
  [{ expires_at: '2026-03-04T10:30:00Z' }, 'expires_at'],
  [{ highlights: 20 }, 'highlights'],
  [{ colour: 'red' }, 'colour'],
])('a link with %j is refused', async (body, attr) => {
  const response = await service.request('POST', `${path}links/`, { body })
  expect([response.status, problemOf(response).attr]).toEqual([400, attr])
})

test('a recording has at most 100 links besides the default one', async () => {
  await Promise.all(Array.from({ length: 100 }, () => insertLink(service, { recording_id: recording.id })))
  expect((await service.request('POST', `${path}links/`, { body: {} })).status).toBe(409)
})

test('SessionRecording says whether a link opens the recording', async () => {
  const isShared = async () => bodyOf(SessionRecording, await service.request('GET', path)).shared
  expect(await isShared()).toBe(false)
  const { id } = await create({ expires_at: '2026-03-05T10:30:00Z' })
  expect(await isShared()).toBe(true)
  await change(id, { enabled: false })
  expect(await isShared()).toBe(false)
  bodyOf(SharingConfiguration, await service.request('PATCH', `${path}sharing/`, { body: { enabled: true } }))
  expect(await isShared()).toBe(true)
})
