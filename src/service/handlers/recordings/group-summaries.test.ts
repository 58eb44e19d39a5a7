import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { GroupSummary } from '../../../contract/recordings/group-summary.ts'
import { continueGroupSummary } from '../../recordings/descriptions/summarize-group.ts'
import { releaseGroupSummaries } from '../../store/recordings/group-summaries.ts'
import type { SessionEvent } from '../../snapshots/unpack-event.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'
import { began, page } from '../../testing/test-session.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
afterEach(async () => {
  vi.restoreAllMocks()
  await service.services.store.deleteFrom('group_summaries').execute()
  await service.services.store.deleteFrom('session_recordings').execute()
})

const of = '/api/projects/:project_id/session_recordings/summaries'
const url = 'https://shop.example'
const home = page(0, `${url}/`, 'Shop')
const bought = [...home, ...page(9, `${url}/thanks`, 'Thank you')]

async function recorded(events: readonly SessionEvent[], distinct_id = 'ada@example.com'): Promise<string> {
  const row = await insertRecording(service, { start_time: new Date(began), distinct_id })
  const lines = events.map(({ window, ...event }) => [window, { ...event }] as const)
  await insertBlock(service, row, 0, lines)
  return row.session_id
}

function send(method: string, path = '', body?: unknown) {
  const root = `/api/projects/${service.own.project_id}/session_recordings/summaries/`
  return service.request(method, `${root}${path}`, body === undefined ? {} : { body })
}

async function started(body: unknown): Promise<GroupSummary> {
  const response = await send('POST', '', body)
  expect(response.status, response.text).toBe(201)
  return bodyOf(GroupSummary, response)
}

async function read(id: string): Promise<GroupSummary> {
  return bodyOf(GroupSummary, await send('GET', `${id}/`))
}

async function finish(): Promise<void> {
  while (await continueGroupSummary(service.services));
}

test(`POST ${of}/ returns 201 and starts a summary; GET ${of}/:id/ returns 200 with its progress, then its text`, async () => {
  const ids = [await recorded(bought), await recorded(home)]
  await recorded(home)
  const { id, ...summary } = await started({ ids })
  expect(summary).toMatchObject({
    status: 'Running',
    matched: 2,
    total: 2,
    done: 0,
    result: null,
    content: null,
  })
  await continueGroupSummary(service.services)
  expect(await read(id)).toMatchObject({ status: 'Running', done: 2 })
  await finish()
  const { status, result, content, finished_at } = await read(id)
  expect([status, finished_at]).toEqual(['Completed', '2026-03-04T10:30:00Z'])
  expect(result?.overview).toBe(
    '2 recordings: 1 completed (50 %), 1 left (50 %) and 0 ended with an error (0 %).',
  )
  expect(result?.sections[0]?.lines).toEqual([
    {
      text: 'Completed: “Thank you” in 1 recording.',
      recordings: 1,
      example: { recording: ids[0], name: 'ada@example.com', distinct_id: 'ada@example.com', at: 9000 },
    },
  ])
  expect(content).toMatch(new RegExp(`\\[ada@example\\.com\\]\\(http://[^)]+/recordings/${ids[0]}\\?t=6\\)`))
})

test('a filter selects recordings as in the list, and one that matches none is rejected', async () => {
  await recorded(bought, 'grace')
  await recorded(home)
  const filter = { distinct_ids: JSON.stringify(['grace']) }
  const { id, matched } = await started({ filter })
  await finish()
  expect([matched, (await read(id)).result?.outcomes]).toEqual([1, { completed: 1, left: 0, error: 0 }])
  const refused = [
    { filter: { distinct_ids: '["nobody"]' } },
    { ids: ['nothing'] },
    {},
    { ids: ['a'], filter },
  ]
  for (const body of refused) {
    const response = await send('POST', '', body)
    expect(response.status).toBe(400)
    expect(problemOf(response).detail).toMatch(
      /No recordings match: choose others|Send either ids or a filter/,
    )
  }
})

test(`POST ${of}/ returns 409 while five summaries of the project are in progress`, async () => {
  const ids = [await recorded(home)]
  for (let count = 0; count < 5; count += 1) await started({ ids })
  const refused = await send('POST', '', { ids })
  expect(refused.status).toBe(409)
  expect(problemOf(refused).detail).toBe(
    'Five summaries of the project are in progress: wait for one or cancel one.',
  )
  await finish()
  await started({ ids })
})

test(`POST ${of}/ returns 400 and stores nothing when no recording matches`, async () => {
  const refused = await send('POST', '', { ids: ['unknown'] })
  expect(refused.status).toBe(400)
  const stored = await service.services.store.selectFrom('group_summaries').select('id').execute()
  expect(stored).toEqual([])
})

test(
  'of more than 200 recordings, reads a random sample that is the same every time',
  { tags: ['slow'] },
  async () => {
    const { store } = service.services
    for (let index = 0; index < 203; index += 1)
      await insertRecording(service, { start_time: new Date(began), session_id: `session-${index}` })
    const summaries = [await started({ filter: {} }), await started({ filter: {} })]
    await finish()
    const texts = await Promise.all(summaries.map(async ({ id }) => (await read(id)).content))
    expect(summaries[0]).toMatchObject({ matched: 203, total: 200 })
    expect(texts[0]).toContain('A sample of 200 of 203 recordings:')
    expect(texts[1]).toBe(texts[0])
    const items = store.selectFrom('group_summary_items').select('recording_id').orderBy('recording_id')
    const chosen = await items.where('summary_id', '=', summaries[0]?.id ?? '').execute()
    expect(chosen.map((item) => item.recording_id)).not.toEqual(
      Array.from({ length: 200 }, (_, index) => (chosen[0]?.recording_id ?? 0) + index),
    )
  },
)

test('a summary whose process was killed is continued by another one, or at the next start, with the same text', async () => {
  const ids = [await recorded(bought), await recorded(home)]
  const { services } = service
  const killed = async () => {
    const { id } = await started({ ids })
    const get = vi.spyOn(services.objects, 'get').mockReturnValue(new Promise(() => {}))
    void continueGroupSummary(services)
    await vi.waitUntil(() => get.mock.calls.length > 0)
    get.mockRestore()
    expect(await continueGroupSummary(services)).toBe(false)
    return id
  }
  const first = await killed()
  await releaseGroupSummaries(services.store)
  await finish()
  await services.store.updateTable('session_recordings').set({ facts_made_at: null }).execute()
  const second = await killed()
  service.clock.advance(180_000)
  await finish()
  const results = [(await read(first)).result, (await read(second)).result]
  expect(results[0]?.outcomes).toEqual({ completed: 1, left: 1, error: 0 })
  expect(results[1]).toEqual(results[0])
})

test(`POST ${of}/:id/cancel/ returns 200 and stops the summary; one that has ended returns 409`, async () => {
  const { id } = await started({ ids: [await recorded(home)] })
  const cancelled = bodyOf(GroupSummary, await send('POST', `${id}/cancel/`, {}))
  expect([cancelled.status, cancelled.result]).toEqual(['Cancelled', null])
  await finish()
  expect((await read(id)).status).toBe('Cancelled')
  const again = await send('POST', `${id}/cancel/`, {})
  expect([again.status, problemOf(again).detail]).toEqual([
    409,
    'This summary has ended already: start a new one.',
  ])
})

test(`POST ${of}/:id/reword/ returns 200 with a language model's wording, or 409 without one`, async () => {
  const { id } = await started({ ids: [await recorded(home)] })
  expect(problemOf(await send('POST', `${id}/reword/`, {})).detail).toContain('not complete')
  await finish()
  expect(problemOf(await send('POST', `${id}/reword/`, {})).detail).toContain(
    'No language model is configured',
  )
  let asked = ''
  const server = createServer(async (request, response) => {
    for await (const part of request) asked += String(part)
    const content = JSON.stringify({ text: 'One visitor left the home page.' })
    response.end(JSON.stringify({ choices: [{ message: { content } }] }))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  service.services.config.languageModel = { url: `http://127.0.0.1:${port}`, key: 'secret', name: 'small' }
  const worded = bodyOf(GroupSummary, await send('POST', `${id}/reword/`, {}))
  expect(worded.result?.wording).toEqual({ text: 'One visitor left the home page.', model: 'small' })
  expect(worded.content).toContain('One visitor left the home page.')
  expect(asked).toContain('Left at “Home” in 1 recording.')
  expect((await read(id)).result).toEqual(worded.result)
  server.close()
  server.closeAllConnections()
  const failed = await send('POST', `${id}/reword/`, {})
  expect([failed.status, problemOf(failed).detail]).toEqual([
    409,
    'The language model could not be reached. Try again later.',
  ])
  service.services.config.languageModel = null
})
