import { insertMember, insertSession } from '../../testing/test-members.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { offsetPage } from '../../../contract/page.ts'
import { MentionableMember, Mentions } from '../../../contract/recordings/note-mention.ts'
import { notesMax, RecordingNote } from '../../../contract/recordings/recording-note.ts'
import { SessionRecordingList, WatchedRecording } from '../../../contract/recordings/session-recording.ts'
import { visitorName } from '../../../contract/recordings/visitor-name.ts'
import { deleteRecordings } from '../../recordings/delete-recordings.ts'
import { newId } from '../../store/schema/identifier.ts'
import { findNotes, insertNote, listNotes } from '../../store/recordings/recording-notes.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { findRows, updateRows } from '../../store/schema/rows.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { createObject } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const of = '/api/projects/:project_id/recording_notes'
const path = '/api/projects/@current/recording_notes/'
const list = '/api/projects/@current/session_recordings/'
let service: TestService
let recording: RecordingRow

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  recording = await insertRecording(service)
})

const post = (note: object) =>
  service.request('POST', path, { body: { session_recording_id: recording.session_id, ...note } })
const write = async (note: object) => bodyOf(RecordingNote, await post(note))
const page = async (query: Record<string, string>) =>
  bodyOf(offsetPage(RecordingNote), await service.request('GET', `${path}?${new URLSearchParams(query)}`))
const notes = async (query: Record<string, string> = {}) =>
  (await page({ session_recording_id: recording.session_id, ...query })).results
const listed = async (query: string) =>
  bodyOf(SessionRecordingList, await service.request('GET', `${list}?${query}`)).results

/** Inserts notes of another user of the same organization. */
async function insertOfOther(count: number): Promise<string[]> {
  const { store, clock } = service.services
  const at = new Date(clock.now())
  const user_id = await insertMember(service, 'admin')
  const row = { recording_id: recording.id, project_id: recording.project_id, user_id }
  const ids = Array.from({ length: count }, () => newId(clock.now()))
  for (const id of ids)
    await insertNote(
      store,
      { id, ...row, author: 'Other key', at: 1, text: 'Theirs', created_at: at, updated_at: at },
      notesMax,
    )
  return ids
}

test(`POST ${of}/ writes a note, and GET ${of}/ lists the notes on a recording in the order of their moments`, async () => {
  await write({ at: 40, text: 'The total is wrong.' })
  const note = await write({ at: 12.5, text: ' Looks for the\nshipping cost ' })
  expect(note).toMatchObject({
    session_recording_id: recording.session_id,
    at: 12.5,
    text: 'Looks for the\nshipping cost',
    is_mine: true,
  })
  expect(note.author).toEqual({ name: expect.stringMatching(/./) })
  expect((await notes()).map(({ at }) => at)).toEqual([12.5, 40])
})

test('without a recording, the list has the notes on all recordings, newest first, in pages', async () => {
  const { count: earlier } = await page({})
  const first = await write({ at: 40, text: 'First' })
  service.clock.advance(1000)
  const { session_id } = await insertRecording(service)
  const second = await write({ session_recording_id: session_id, at: 1, text: 'Second' })
  const elsewhere = await insertRecording(service, { project_id: service.secondProjectId })
  const note = { session_recording_id: elsewhere.session_id, at: 1, text: 'A note' }
  await createObject(service, service.secondProjectId, 'recording_notes', note)
  const newest = await page({ limit: '1' })
  expect(newest).toMatchObject({ count: earlier + 2, previous: null, results: [second] })
  expect(newest.next).toContain('offset=1')
  expect(await page({ limit: '1', offset: '1' })).toMatchObject({ count: earlier + 2, results: [first] })
})

test('a search finds a part of the text or of the author’s name, in any case', async () => {
  await insertOfOther(1)
  const { id } = await write({ at: 1, text: 'Voucher 50% REFUSED' })
  expect((await notes({ search: '50% refused' })).map((note) => note.id)).toEqual([id])
  expect(await notes({ search: 'other k' })).toMatchObject([{ text: 'Theirs' }])
  expect(await notes({ search: '%_' })).toEqual([])
  expect((await page({ search: 'VOUCHER 50%' })).results.map((note) => note.id)).toContain(id)
})

test('notes are on recordings that the key can access, and unknown parameters are refused', async () => {
  const elsewhere = await insertRecording(service, { project_id: service.secondProjectId })
  for (const session_recording_id of [elsewhere.session_id, 'unknown']) {
    const response = await post({ session_recording_id, at: 1, text: 'Here' })
    expect([response.status, problemOf(response).detail]).toEqual([404, 'Recording not found'])
    const list = await service.request('GET', `${path}?session_recording_id=${session_recording_id}`)
    expect(list.status).toBe(404)
  }
  expect((await service.request('GET', `${path}?recording=a`)).status).toBe(400)
})

test.each([
  [{ at: 1, text: ' ' }, 'text'],
  [{ at: 1, text: 'a'.repeat(5001) }, 'text'],
  [{ at: -1, text: 'a' }, 'at'],
  [{ text: 'a' }, 'at'],
  [{ at: 1, text: 'a', color: 'red' }, 'color'],
])('refuses a note without a text or a moment: %#', async (body, attr) => {
  const response = await post(body)
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
  const response = await post({ at: 1, text: 'One more' })
  expect([response.status, problemOf(response).detail]).toEqual([
    409,
    `The recording was deleted or has ${notesMax} notes: delete a note first.`,
  ])
})

test('a note is not found while its recording is deleted by an action that can be undone', async () => {
  const { id } = await write({ at: 3, text: 'Hidden soon' })
  const { count } = await page({})
  const set = (deleted_at: Date | null) =>
    service.services.store
      .updateTable('session_recordings')
      .set({ deleted_at })
      .where('id', '=', recording.id)
      .execute()
  await set(new Date(service.clock.now()))
  expect((await page({})).count).toBe(count - 1)
  expect((await service.request('PATCH', `${path}${id}/`, { body: { at: 4 } })).status).toBe(404)
  expect((await service.request('DELETE', `${path}${id}/`)).status).toBe(404)
  await set(null)
  expect(await notes()).toMatchObject([{ id, at: 3 }])
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

test('a search for the text of more than a hundred notes finds their recordings, each once', async () => {
  const first = recording
  await insertOfOther(60)
  recording = await insertRecording(service)
  await insertOfOther(60)
  const found = (await listed('search=theirs')).map(({ id }) => id)
  for (const { session_id } of [first, recording])
    expect(found.filter((id) => id === session_id)).toHaveLength(1)
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

test('GET /api/projects/:project_id/mentions/members/ lists who may watch; GET /api/projects/:project_id/mentions/ shows them what mentions them until POST /api/projects/:project_id/mentions/read/ returns 200', async () => {
  const { store } = service.services
  const mentions = '/api/projects/@current/mentions/'
  const { project_id: own } = service.own
  const ada = await insertMember(service, 'analyst')
  const elsewhere = await insertMember(service, 'admin', { [service.secondProjectId]: 'admin' })
  const editor = await insertMember(service, 'editor')
  const here = await insertMember(service, 'editor', { [own]: 'analyst' })
  const outside = await insertMember({ ...service, own: service.other }, 'admin')
  const { headers } = await insertSession(service, { user_id: ada })
  const asAda = (method: string, path: string, body?: object) =>
    service.request(method, path, { ...(body && { body }), headers, key: '' })
  await updateRows(store, 'users', { id: ada }, { first_name: 'Ada' })

  const offered = bodyOf(MentionableMember.array(), await service.request('GET', `${mentions}members/`))
  const ids = offered.map(({ id }) => id)
  expect([ada, here, elsewhere, editor, outside].map((id) => ids.includes(id))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(new Set(offered.map(({ name }) => name)).size).toBe(offered.length)
  const unknown = '01900000-0000-7000-8000-000000000000'
  for (const id of [elsewhere, editor, outside, unknown]) {
    const refused = await post({ at: 1, text: `See @[${id}]` })
    expect([refused.status, problemOf(refused).attr]).toEqual([400, 'text'])
  }
  expect(await notes()).toEqual([])

  const note = await write({ at: 4, text: `See this, @[${ada}] and @[${ada}]` })
  expect(note).toMatchObject({ mentions: [{ id: ada, name: 'Ada' }], is_unread: false })
  await updateRows(store, 'users', { id: ada }, { first_name: 'Ada Lovelace' })
  const listed = bodyOf(Mentions, await asAda('GET', mentions))
  expect(listed).toMatchObject({
    count: 1,
    results: [
      {
        note_id: note.id,
        visitor: visitorName(null, recording.distinct_id),
        at: 4,
        session_recording_id: recording.session_id,
        mentions: [{ name: 'Ada Lovelace' }],
      },
    ],
  })
  expect((await notes())[0]?.is_unread).toBe(false)
  const other = await asAda('GET', `/api/projects/${service.secondProjectId}/mentions/`)
  expect(bodyOf(Mentions, other).count).toBe(0)
  const read = () => asAda('POST', `${mentions}read/`, { session_recording_id: recording.session_id })
  expect((await read()).body).toEqual({ success: true })
  expect(bodyOf(Mentions, await asAda('GET', mentions)).count).toBe(0)

  // A change keeps what was read, adds whom it names and forgets whom it no longer does, also one who may no longer watch.
  const edit = (text: string) => service.request('PATCH', `${path}${note.id}/`, { body: { text } })
  await updateRows(store, 'members', { user_id: ada }, { role: 'editor' })
  expect((await edit(`See @[${ada}] @[${here}]`)).status).toBe(200)
  const rows = () => findRows(store, 'note_mentions', { note_id: note.id })
  expect((await rows()).map((row) => [row.user_id, row.read_at !== null])).toEqual(
    expect.arrayContaining([
      [ada, true],
      [here, false],
    ]),
  )
  await edit('Nobody')
  expect(await rows()).toEqual([])
  await edit(`See @[${here}]`)
  await service.request('DELETE', `${path}${note.id}/`)
  expect(await rows()).toEqual([])
})

test('a recording’s file and the moments that match a search name mentioned members; deleting the recording forgets them', async () => {
  const ada = await insertMember(service, 'analyst')
  await updateRows(service.services.store, 'users', { id: ada }, { first_name: 'Ada Byron' })
  await write({ at: 4, text: `Lampshade, @[${ada}]` })
  const [{ text } = { text: '' }] = await listNotes(service.services.store, recording.id)
  const [found] = await findNotes(service.services.store, [recording.id], '%Lampshade%')
  expect([text, found?.text]).toEqual(['Lampshade, @Ada Byron', 'Lampshade, @Ada Byron'])
  await deleteRecordings(service.services, [recording.id])
  expect(await findRows(service.services.store, 'note_mentions', { user_id: ada })).toEqual([])
})
