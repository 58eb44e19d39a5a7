import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { EventType, IncrementalSource } from '../../../replay/recorded/rrweb.ts'
import { insertBlock, insertRecording } from '../../testing/test-recordings.ts'
import { createTestService, type TestService } from '../../testing/test-service.ts'
import { began, page } from '../../testing/test-session.ts'
import { SessionFollower } from '../facts/follow-session.ts'
import { PageNodes } from '../../../replay/page-nodes.ts'
import { NodeTable } from '../facts/node-table.ts'
import { readSession } from './read-session.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
afterEach(() => vi.restoreAllMocks())
beforeEach(() => service.clock.set('2026-03-04T10:30:00Z'))

type Add = { parentId: number; nextId: number | null; node: object }
const element = (id: number) => ({ type: 2, id, tagName: 'div', attributes: {}, childNodes: [] })
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1000)

/** Mutations of a forged page, each as large as its number of nodes; node 1 is the page's body. */
const hostile: Record<string, (count: number) => Add[]> = {
  'each before the last': (count) =>
    numbers(count).map((id) => ({ parentId: 1, nextId: id === 1000 ? null : id - 1, node: element(id) })),
  'each after the last': (count) =>
    numbers(count).map((id) => ({ parentId: 1, nextId: null, node: element(id) })),
  'each in the last': (count) =>
    numbers(count).map((id) => ({ parentId: id === 1000 ? 1 : id - 1, nextId: null, node: element(id) })),
  'each in the next': (count) =>
    numbers(count)
      .toReversed()
      .map((id) => ({ parentId: id === 1000 ? 1 : id - 1, nextId: null, node: element(id) })),
  'the same node again and again': (count) =>
    numbers(count).map(() => ({ parentId: 1, nextId: null, node: element(1000) })),
}

function mutation(adds: readonly Add[]) {
  const data = { source: IncrementalSource.Mutation, adds, removes: [], texts: [], attributes: [] }
  return { type: EventType.IncrementalSnapshot, timestamp: began + 2000, data }
}

test.each(Object.entries(hostile))(
  'the steps to read added nodes grow with their number: %s',
  (_name, addsOf) => {
    const steps = (count: number) => {
      const table = new NodeTable({
        node: { type: 2, id: 1, tagName: 'body', attributes: {}, childNodes: [] },
      })
      const get = vi.spyOn(PageNodes.prototype, 'get')
      table.mutate({ ...mutation(addsOf(count)).data })
      const { length } = get.mock.calls
      get.mockRestore()
      return length
    }
    expect(steps(4000) / steps(1000)).toBeLessThan(4.5)
  },
)

test('what a stranger recorded is read in a thread', async () => {
  const row = await insertRecording(service, { start_time: new Date(began) })
  const events = page(0, 'https://shop.example/', 'Shop').map(
    ({ window, ...event }) => [window, event] as const,
  )
  const forged = Object.values(hostile).map((addsOf) => ['w1', mutation(addsOf(5000))] as const)
  await insertBlock(service, row, 0, [...events, ...forged])
  const followed = vi.spyOn(SessionFollower.prototype, 'addReplayEvent')
  const read = await readSession(
    service.services,
    { ...row, block_count: 1 },
    { ongoing: false, device: null, waiting: 'requests' },
  )
  expect(read.summary.sentences[0]?.text).toContain('A visit to shop.example')
  expect(followed).not.toHaveBeenCalled()
})
