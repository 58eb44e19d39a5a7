import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IncrementalSource, MouseInteractions } from '../../../replay/recorded/rrweb.ts'
import type { Objects } from '../../engines/objects/objects.ts'
import { blockFolder } from '../../snapshots/blocks.ts'
import { decodeCapture } from '../decode.ts'
import {
  now,
  recorded,
  requestWith,
  snapshotItem,
  testReplay,
  type TestReplay,
} from '../../testing/test-replay.ts'
import { openReplayIngest } from './replay-ingest.ts'
import type { ReplayItem } from './replay-item.ts'

let testing: TestReplay

beforeAll(async () => {
  testing = await testReplay()
})
afterAll(() => testing.cleanup())

test('stores the same recording for items in any order, split or repeated', async () => {
  const at = fc.integer({ min: 0, max: 60_000 })
  const event = fc.oneof(
    fc
      .tuple(at, fc.constantFrom(...Object.values(IncrementalSource)))
      .map(([at, source]) => recorded.source(at, source)),
    fc
      .tuple(at, fc.constantFrom(...Object.values(MouseInteractions)))
      .map(([at, type]) => recorded.interaction(at, type)),
    fc.tuple(at, fc.webUrl()).map(([at, url]) => recorded.page(at, url)),
    fc.tuple(at, fc.constantFrom('log', 'warn', 'error')).map(([at, level]) => recorded.log(at, level, at)),
    fc
      .tuple(at, fc.array(fc.constantFrom(0, 200, 404, 500), { maxLength: 3 }))
      .map(([at, statuses]) => recorded.requests(at, ...statuses.map(requestWith))),
  )
  const item = fc.record({
    uuid: fc.uuid(),
    distinctId: fc.constantFrom('a', 'b', 'c'),
    windowId: fc.constantFrom('w1', 'w2'),
    source: fc.constantFrom('web', 'mobile', ''),
    events: fc.array(event, { minLength: 1, maxLength: 8 }),
  })
  const items = fc.uniqueArray(item, { minLength: 1, maxLength: 12, selector: ({ uuid }) => uuid })
  const plan = items.chain((all) => {
    const shuffled = fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })
    const batches = fc.array(fc.subarray(all, { minLength: 1 }), { maxLength: 5 })
    return fc.record({ all: fc.constant(all), shuffled, batches, atOnce: fc.boolean() })
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ all, shuffled, batches, atOnce }) => {
      const [whole, parts] = [randomUUID(), randomUUID()]
      await testing.send(all.map((given) => snapshotItem(whole, given)))
      const requests = [...batches, shuffled.slice(0, 3), shuffled.slice(3), ...batches.slice(0, 1)]
      const send = async (batch: typeof all) => {
        if (batch.length > 0) await testing.send(batch.map((given) => snapshotItem(parts, given)))
      }
      if (atOnce) await Promise.all(requests.map(send))
      else for (const batch of requests) await send(batch)
      expect(await comparable(parts)).toEqual(await comparable(whole))
    }),
    { numRuns: 10 },
  )
})

async function comparable(session: string) {
  const { id: _, session_id: __, block_count, ...row } = await testing.recording(session)
  const blocks = await testing.blocks(session)
  expect(blocks).toHaveLength(block_count)
  const consoleEntries = await testing.consoleEntries(session)
  const failedRequests = await testing.failedRequests(session)
  return {
    row,
    lines: blocks.flatMap((block) => block.split('\n')).sort(),
    failedRequests,
    messages: consoleEntries.map(({ message, level }) => `${level} ${message}`).sort(),
  }
}

test('counts an item sent to two services at the same time only once, and leaves no object behind', async () => {
  const other = openReplayIngest(testing.services)
  const sessions = Array.from({ length: 8 }, () => randomUUID())
  const itemOf = (session: string, index: number) =>
    snapshotItem(session, {
      events: [
        recorded.interaction(index * 1000, MouseInteractions.Click),
        recorded.log(index, 'log', index),
      ],
    })
  const items = [0, 1, 2].flatMap((index) => sessions.map((session) => itemOf(session, index)))
  const shared = items.slice(8)
  await Promise.all([
    other.add(testing.projectId, await replayOf(shared.toReversed())),
    testing.send(items.slice(0, 16)),
  ])
  for (const session of sessions) {
    expect(await testing.recording(session)).toMatchObject({ click_count: 3, console_log_count: 3 })
    const blocks = await testing.blocks(session)
    const lines = blocks.flatMap((block) => block.split('\n'))
    expect(lines).toHaveLength(6)
    expect(new Set(lines).size).toBe(6)
    expect(await objectsOf(session)).toHaveLength(blocks.length)
  }
})

test('counts a repeated item without a uuid once', async () => {
  const session = randomUUID()
  const { uuid: _, ...item } = snapshotItem(session, {
    events: [recorded.interaction(0, MouseInteractions.Click)],
  })
  const { uuid: __, ...later } = snapshotItem(session, {
    events: [recorded.interaction(1, MouseInteractions.Click)],
  })
  await testing.send([item])
  await testing.send([item, later])
  expect(await testing.recording(session)).toMatchObject({ click_count: 2, block_count: 2 })
})

test('acknowledges and drops data for a deleted recording', async () => {
  const session = randomUUID()
  await testing.send([snapshotItem(session, { events: [recorded.interaction(0, MouseInteractions.Click)] })])
  const before = await testing.recording(session)
  const deleted_at = new Date(now)
  await testing.services.store
    .updateTable('session_recordings')
    .set({ deleted_at })
    .where('id', '=', before.id)
    .execute()
  await testing.send([snapshotItem(session, { events: [recorded.log(9000, 'error', 'secret')] })])
  expect(await testing.recording(session)).toEqual({ ...before, deleted_at })
  expect(await objectsOf(session)).toHaveLength(1)
  expect(await testing.consoleEntries(session)).toEqual([])
})

test.each(['objects', 'warehouse'])('leaves nothing behind when storing fails (%s)', async (engine) => {
  const sessions = [randomUUID(), randomUUID()]
  const { services } = testing
  const fail = () => Promise.reject(new Error('disk full'))
  let puts = 0
  const put: Objects['put'] = (key, bytes) => (puts++ === 0 ? fail() : services.objects.put(key, bytes))
  const broken = openReplayIngest({
    ...services,
    ...(engine === 'objects'
      ? { objects: { ...services.objects, put } }
      : { warehouse: { ...services.warehouse, insert: fail } }),
  })
  const items = sessions.map((session) => snapshotItem(session, { events: [recorded.log(0, 'log', 'text')] }))
  await expect(broken.add(testing.projectId, await replayOf(items))).rejects.toThrow('disk full')
  for (const session of sessions) {
    await expect(testing.recording(session)).rejects.toThrow('no result')
    expect(await objectsOf(session)).toEqual([])
  }
  await testing.send(items)
  for (const session of sessions)
    expect(await testing.recording(session)).toMatchObject({ console_log_count: 1, block_count: 1 })
})

async function replayOf(items: readonly unknown[]): Promise<ReplayItem[]> {
  const body = Buffer.from(JSON.stringify({ api_key: 'phc_1', batch: items }))
  const { replay } = await decodeCapture({ body, path: '/s/', query: {} }, now)
  return replay
}

function objectsOf(session: string): Promise<string[]> {
  return testing.services.objects.list(blockFolder(testing.projectId, session))
}
