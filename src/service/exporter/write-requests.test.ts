import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sentOnly } from '../../contract/runs/ledger.ts'
import { tryDestination } from '../destinations/try-destination.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import type { SentPosition } from '../store/schema/export-tables.ts'
import {
  expectSigned,
  headerSecret,
  idsIn,
  keyOf,
  receivedOnce,
  receiver,
  rowsIn,
  signingSecret,
  webhookDestination,
} from '../testing/exports/test-webhooks.ts'
import { allIds, heavyInterval, insertHeavy } from '../testing/exports/test-uploads.ts'
import { startRebinding } from '../testing/servers/test-rebinding.ts'
import { testNames } from '../testing/test-engines.ts'
import { forgetArrivals } from '../testing/test-clock.ts'
import {
  closeTestExports,
  events,
  failure,
  hour,
  insertOnce,
  jobs,
  openTestExports,
  run,
  runRow,
  start,
  uuid,
  verified,
  written,
} from '../testing/test-exports.ts'
import { exportRun } from './export-run.ts'

beforeAll(() => openTestExports())
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(closeTestExports)

const createWebhook = (url: string, config: Record<string, unknown> = {}, change = {}) =>
  jobs.createExport({ ...webhookDestination(jobs.services, url, config), ...change })

/** Answers with a status, headers and a text. */
const status =
  (code: number, text = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end(text)

test('sends every row once, in signed batches with a key each, and the same ones again', async () => {
  await insertOnce()
  const { origin, received } = await receiver()
  const row = await createWebhook(`${origin}/rows?team=1`, { batch_size: 4 })
  const window = await written(row)
  expect(window).toMatchObject({ rows_written: events.length, rows_expected: events.length, objects: [] })
  expect(received.map((message) => idsIn(message).length)).toEqual([4, 4, 1])
  expect(received.flatMap(idsIn).toSorted()).toEqual(allIds)
  for (const [index, message] of received.entries()) {
    expectSigned(message)
    expect(keyOf(message)).toMatch(new RegExp(`^${row.id}:2026-03-10T12:00:00Z:${index}:[0-9a-f]{16}$`))
    expect(message).toMatchObject({
      path: '/rows?team=1',
      headers: { 'content-type': 'application/json', 'user-agent': 'Spool', authorization: headerSecret },
    })
  }
  await run(row)
  expect(received.slice(3).map(keyOf)).toEqual(received.slice(0, 3).map(keyOf))
  expect(received.slice(3).map(({ body }) => body)).toEqual(received.slice(0, 3).map(({ body }) => body))
  expect(received.slice(0, 3).every(({ body }) => !body.includes(headerSecret))).toBe(true)
})

test('rows arrive as they are, with Unicode, lone surrogates and large numbers', async () => {
  await insertOnce()
  const { origin, received } = await receiver()
  await run(await createWebhook(origin))
  const rows = new Map(received.flatMap(rowsIn).map((row) => [row['uuid'], row]))
  for (const { uuid: id, event } of events) expect(rows.get(id)?.['event']).toBe(event)
  expect(rows.get(uuid(0))?.['properties']).toEqual({ a: 1, nested: { b: [true, null] } })
  expect(rows.get(uuid(4))?.['properties']).toEqual({ s: '\ud800' })
  expect(received[0]?.body).toContain('"n":100000000000000000000')
})

test('batches have at most a megabyte', async () => {
  const ids = await insertHeavy()
  const { origin, received } = await receiver()
  const row = await createWebhook(origin)
  await run(row, heavyInterval)
  expect(received.length).toBeGreaterThan(2)
  for (const { body } of received) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_000_000)
  expect(received.flatMap(idsIn).toSorted()).toEqual(ids)
})

test('a window without rows sends nothing, and its ledger says that it cannot be read back', async () => {
  const { origin, received } = await receiver()
  const row = await createWebhook(origin)
  const interval = {
    data_interval_start: new Date(start - 9 * hour),
    data_interval_end: new Date(start - 8 * hour),
  }
  expect(await run(row, interval)).toMatchObject({ records: 0, total: 0 })
  expect(received).toEqual([])
  await insertOnce()
  const window = await written(row)
  expect(window.problem).toBe(sentOnly)
  expect(await verified(row, window)).toMatchObject({
    problem: sentOnly,
    objects_found: null,
    rows_read: null,
  })
})

/** Runs until the receiver has the batch of this number, and is interrupted then; returns the last kept position. */
async function interrupted(
  url: string,
  config: Record<string, unknown>,
  abort: AbortController,
  change: Partial<RunRow> = {},
) {
  const row = await createWebhook(url, config)
  const positions: SentPosition[] = []
  const attempt = exportRun(jobs.services, row, runRow(row, change), {
    onProgress: () => undefined,
    signal: abort.signal,
    keepPosition: (position) => Promise.resolve(positions.push(position) > 0),
  })
  await expect(attempt).rejects.toThrow()
  return { row, position: positions.at(-1) ?? null }
}

test('after an interruption, the next attempt goes on after the last acknowledged batch', async () => {
  const time = start - 20 * hour
  const ids = Array.from({ length: 9 }, (_, index) => uuid(500 + index))
  await jobs.insertEvents(ids.map((id) => ({ uuid: id, timestamp: time, event: `event ${id.slice(-1)}` })))
  const interval = {
    data_interval_start: new Date(time),
    data_interval_end: new Date(time + hour),
    selects_by: 'time' as const,
  }
  const { origin, received, state } = await receiver()
  const abort = new AbortController()
  state.answer = (response) => {
    // The third batch arrives, but its answer is lost.
    if (received.length === 3) abort.abort(new Error('killed'))
    else response.end()
  }
  const { row, position } = await interrupted(origin, { batch_size: 2 }, abort, interval)
  expect(position).toMatchObject({ batches: 2, rows: 4 })
  // A row that arrives between the attempts does not move the batches.
  const arrival = (position?.takenUntil ?? 0) + 1
  await jobs.insertEvents([{ uuid: uuid(599), timestamp: time, inserted_at: arrival, event: 'a' }])
  state.answer = (response) => void response.end()
  expect(await run(row, { ...interval, sent_position: position })).toMatchObject({ records: 9, total: 9 })
  const numbers = received.map((message) => Number(keyOf(message).split(':').at(-2)))
  expect(numbers).toEqual([0, 1, 2, 2, 3, 4])
  expect(new Set(received.map(keyOf)).size).toBe(5)
  expect(receivedOnce(received).toSorted()).toEqual(ids)
})

test('an attempt begins again if the batches are no longer those that were acknowledged', async () => {
  await insertOnce()
  const { origin, received, state } = await receiver()
  const abort = new AbortController()
  state.answer = (response) => {
    if (received.length === 3) abort.abort(new Error('killed'))
    else response.end()
  }
  const { row, position } = await interrupted(origin, { batch_size: 2 }, abort)
  state.answer = (response) => void response.end()
  for (const change of [{ batch_size: 3 }, { url: `${origin}/moved`, batch_size: 2 }, { batch_size: 9 }]) {
    received.length = 0
    const moved = { ...row, destination_config: { ...row.destination_config, ...change } }
    expect(await run(moved, { sent_position: position })).toMatchObject({ records: events.length })
    expect(received.flatMap(idsIn).toSorted(), JSON.stringify(change)).toEqual(allIds)
  }
})

test('an attempt that is no longer current sends no more', async () => {
  await insertOnce()
  const { origin, received } = await receiver()
  const row = await createWebhook(origin, { batch_size: 1 })
  const attempt = exportRun(jobs.services, row, runRow(row), {
    onProgress: () => undefined,
    signal: new AbortController().signal,
    keepPosition: ({ batches }) => Promise.resolve(batches < 2),
  })
  await expect(attempt).rejects.toThrow('belongs to another worker')
  expect(received).toHaveLength(2)
})

test('a busy or failing receiver gets the same batch again', async () => {
  await insertOnce()
  const { origin, received, state } = await receiver()
  const answers = [
    status(429, '', { 'retry-after': '1' }),
    status(500),
    status(200),
    (response: ServerResponse) => void response.destroy(),
  ]
  state.answer = (response) => (answers[received.length - 1] ?? status(204))(response)
  await run(await createWebhook(origin))
  expect(received).toHaveLength(3)
  await run(await createWebhook(origin))
  expect(received).toHaveLength(5)
  expect(new Set(received.map(keyOf)).size).toBe(2)
})

test('what a receiver asks for is not exceeded: an attempt ends rather than wait for long', async () => {
  await insertOnce()
  const { origin, received, state } = await receiver()
  state.answer = status(503, 'maintenance', { 'retry-after': '3600' })
  expect(await failure(await createWebhook(origin))).toEqual({
    permanent: false,
    message: `${origin} is not available at the moment: see the log of the receiver. (HTTP_503 maintenance)`,
  })
  expect(received).toHaveLength(1)
})

test.each([
  [301, 'redirects to another URL'],
  [400, 'refused the rows'],
  [401, 'Access was denied'],
  [404, 'accepts no rows at this URL'],
  [410, 'accepts no rows at this URL'],
  [413, 'refuses requests of this size'],
])('a refusal with status %i is permanent and explained', async (code, message) => {
  await insertOnce()
  const { origin, received, state } = await receiver()
  const other = await receiver()
  state.answer = status(code, 'timeout at the socket', { location: other.origin })
  const row = await createWebhook(origin)
  const found = await failure(row)
  expect(found.message).toContain(message)
  expect(found.permanent).toBe(true)
  expect([received.length, other.received.length]).toEqual([1, 0])
})

test('secrets that a receiver repeats are in no error, and its text is cut', async () => {
  await insertOnce()
  const { origin, state } = await receiver()
  const [, token = ''] = headerSecret.split(' ')
  state.answer = status(400, `${JSON.stringify({ headerSecret, token, signingSecret })} ${'x'.repeat(5000)}`)
  const row = await createWebhook(origin)
  const { message } = await failure(row)
  const tested = JSON.stringify(await tryDestination(jobs.services, row))
  for (const text of [message, tested]) {
    for (const secret of [headerSecret, token, signingSecret]) expect(text).not.toContain(secret)
    expect(text).toContain('***')
  }
  expect(message.length).toBeLessThan(400)
})

test('a destination test sends a signed request without rows', async () => {
  const { origin, received, state } = await receiver()
  const row = await createWebhook(`${origin}/rows`)
  const { ok, steps } = await tryDestination(jobs.services, row)
  expect(ok, JSON.stringify(steps)).toBe(true)
  expect(steps.map(({ name }) => name)).toEqual(['Address', 'Reach', 'TLS', 'Write'])
  expect(received).toMatchObject([{ path: '/rows', body: '[]', headers: { 'spool-test': 'true' } }])
  for (const message of received) expectSigned(message)
  state.answer = status(403, 'no')
  const failed = (await tryDestination(jobs.services, row)).steps.at(-1)
  expect(failed).toMatchObject({
    name: 'Write',
    status: 'failed',
    detail: expect.stringContaining('HTTP_403'),
  })
})

test('a destination test ends at its limit when the receiver does not answer', async () => {
  const { origin, state } = await receiver()
  state.answer = () => undefined
  const { steps } = await tryDestination(jobs.services, await createWebhook(origin), { limitMs: 500 })
  expect(steps.at(-1)).toMatchObject({
    name: 'Write',
    status: 'failed',
    detail: expect.stringContaining('0.5'),
  })
})

test('a receiver over TLS is checked', async () => {
  await insertOnce()
  const { port } = await receiver()
  const row = await createWebhook(`https://127.0.0.1:${port}`)
  const { steps } = await tryDestination(jobs.services, row)
  expect(steps.find(({ status: found }) => found === 'failed')).toMatchObject({
    name: 'TLS',
    detail: expect.stringContaining('No secure connection'),
  })
})

test('rows are sent only to the address that was checked', async () => {
  await insertOnce()
  const { port, received } = await receiver()
  const { host, lookups, stray, stop } = await startRebinding(port)
  const row = await createWebhook(`http://${host}`, { batch_size: 3 })
  await run(row).finally(stop)
  expect(received.flatMap(idsIn)).toHaveLength(events.length)
  expect([lookups(), stray()]).toEqual([1, 0])
})

test('nothing is sent to a host in a private network', async () => {
  await insertOnce()
  testNames.set('inside.test', () => '10.0.0.1')
  for (const url of ['http://inside.test', 'http://10.0.0.1', 'http://[fd00::1]/']) {
    const row = await createWebhook(url)
    expect(await failure(row)).toMatchObject({
      permanent: true,
      message: expect.stringContaining('not on the public internet'),
    })
    const { steps } = await tryDestination(jobs.services, row)
    expect(steps.map(({ status: found }) => found)).toEqual(['failed', 'skipped', 'skipped', 'skipped'])
  }
  testNames.delete('inside.test')
})
