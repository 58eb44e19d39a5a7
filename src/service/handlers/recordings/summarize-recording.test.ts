import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { StoredSummary, SummarizedRecording } from '../../../contract/recordings/recording-summary.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { button, change, click, element, input, page } from '../../testing/test-session.ts'
import type { SessionEvent } from '../../snapshots/unpack-event.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const of = '/api/projects/:project_id/session_recordings'
const start = new Date('2026-03-04T10:00:00Z')
const lines = (events: readonly SessionEvent[]) =>
  events.map(({ window, ...event }) => [window, { ...event }] as const)

const form = element(20, 'form', {}, element(21, 'input', { placeholder: 'Email' }), button(22, 'Join'))
const opening = page(0, 'https://shop.example/join?from=mail', 'Join', [form])
const joining = [input(5, 21, 'ada@example.com'), click(8, 22), change(8.1)]
const joined = page(9, 'https://shop.example/thanks', 'Thank you')

async function recorded(values: Parameters<typeof insertRecording>[1] = {}): Promise<RecordingRow> {
  const row = await insertRecording(service, { start_time: start, ...values })
  await insertBlock(service, row, 0, lines([...joining, ...joined]))
  await insertBlock(service, row, 1, lines(opening))
  return row
}

async function summarize(id: string, options = {}) {
  const path = `/api/projects/${service.own.project_id}/session_recordings/${id}/summarize/`
  const response = await service.request('POST', path, { body: { distinct_id: 'visitor', ...options } })
  expect(response.status, response.text).toBe(200)
  return { ...bodyOf(SummarizedRecording, response), raw: response.text }
}

test(`POST ${of}/:id/summarize/ returns 200 with the recording and its summary, also as markdown`, async () => {
  const { session_id } = await recorded()
  await captureEvent(session_id, 'signed_up')
  const { id, content, summary, raw } = await summarize(session_id)
  expect(id).toBe(session_id)
  expect(summary).toMatchObject({
    outcome: { kind: 'completed', text: 'Completed: the site recorded “signed_up”.' },
    written_by: 'rules',
    model: null,
    fallback: null,
    made_at: '2026-03-04T10:30:00Z',
  })
  expect(summary.sentences.map(({ text }) => text)).toContain(
    'On “Join” they submitted “Email” with “Join” (recorded as “signed_up”).',
  )
  expect(content).toMatch(/^\*\*Completed: the site recorded “signed_up”\.\*\* \(0:08\)\n/)
  expect(content).toContain('Nothing went wrong.')
  expect(raw).not.toMatch(/ada@example|from=mail/)
})

test(`GET ${of}/:id/summary/ returns 200 with the stored summary, which it computes if there is none`, async () => {
  const { session_id } = await recorded()
  const computed = await storedSummary(session_id)
  const { content, summary } = await summarize(session_id)
  expect(computed).toEqual({ content, summary, language_model: null })
  const opening = summary.moments.find(({ kind }) => kind === 'page')
  expect(summary.time).toEqual([{ text: 'Active for 9 s on “Join”.', moment: opening?.id }])
  expect(content).toContain('### Where the time went\n\n- Active for 9 s on “Join”. (0:00)')
})

test('keeps a summary until more data arrives, and computes it once for simultaneous requests', async () => {
  const row = await recorded()
  const read = vi.spyOn(service.services.objects, 'get')
  const [one, two] = await Promise.all([summarize(row.session_id), summarize(row.session_id)])
  // The second may find the stored summary, whose keys have another order.
  expect(JSON.parse(one.raw)).toEqual(JSON.parse(two.raw))
  expect(read).toHaveBeenCalledTimes(2)
  service.clock.advance(60_000)
  expect((await summarize(row.session_id)).summary).toEqual(one.summary)
  expect(read).toHaveBeenCalledTimes(2)
  await insertBlock(service, row, 2, lines(page(60, 'https://shop.example/shop', 'Shop')))
  const longer = await summarize(row.session_id)
  expect(longer.summary.segments.map(({ name }) => name)).toEqual(['Join', 'Thank you', 'Shop'])
  expect(longer.summary.made_at).not.toBe(one.summary.made_at)
  read.mockRestore()
})

test('an ongoing session is unfinished until it ends', async () => {
  const { session_id } = await recorded({ last_updated_at: new Date(service.clock.now()) })
  expect((await summarize(session_id)).summary.outcome.kind).toBe('unfinished')
  service.clock.advance(600_000)
  expect((await summarize(session_id)).summary.outcome.kind).toBe('completed')
})

test('skips a damaged block, and reads it again the next time', async () => {
  const row = await recorded()
  const { objects, store } = service.services
  const { object_key } = await store
    .selectFrom('session_recording_blocks')
    .select('object_key')
    .where('recording_id', '=', row.id)
    .where('number', '=', 0)
    .executeTakeFirstOrThrow()
  const whole = await objects.get(object_key)
  await objects.put(object_key, Buffer.from('damaged'))
  expect((await summarize(row.session_id)).summary.segments).toHaveLength(1)
  await objects.put(object_key, whole ?? Buffer.alloc(0))
  expect((await summarize(row.session_id)).summary.segments).toHaveLength(2)
})

test('a recording without blocks has a summary; an unknown recording returns 404', async () => {
  const { session_id } = await insertRecording(service, { start_time: start })
  expect((await summarize(session_id)).summary.outcome.kind).toBe('looked_around')
  const missing = `/api/projects/${service.own.project_id}/session_recordings/nothing/summarize/`
  const response = await service.request('POST', missing, { body: {} })
  expect([response.status, problemOf(response).detail]).toEqual([404, 'Recording not found'])
})

test('keeps no summary of a recording that is deleted meanwhile', async () => {
  const row = await recorded()
  const { objects, store } = service.services
  const whole = objects.get
  const deleting = vi.spyOn(objects, 'get').mockImplementation(async (key) => {
    const deleted_at = new Date(service.clock.now())
    await store.updateTable('session_recordings').set({ deleted_at }).where('id', '=', row.id).execute()
    return await whole(key)
  })
  await summarize(row.session_id)
  deleting.mockRestore()
  const kept = store.selectFrom('session_recording_summaries').selectAll().where('recording_id', '=', row.id)
  expect(await kept.execute()).toEqual([])
})

test('if reading a recording takes too long, summarizes it up to the point where reading stopped', async () => {
  const row = await insertRecording(service, { start_time: start })
  for (const number of [0, 1, 2])
    await insertBlock(
      service,
      row,
      number,
      lines(page(number * 60, `https://shop.example/${number}`, `Page ${number}`)),
    )
  const { objects } = service.services
  const whole = objects.get
  const slow = vi.spyOn(objects, 'get').mockImplementation((key) => {
    service.clock.advance(15_000)
    return whole(key)
  })
  const { summary } = await summarize(row.session_id)
  slow.mockRestore()
  expect(summary.segments.map(({ name }) => name)).toEqual(['Page 0', 'Page 1'])
  expect(summary.sentences.at(-1)?.text).toContain('too long to read in full')
})

test('uses the prose of a language model on request; if that fails, the built-in summary says why and the next request retries', async () => {
  const prose = {
    outcome: { text: 'They joined.', moment: 0 },
    sentences: [{ text: 'They *came* in.', moment: 1 }],
    problems: [],
  }
  let works = false
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    asked += 1
    response.statusCode = works ? 200 : 503
    response.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(prose) } }] }))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  service.services.config.languageModel = { url: `http://127.0.0.1:${port}`, key: 'sk-secret', name: 'small' }
  const { session_id } = await recorded()
  expect((await summarize(session_id)).summary).toMatchObject({ written_by: 'rules', fallback: null })
  expect(asked).toBe(0)
  const failed = await summarize(session_id, { use_model: true })
  expect(failed.summary).toMatchObject({
    written_by: 'rules',
    model: null,
    fallback: 'The language model returned status 503.',
  })
  works = true
  const { summary, content } = await summarize(session_id, { use_model: true })
  expect(summary).toMatchObject({ ...prose, written_by: 'model', model: 'small', fallback: null })
  expect(content).toContain(String.raw`They \*came\* in. (0:00)`)
  await summarize(session_id, { use_model: true })
  expect(asked).toBe(2)
  expect(await storedSummary(session_id)).toEqual({ content, summary, language_model: 'small' })
  service.services.config.languageModel = null
  server.close()
})

async function storedSummary(id: string) {
  const path = `/api/projects/${service.own.project_id}/session_recordings/${id}/summary/`
  return bodyOf(StoredSummary, await service.request('GET', path))
}

async function captureEvent(session: string, event: string): Promise<void> {
  const row = {
    team_id: service.own.project_id,
    uuid: crypto.randomUUID(),
    event,
    distinct_id: 'visitor',
    properties: JSON.stringify({ $session_id: session, $window_id: 'w1' }),
    timestamp: '2026-03-04 10:00:08.500000',
  }
  await service.services.warehouse.insert('events', JSON.stringify(row))
}
