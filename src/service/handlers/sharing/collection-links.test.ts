import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { offsetPage } from '../../../contract/page.ts'
import { consolePlugin, EventType } from '../../../replay/recorded/rrweb.ts'
import { sharedRecordingsMax } from '../../../contract/recordings/recording-rules.ts'
import { CollectionLink, OpenedCollection, OpenedLink } from '../../../contract/recordings/sharing.ts'
import { RecordingCollection } from '../../../contract/recordings/recording-collection.ts'
import { stripBits, stripLength } from '../../../contract/recordings/recording-facts.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { storeFacts } from '../../store/recordings/recording-facts.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { createObject } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { factsFrom, page } from '../../testing/test-session.ts'

const of = '/api/projects/:project_id/session_recording_playlists/:collection_id/links/'
const collections = '/api/projects/@current/session_recording_playlists/'
let service: TestService
let collection: string
let path: string

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  const body = { name: 'Test' }
  collection = await createObject(service, service.own.project_id, 'session_recording_playlists', body)
  path = `${collections}${collection}/links/`
})

const create = async (body: object = {}) =>
  bodyOf(CollectionLink, await service.request('POST', path, { body }))
const change = async (id: string, body: object) =>
  bodyOf(CollectionLink, await service.request('PATCH', `${path}${id}/`, { body }))
const ask = (url: string, password?: string) =>
  service.request('GET', url, { key: '', headers: password ? { 'x-sharing-password': password } : {} })
const open = async ({ access_token }: Token, password?: string) =>
  bodyOf(OpenedCollection, await ask(`/api/shared/${access_token}/`, password))
const openRecording = ({ access_token }: Token, { session_id }: Session) =>
  ask(`/api/shared/${access_token}/recordings/${session_id}/`)
const partOf = ({ access_token }: Token, { session_id, project_id }: Session, part: string) =>
  ask(
    `/api/projects/${project_id}/session_recordings/${session_id}/${part}${part.includes('?') ? '&' : '?'}sharing_access_token=${access_token}`,
  )
type Token = { access_token: string }
type Session = Pick<RecordingRow, 'session_id' | 'project_id'>

/** Inserts a recording that is in the collection. */
async function collected(values: Parameters<typeof insertRecording>[1] = {}): Promise<RecordingRow> {
  const row = await insertRecording(service, values)
  const body = { ids: [row.session_id] }
  expect((await service.request('POST', `${collections}${collection}/recordings/`, { body })).status).toBe(
    200,
  )
  return row
}

test(`POST ${of} returns 201 with a link that shows the picture alone, without names`, async () => {
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
    shows: 'picture',
    masks: [],
    label: 'For the shop team',
    names: false,
  })
})

test(`GET ${of} lists the links with their views, PATCH ${of}:link_id/ revokes and restores one, DELETE ${of}:link_id/ ends it`, async () => {
  const { id, access_token } = await create()
  await open({ access_token })
  const { results } = bodyOf(offsetPage(CollectionLink), await service.request('GET', path))
  expect(results).toMatchObject([{ id, views: 1, last_viewed_at: '2026-03-04T10:30:00Z' }])
  const codeOf = async () => problemOf(await ask(`/api/shared/${access_token}/`)).code
  await change(id, { enabled: false })
  expect(await codeOf()).toBe('link_revoked')
  await change(id, { enabled: true, label: 'Again' })
  expect((await open({ access_token })).results).toEqual([])
  expect((await service.request('DELETE', `${path}${id}/`)).status).toBe(204)
  expect(await codeOf()).toBe('permission_denied')
})

test('links need the scopes of sharing, and end with their collection', async () => {
  const key = await service.newKey({ scopes: ['session_recording:write', 'sharing_configuration:read'] })
  expect((await service.request('POST', path, { key, body: {} })).status).toBe(403)
  const link = await create()
  await service.request('DELETE', `${collections}${collection}/`)
  expect(problemOf(await ask(`/api/shared/${link.access_token}/`)).code).toBe('permission_denied')
})

test.each([
  [{ start: 3 }, 'start'],
  [{ shows: 'all of it' }, 'shows'],
  [{ masks: [{ kind: 'selector', selector: '[[' }] }, 'masks__0__selector'],
  [{ expires_at: '2026-03-04T10:30:00Z' }, 'expires_at'],
])('a link with %j is refused', async (body, attr) => {
  const response = await service.request('POST', path, { body })
  expect([response.status, problemOf(response).attr]).toEqual([400, attr])
})

test('GET /api/shared/:access_token/recordings/:recording_id/ opens a recording of the collection, as do its snapshots', async () => {
  const row = await collected()
  await insertBlock(service, row, 0, [
    ['window', { type: EventType.Meta, timestamp: Date.parse('2026-03-04T10:20:00Z'), data: {} }],
    [
      'window',
      {
        type: EventType.Plugin,
        timestamp: Date.parse('2026-03-04T10:20:01Z'),
        data: { plugin: consolePlugin },
      },
    ],
  ])
  const link = await create()
  const opened = bodyOf(OpenedLink, await openRecording(link, row))
  expect(opened).toMatchObject({ id: row.session_id, team_id: row.project_id, shows: 'picture' })
  expect((await partOf(link, row, 'snapshots/')).body).toMatchObject({ sources: [{ blob_key: '0' }] })
  const lines = await partOf(link, row, 'snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=0')
  expect(lines.text).toContain(`"type":${EventType.Meta}`)
  expect(lines.text).not.toContain(consolePlugin)
  expect((await partOf(link, row, 'assets/')).status).toBe(200)
  expect((await open(link)).results).toMatchObject([{ id: row.session_id }])
  expect((await change(link.id, {})).views).toBe(1)
})

test('a link opens only recordings that are in its collection now', async () => {
  const row = await collected()
  const elsewhere = await insertRecording(service)
  const foreign = await insertRecording(service, { project_id: service.secondProjectId })
  const link = await create()
  const statuses = async (of: Session) => [
    (await openRecording(link, of)).status,
    (await partOf(link, of, 'snapshots/')).status,
    (await partOf(link, of, 'assets/')).status,
    (await partOf(link, of, '')).status,
  ]
  expect(await statuses(row)).toEqual([200, 200, 200, 200])
  const closed = [403, 403, 403, 403]
  expect(await statuses(elsewhere)).toEqual(closed)
  expect(await statuses(foreign)).toEqual(closed)
  expect(await statuses({ ...row, project_id: service.secondProjectId })).toEqual([200, 403, 403, 403])
  expect((await partOf(link, row, 'events/')).status).toBe(401)
  service.clock.advance(1)
  await service.request('DELETE', `${collections}${collection}/recordings/${row.session_id}/`)
  expect(await statuses(row)).toEqual(closed)
  expect((await open(link)).results).toEqual([])
  service.clock.advance(1)
  const deleted = await collected()
  expect((await openRecording(link, deleted)).status).toBe(200)
  await service.request('DELETE', `/api/projects/@current/session_recordings/${deleted.session_id}/`)
  expect(await statuses(deleted)).toEqual(closed)
  service.clock.set('2026-03-04T10:30:00Z')
})

test('a rule is applied to each request, and shows its newest hundred recordings', async () => {
  const query = `properties=${encodeURIComponent(
    JSON.stringify([{ type: 'recording', key: 'click_count', operator: 'gt', value: 4000 }]),
  )}`
  const body = { name: 'Many clicks', query }
  collection = bodyOf(RecordingCollection, await service.request('POST', collections, { body })).id
  path = `${collections}${collection}/links/`
  const link = await create()
  expect((await open(link)).results).toEqual([])
  const at = (minute: number) => new Date(Date.parse('2026-03-03T10:00:00Z') + minute * 60_000)
  const rows = []
  for (let minute = 0; minute <= sharedRecordingsMax; minute += 1)
    rows.push(await insertRecording(service, { click_count: 5000, start_time: at(minute) }))
  service.clock.advance(5000)
  const { results, has_more } = await open(link)
  expect([results.length, has_more]).toEqual([sharedRecordingsMax, true])
  const [oldest, next] = rows
  if (!oldest || !next) throw new Error('two rows')
  expect(results.at(-1)?.id).toBe(next.session_id)
  expect((await openRecording(link, next)).status).toBe(200)
  expect((await openRecording(link, oldest)).status).toBe(403)
  await service.request('PATCH', `${collections}${collection}/`, {
    body: { query: query.replace('4000', '6000') },
  })
  expect((await openRecording(link, next)).status).toBe(403)
  service.clock.set('2026-03-04T10:30:00Z')
})

test('the names of visitors are shown only if the link says so, and cannot be guessed otherwise', async () => {
  const random = '0190a1b2-0000-7000-8000-00000000abcd'
  await collected({ distinct_id: 'ada@shop.example' })
  await collected({ distinct_id: 'ada@shop.example' })
  await collected({ distinct_id: random })
  const link = await create()
  const text = (await ask(`/api/shared/${link.access_token}/`)).text
  expect(text).not.toMatch(/ada@|0190a1b2/)
  const names = (await open(link)).results.map(({ name, hue }) => `${name} ${hue}`)
  expect(new Set(names).size).toBe(2)
  expect(names).toEqual(names.map(() => expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+ \d+$/)))
  await change(link.id, { names: true })
  expect((await open(link)).results.map(({ name }) => name)).toContain('ada@shop.example')
})

test('the strip shows errors and failed requests only to visitors who get the console and the network', async () => {
  const row = await collected()
  const everything = Object.values(stripBits).reduce<number>((sum, bit) => sum + bit, 0)
  const strip = Array.from({ length: stripLength }, () => everything)
  await storeFacts(service.services.store, row, {
    ...factsFrom(page(0, 'https://shop.example/', 'Shop')),
    strip,
  })
  const link = await create()
  const bits = async (shows: string) => {
    await change(link.id, { shows })
    return (await open(link)).results[0]?.strip?.[0]
  }
  const { error, request } = stripBits
  expect(await bits('picture')).toBe(everything - error - request)
  expect(await bits('console')).toBe(everything - request)
  expect(await bits('network')).toBe(everything - error)
  expect(await bits('all')).toBe(everything)
})

test('a link that masks elements leaves out recordings of apps, which have none', async () => {
  const app = await collected({ snapshot_source: 'mobile' })
  const link = await create({ masks: [{ kind: 'text' }, { kind: 'selector', selector: '.private' }] })
  expect([(await open(link)).results, (await openRecording(link, app)).status]).toEqual([[], 403])
  await change(link.id, { masks: [{ kind: 'text' }] })
  expect((await openRecording(link, app)).status).toBe(200)
})

test('a password guards the page, each recording and its parts, and ten wrong ones close the link for a minute', async () => {
  const row = await collected()
  const link = await create({ password: 'lamp' })
  for (const response of [await openRecording(link, row), await partOf(link, row, 'snapshots/')])
    expect([response.status, problemOf(response).code]).toEqual([403, 'password_required'])
  expect((await open(link, 'lamp')).results).toHaveLength(1)
  const address = `/api/shared/${link.access_token}/`
  for (let count = 0; count < 10; count += 1) expect((await ask(address, 'wrong')).status).toBe(403)
  expect((await ask(address, 'lamp')).status).toBe(429)
})
