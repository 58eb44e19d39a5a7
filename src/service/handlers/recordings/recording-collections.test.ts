import { afterAll, beforeAll, expect, test } from 'vitest'
import { offsetPage } from '../../../contract/page.ts'
import { RecordingCollection } from '../../../contract/recordings/recording-collection.ts'
import { CollectionLink } from '../../../contract/recordings/sharing.ts'
import { SessionRecordingList } from '../../../contract/recordings/session-recording.ts'
import { deleteRecordings } from '../../recordings/delete-recordings.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const of = '/api/projects/:project_id/session_recording_playlists'
const path = '/api/projects/@current/session_recording_playlists/'
let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const create = async (body: object) =>
  bodyOf(RecordingCollection, await service.request('POST', path, { body }))
const add = (id: string, body: object) => service.request('POST', `${path}${id}/recordings/`, { body })
const recordings = async (collection: string, filter = '') => {
  const list = `/api/projects/@current/session_recordings/?collection=${collection}&${filter}`
  const { count, results } = bodyOf(SessionRecordingList, await service.request('GET', list))
  expect(count).toBe(results.length)
  return results.map(({ id }) => id)
}
const errors = `properties=${encodeURIComponent(
  JSON.stringify([{ type: 'recording', key: 'console_error_count', operator: 'gte', value: 1 }]),
)}`

test(`POST ${of}/ creates a collection, and GET ${of}/ lists collections by name, in pages`, async () => {
  await create({ name: 'Checkout' })
  const rule = await create({ name: ' bugs ', query: errors })
  expect(rule).toMatchObject({ name: 'bugs', query: errors, recording_count: null })
  const page = async (query = '') =>
    bodyOf(offsetPage(RecordingCollection), await service.request('GET', `${path}${query}`))
  const all = await page()
  expect(all).toMatchObject({ count: 2, next: null, previous: null })
  expect(all.results.map(({ name }) => name)).toEqual(['bugs', 'Checkout'])
  const second = await page('?limit=1&offset=1')
  expect(second).toMatchObject({ count: 2, next: null, results: [{ name: 'Checkout' }] })
  expect(second.previous).toContain('limit=1')
  expect((await page('?limit=1')).next).toContain('offset=1')
})

test.each([{ name: '' }, { name: 'a', query: 'colour=red' }, { name: 'a', query: `collection=${path}` }])(
  'refuses a collection without a name or with an unknown rule: %j',
  async (body) => {
    expect((await service.request('POST', path, { body })).status).toBe(400)
  },
)

test(`PATCH ${of}/:collection_id/ renames a collection, GET ${of}/:collection_id/ returns it, DELETE ${of}/:collection_id/ deletes it`, async () => {
  const { id } = await create({ name: 'Old' })
  await service.request('PATCH', `${path}${id}/`, { body: { name: 'New' } })
  const one = bodyOf(RecordingCollection, await service.request('GET', `${path}${id}/`))
  expect(one).toMatchObject({ name: 'New', query: null, recording_count: 0 })
  const rule = await service.request('PATCH', `${path}${id}/`, { body: { query: errors } })
  expect([rule.status, problemOf(rule).code]).toEqual([409, 'conflict'])
  expect((await service.request('DELETE', `${path}${id}/`)).status).toBe(204)
  expect((await service.request('GET', `${path}${id}/`)).status).toBe(404)
})

test('says which collections a link opens, until it is turned off', async () => {
  const { id, shared } = await create({ name: 'For partners' })
  expect(shared).toBe(false)
  const created = await service.request('POST', `${path}${id}/links/`, { body: {} })
  const link = bodyOf(CollectionLink, created)
  const shownAsShared = async () => {
    const one = bodyOf(RecordingCollection, await service.request('GET', `${path}${id}/`))
    const all = bodyOf(offsetPage(RecordingCollection), await service.request('GET', path)).results
    expect(all.find((each) => each.id === id)?.shared).toBe(one.shared)
    return one.shared
  }
  expect(await shownAsShared()).toBe(true)
  await service.request('PATCH', `${path}${id}/links/${link.id}/`, { body: { enabled: false } })
  expect(await shownAsShared()).toBe(false)
})

test(`POST ${of}/:collection_id/recordings/ adds recordings, DELETE ${of}/:collection_id/recordings/:recording_id/ removes one`, async () => {
  const [first, second, gone] = await Promise.all([1, 2, 3].map(() => insertRecording(service)))
  if (!first || !second || !gone) throw new Error('three recordings')
  const { id } = await create({ name: 'By hand' })
  const ids = [first, second, gone].map(({ session_id }) => session_id)
  await add(id, { ids })
  expect(bodyOf(RecordingCollection, await add(id, { ids: [...ids, 'unknown'] })).recording_count).toBe(3)
  await deleteRecordings(service.services, [gone.id])
  expect((await service.request('DELETE', `${path}${id}/recordings/${first.session_id}/`)).status).toBe(204)
  expect(await recordings(id)).toEqual([second.session_id])
  expect((await add(id, {})).status).toBe(400)
})

test(`POST ${of}/:collection_id/recordings/:recording_id/ adds one recording, as often as asked`, async () => {
  const { session_id } = await insertRecording(service)
  const { id } = await create({ name: 'One by one' })
  for (const _ of [1, 2]) {
    const response = await service.request('POST', `${path}${id}/recordings/${session_id}/`)
    expect([response.status, response.body]).toEqual([200, { success: true }])
  }
  expect(await recordings(id)).toEqual([session_id])
  const rule = await create({ name: 'By a rule', query: errors })
  expect((await service.request('POST', `${path}${rule.id}/recordings/${session_id}/`)).status).toBe(409)
})

test('a collection by a rule contains what matches, now and later, together with other filters', async () => {
  const { id } = await create({ name: 'Broken', query: errors })
  const broken = await insertRecording(service, { console_error_count: 2, click_count: 70 })
  await insertRecording(service)
  expect(await recordings(id)).toEqual([broken.session_id])
  const later = await insertRecording(service, { console_error_count: 1 })
  expect(new Set(await recordings(id))).toEqual(new Set([broken.session_id, later.session_id]))
  const clicks = errors.replace('console_error_count', 'click_count').replace('1%7D', '50%7D')
  expect(await recordings(id, clicks)).toEqual([broken.session_id])
  const response = await add(id, { ids: [later.session_id] })
  expect([response.status, problemOf(response).detail]).toEqual([
    409,
    'A rule decides which recordings are in this collection: change the rule.',
  ])
})

test('a rule can name another collection, and one that leads back to itself selects nothing', async () => {
  const kept = await insertRecording(service, { console_error_count: 3 })
  await insertRecording(service, { console_error_count: 3 })
  const chosen = await create({ name: 'Chosen' })
  await add(chosen.id, { ids: [kept.session_id, (await insertRecording(service)).session_id] })
  const rule = await create({ name: 'Chosen with errors', query: `collection=${chosen.id}&${errors}` })
  expect(await recordings(rule.id)).toEqual([kept.session_id])
  await service.request('PATCH', `${path}${rule.id}/`, { body: { query: `collection=${rule.id}` } })
  expect(await recordings(rule.id)).toEqual([])
})

test('all recordings that match a filter can be added', async () => {
  const { id } = await create({ name: 'All slow' })
  const slow = await insertRecording(service, { active_seconds: 5000 })
  const property = { type: 'recording', key: 'active_seconds', operator: 'gt', value: 4000 }
  await add(id, { filter: { properties: JSON.stringify([property]) } })
  expect(await recordings(id)).toEqual([slow.session_id])
})

test('an unknown collection contains nothing', async () => {
  expect(await recordings('01900000-0000-7000-8000-000000000000')).toEqual([])
})
