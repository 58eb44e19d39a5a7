import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BatchExport } from '../../contract/exports/batch-export.ts'
import { claimDeliveries } from '../store/alerts/alert-deliveries.ts'
import { createChannel, createRule } from '../testing/test-alerts.ts'
import { startReceiver, type TestReceiver } from '../testing/servers/test-receiver.ts'
import { createExport, insertRun, ownPrefix } from '../testing/test-rows.ts'
import { createTestService, type TestService } from '../testing/test-service.ts'
import { openDeliverer } from './deliverer.ts'
import { evaluateRules } from './evaluate-rules.ts'
import { sendDelivery } from './send-delivery.ts'
import { storeHeartbeat } from './alert-loops.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.parse('2026-03-04T10:00:00Z')
const problem = 'http://127.0.0.1:9 refused the connection: check that the store is running. (ECONNREFUSED)'

let service: TestService
let receiver: TestReceiver
let project: number

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  receiver = await startReceiver()
  project = service.own.project_id
})
afterAll(async () => {
  receiver.stop()
  await service.stop()
})
beforeEach(reset)

async function reset(): Promise<void> {
  const { store } = service.services
  service.clock.set(new Date(start).toISOString())
  for (const table of ['incidents', 'alert_channels', 'alert_rules', 'batch_export_runs'] as const)
    await store.deleteFrom(table).execute()
  await store
    .updateTable('alert_watch')
    .set({ evaluated_at: new Date(0), watching_since: new Date(0), warehouse_at: new Date(0) })
    .execute()
  receiver.received.length = 0
  receiver.state.answer = (response) => response.end()
}

/** Creates exports that write to stores at these ports; no schedule of theirs is due during a test. */
async function exportsTo(ports: readonly number[]): Promise<BatchExport[]> {
  const { config, ...destination } = ownPrefix()
  const made: BatchExport[] = []
  for (const [index, port] of ports.entries())
    made.push(
      await createExport(service, {
        name: `Export ${index}`,
        start_at: '2026-06-01',
        destination: {
          ...destination,
          config: { ...config, prefix: `${crypto.randomUUID()}/`, endpoint_url: `http://127.0.0.1:${port}` },
        },
      }),
    )
  return made
}

/** Inserts the outcome of the window that ended at the last full hour. */
async function finish(made: BatchExport, fails: boolean, origin: 'schedule' | 'retry' = 'schedule') {
  const end = Math.floor(service.clock.now() / hour) * hour
  await insertRun(service, made, {
    origin,
    status: fails ? 'Failed' : 'Completed',
    data_interval_start: new Date(end - hour),
    data_interval_end: new Date(end),
    finished_at: new Date(service.clock.now()),
    latest_error: fails ? problem : null,
  })
}

async function evaluate(): Promise<void> {
  await storeHeartbeat(service.services)
  // As two processes do at once.
  await Promise.all([evaluateRules(service.services), evaluateRules(service.services)])
}

async function deliver(): Promise<void> {
  const deliverer = openDeliverer(service.services)
  while ((await deliverer.sendDue()) > 0) await deliverer.idle()
  await deliverer.stop()
}

test('a store that fails for six hours under twenty hourly exports is one incident with one message; so is its recovery', async () => {
  const made = await exportsTo(Array.from({ length: 20 }, () => 9))
  await createChannel(service, project, { url: receiver.origin })
  await createRule(service, project, { kind: 'failed', remind_minutes: 240 })
  let attempts = 0
  // Every third request fails.
  receiver.state.answer = (response) => response.writeHead(attempts++ % 3 === 0 ? 503 : 200).end()
  const pass = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed += 20) {
      service.clock.advance(20 * minute)
      await evaluate()
      await deliver()
    }
  }
  for (let hours = 0; hours < 6; hours += 1) {
    for (const each of made) await finish(each, true)
    await pass(60)
  }
  for (const each of made) await finish(each, false)
  await pass(40)
  const { store } = service.services
  const incidents = await store.selectFrom('incidents').select(['kind', 'destination']).execute()
  expect(incidents).toEqual([{ kind: 'failed', destination: 'http://127.0.0.1:9' }])
  const told = new Map(receiver.received.map(({ body }) => JSON.parse(body)).map((body) => [body.id, body]))
  expect([...told.values()].map(({ transition, title }) => `${transition}: ${title}`)).toEqual([
    'opened: 20 exports fail: http://127.0.0.1:9',
    'reminded: 20 exports fail: http://127.0.0.1:9',
    'recovered: 20 exports fail: http://127.0.0.1:9',
  ])
  const last = [...told.values()].at(-1)
  expect([last.url, last.incident.export_count]).toEqual([expect.stringMatching(/\/repair$/), 20])
}, 30_000)

type Step = {
  fails: boolean[]
  answers: boolean[]
  /** What happens to the process that sends: it works, or it dies before or after it has sent. */
  sender: 'works' | 'dies before' | 'dies after'
}
const steps = fc.array(
  fc.record({
    fails: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    answers: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
    sender: fc.constantFrom('works', 'dies before', 'dies after'),
  }),
  { minLength: 1, maxLength: 6 },
)

/** The transitions that each store should have, from the failures alone: opened when the first export fails, recovered after the last. */
function expected(history: readonly Step[], ports: readonly number[]): string[] {
  return [...new Set(ports)].flatMap((port) => {
    let isOpen = false
    return history.flatMap(({ fails }) => {
      const failing = fails.some((one, index) => one && ports[index] === port)
      const transition = failing === isOpen ? [] : [`${port} ${failing ? 'opened' : 'recovered'}`]
      isOpen = failing
      return transition
    })
  })
}

async function send({ sender }: Step): Promise<void> {
  if (sender === 'works') return await deliver()
  const { services, clock } = service
  const claimed = await claimDeliveries(services.store, {
    now: clock.now(),
    claimMs: minute,
    busy: [],
    max: 20,
  })
  if (sender === 'dies before') return
  for (const delivery of claimed) {
    const channel = await services.store
      .selectFrom('alert_channels')
      .selectAll()
      .where('id', '=', delivery.channel_id ?? '')
      .executeTakeFirstOrThrow()
    await sendDelivery(services, channel, delivery, new AbortController().signal)
  }
}

test('whatever fails, dies or answers with errors, no transition is lost, repeated or added', async () => {
  const ports = [9, 9, 8, 8]
  const made = await exportsTo(ports)
  const property = fc.asyncProperty(steps, async (history) => {
    await reset()
    await createChannel(service, project, { name: 'One', url: `${receiver.origin}/one` })
    await createChannel(service, project, { name: 'Two', url: `${receiver.origin}/two` })
    for (const step of history) {
      service.clock.advance(hour)
      for (const [index, each] of made.entries()) await finish(each, step.fails[index] ?? false)
      let count = 0
      receiver.state.answer = (response) =>
        response.writeHead(step.answers[count++ % step.answers.length] ? 200 : 500).end()
      await evaluate()
      await send(step)
    }
    receiver.state.answer = (response) => response.end()
    for (let hours = 0; hours < 12; hours += 1) {
      service.clock.advance(hour)
      await deliver()
    }
    for (const path of ['/one', '/two']) {
      const told = receiver.received
        .filter((message) => message.path === path)
        .map(({ body }) => JSON.parse(body))
      const once = [...new Map(told.map((body) => [body.id, body])).values()]
      const of = (port: number) =>
        once
          .filter(({ incident }) => incident.destination === `http://127.0.0.1:${port}`)
          .sort((a, b) => a.created_at.localeCompare(b.created_at))
          .map(({ transition }) => `${port} ${transition}`)
      expect([...of(9), ...of(8)]).toEqual(expected(history, ports))
    }
    const waiting = await service.services.store
      .selectFrom('alert_deliveries')
      .select('id')
      .where('status', '<>', 'delivered')
      .execute()
    expect(waiting).toEqual([])
  })
  await fc.assert(property, { numRuns: 8, interruptAfterTimeLimit: 4000 })
}, 60_000)
