import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { notesMax, RecordingNote, RecordingNotes } from '../../../contract/recording-note.ts'
import { SessionRecordingList, WatchedRecording } from '../../../contract/session-recording.ts'
import { deleteRecordings } from '../../recordings/delete-recordings.ts'
import { newId } from '../../store/identifier.ts'
import { insertNote } from '../../store/recording-notes.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const of = '/api/projects/:project_id/session_recordings/:recording_id/notes'
const list = '/api/projects/@current/session_recordings/'
let service: TestService
let recording: RecordingRow
let path: string

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  recording = await insertRecording(service)
  path = `${list}${recording.session_id}/notes/`
})

const write = async (body: object) => bodyOf(RecordingNote, await service.request('POST', path, { body }))
const notes = async () => bodyOf(RecordingNotes, await service.request('GET', path)).results
const listed = async (query: string) =>
  bodyOf(SessionRecordingList, await service.request('GET', `${list}?${query}`)).results

/** Inserts notes of another user of the same organization. */
async function insertOfOther(count: number): Promise<string[]> {
  const { store, clock } = service.services
  const at = new Date(clock.now())
  const user = { id: newId(clock.now()), email: 'other@shop.example', first_name: 'Other', created_at: at }
  const { organization_id } = service.own
  await store
    .insertInto('users')
    .values({ ...user, organization_id })
    .execute()
  const row = { recording_id: recording.id, project_id: recording.project_id, user_id: user.id }
  const ids = Array.from({ length: count }, () => newId(clock.now()))
  for (const id of ids)
    await insertNote(
      store,
      { id, ...row, author: 'Other key', at: 1, text: 'Theirs', created_at: at, updated_at: at },
      notesMax,
    )
  return ids
}

test(`POST ${of}/ writes a note, and GET ${of}/ lists notes in the order of their moments`, async () => {
  await write({ at: 40, text: 'The total is wrong.' })
  const note = await write({ at: 12.5, text: ' Looks for the\nshipping cost ' })
  expect(note).toMatchObject({ at: 12.5, text: 'Looks for the\nshipping cost', is_mine: true })
  expect(note.author).toEqual({ name: expect.stringMatching(/./) })
  expect((await notes()).map(({ at }) => at)).toEqual([12.5, 40])
})

test.each([
  [{ at: 1, text: ' ' }, 'text'],
  [{ at: 1, text: 'a'.repeat(5001) }, 'text'],
  [{ at: -1, text: 'a' }, 'at'],
  [{ text: 'a' }, 'at'],
])('refuses a note without a text or a moment: %#', async (body, attr) => {
  const response = await service.request('POST', path, { body })
  expect([response.status, problemOf(response).attr]).toEqual([400, attr])
})

test(`PATCH ${of}/:note_id/ changes a note; DELETE ${of}/:note_id/ deletes it`, async () => {
  const { id } = await write({ at: 3, text: 'Old' })
  const response = await service.request('PATCH', `${path}${id}/`, { body: { text: 'New' } })
  expect(bodyOf(RecordingNote, response)).toMatchObject({ id, at: 3, text: 'New' })
  expect((await service.request('PATCH', `${path}${id}/`, { body: {} })).status).toBe(400)
  expect((await service.request('DELETE', `${path}${id}/`)).status).toBe(204)
  expect(await notes()).toEqual([])
})

test('only its author can change a note, but others can delete it', async () => {
  const [id] = await insertOfOther(1)
  expect((await notes())[0]).toMatchObject({ is_mine: false, author: { name: 'Other key' } })
  const response = await service.request('PATCH', `${path}${id}/`, { body: { text: 'Mine' } })
  expect([response.status, problemOf(response).detail]).toEqual([
    403,
    'Only its author can change a note: write a note of your own.',
  ])
  expect((await service.request('DELETE', `${path}${id}/`)).status).toBe(204)
})

test('a recording has a limited number of notes', async () => {
  await insertOfOther(notesMax)
  const response = await service.request('POST', path, { body: { at: 1, text: 'One more' } })
  expect([response.status, problemOf(response).detail]).toEqual([
    409,
    `The recording was deleted or has ${notesMax} notes: delete a note first.`,
  ])
})

test('a note of another recording is not found', async () => {
  const { id } = await write({ at: 3, text: 'Here' })
  const other = await insertRecording(service)
  const response = await service.request('DELETE', `${list}${other.session_id}/notes/${id}/`)
  expect(response.status).toBe(404)
})

test('the list counts notes, filters by them and finds their texts', async () => {
  await write({ at: 3, text: 'Coupon 100% refused' })
  const other = await insertRecording(service)
  const own = (found: { id: string }[]) =>
    found.map(({ id }) => id).filter((id) => id === recording.session_id || id === other.session_id)
  const noted = (value: boolean) =>
    `properties=${encodeURIComponent(JSON.stringify([{ type: 'recording', key: 'noted', value }]))}`
  expect(own(await listed(noted(true)))).toEqual([recording.session_id])
  expect(own(await listed(noted(false)))).toEqual([other.session_id])
  const found = await listed(`search=${encodeURIComponent('coupon 100%')}`)
  expect(found).toMatchObject([{ id: recording.session_id, note_count: 1 }])
})

test('deleting a recording deletes its notes and watchers', async () => {
  await write({ at: 3, text: 'Gone soon' })
  await service.request('PATCH', `${list}${recording.session_id}/`, { body: { viewed: true } })
  await deleteRecordings(service.services, [recording.id])
  for (const table of ['recording_notes', 'recording_watchers'] as const) {
    const rows = service.services.store.selectFrom(table).select('recording_id')
    expect(await rows.where('recording_id', '=', recording.id).execute()).toEqual([])
  }
})

test('a recording names those who watched it, the latest first', async () => {
  const item = `${list}${recording.session_id}/`
  const watchers = async () => bodyOf(WatchedRecording, await service.request('GET', item)).watchers
  await service.request('PATCH', item, { body: { viewed: true } })
  const [first] = await watchers()
  service.clock.advance(60_000)
  const key = await service.newKey({ scopes: ['*'] })
  await service.request('PATCH', item, { body: { viewed: true }, key })
  expect((await watchers())[1]).toEqual(first)
  expect(await watchers()).toHaveLength(2)
  await service.request('PATCH', item, { body: { viewed: false }, key })
  expect(await watchers()).toEqual([first])
})
