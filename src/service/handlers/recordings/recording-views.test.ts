import { insertMember } from '../../testing/test-members.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { offsetPage } from '../../../contract/page.ts'
import { RecordingView, recordingViewsMax } from '../../../contract/recordings/recording-view.ts'
import { newId } from '../../store/schema/identifier.ts'
import { insertUpTo } from '../../store/schema/rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const of = '/api/projects/:project_id/saved_views'
const path = '/api/projects/@current/saved_views/'
let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const create = async (body: object) => bodyOf(RecordingView, await service.request('POST', path, { body }))
const list = async (query = '') =>
  bodyOf(offsetPage(RecordingView), await service.request('GET', `${path}${query}`))

/** Inserts a view of another user of the same organization. */
async function insertOfOther(shared: boolean): Promise<string> {
  const { store, clock } = service.services
  const user_id = await insertMember(service, 'admin')
  const created_at = new Date(clock.now())
  const id = newId(clock.now())
  const view = { project_id: service.own.project_id, user_id, name: `of ${user_id}`, query: '' }
  await insertUpTo(
    store,
    'recording_views',
    { id, ...view, shared, created_at, last_updated_at: created_at },
    recordingViewsMax,
  )
  return id
}

test(`POST ${of}/ saves a view, and GET ${of}/ lists views by name, in pages`, async () => {
  const view = await create({ name: ' Slow pages ', query: 'order=active_seconds', shared: true })
  expect(view).toMatchObject({ name: 'Slow pages', query: 'order=active_seconds', shared: true, own: true })
  await create({ name: 'errors', query: 'properties=[]' })
  expect(await list()).toMatchObject({
    count: 2,
    next: null,
    previous: null,
    results: [{ name: 'errors' }, { name: 'Slow pages' }],
  })
  const first = await list('?limit=1')
  expect(first).toMatchObject({ count: 2, previous: null, results: [{ name: 'errors' }] })
  expect(first.next).toContain('offset=1')
})

test('an unknown key is refused', async () => {
  const response = await service.request('POST', path, { body: { name: 'Odd', query: '', color: 'red' } })
  expect([response.status, problemOf(response).attr]).toEqual([400, 'color'])
})

test('a query that is not one of the list is refused', async () => {
  for (const query of ['colour=red', 'events=[', 'order=name', 'limit=3']) {
    const response = await service.request('POST', path, { body: { name: 'Odd', query } })
    expect([response.status, problemOf(response).attr]).toEqual([400, 'query'])
  }
})

test(`PATCH ${of}/:id/ renames and updates a view; DELETE ${of}/:id/ deletes it`, async () => {
  const { id } = await create({ name: 'Old name', query: '' })
  const change = { name: 'New name', query: 'search=cart', shared: true }
  const response = await service.request('PATCH', `${path}${id}/`, { body: change })
  expect(bodyOf(RecordingView, response)).toMatchObject(change)
  expect((await service.request('PATCH', `${path}${id}/`, { body: {} })).status).toBe(400)
  expect((await service.request('DELETE', `${path}${id}/`)).status).toBe(204)
  expect((await service.request('GET', path)).text).not.toContain('New name')
})

test('another user’s view is visible only if it is shared, and only that user can make it private', async () => {
  const secret = await insertOfOther(false)
  const shared = await insertOfOther(true)
  const { results } = await list()
  expect(results.filter(({ own }) => !own).map(({ id }) => id)).toEqual([shared])
  expect((await service.request('PATCH', `${path}${secret}/`, { body: { name: 'Mine' } })).status).toBe(404)
  expect((await service.request('DELETE', `${path}${secret}/`)).status).toBe(404)
  const response = await service.request('PATCH', `${path}${shared}/`, { body: { shared: false } })
  expect([response.status, problemOf(response).detail]).toEqual([
    403,
    'Only the person who saved this view can stop sharing it.',
  ])
})
