import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/database.ts'
import type { CapturedEvent } from './decode.ts'
import type { PersonLedger } from './person-ledger.ts'
import { loadPersons, lockPersons, savePersons, type PersonRow } from './person-store.ts'
import { holdWatermark } from './watermark.ts'

type Request = {
  projectId: number
  events: readonly CapturedEvent[]
  size: number
  done: PromiseWithResolvers<void>
}

/** How long the first request of a flush waits for company. */
const gatherMs = 10
const flushEventsMax = 2500
/** In characters of the events' properties. */
const flushSizeMax = 16 * 1024 * 1024
/** What may wait for its flush when the engines are slow; clients keep the rest and come again. */
const waitingSizeMax = 128 * 1024 * 1024

/** The columns that an event is inserted with. */
export const eventColumns = [
  'team_id',
  'uuid',
  'event',
  'properties',
  'distinct_id',
  'timestamp',
  'created_at',
  'inserted_at',
  'elements_chain',
  'person_id',
  'person_properties',
]
const personColumns = [
  'team_id',
  'distinct_id',
  'person_id',
  'properties',
  'person_version',
  'person_distinct_id_version',
  'created_at',
  'is_deleted',
  'inserted_at',
]

export type Ingest = {
  /**
   * Resolves when the events are durable. An event sent again, with its uuid, counts once.
   * @throws what the engine threw; the flush that held these events then left no trace but perhaps some of them, which
   * the same request sent again replaces.
   */
  add(projectId: number, events: readonly CapturedEvent[]): Promise<void>
}

type IngestServices = Pick<Services, 'store' | 'warehouse' | 'clock'>

/** Writes captured events and their persons, many requests at once, one flush after the other. */
export function openIngest(services: IngestServices): Ingest {
  const waiting: Request[] = []
  let waitingSize = 0
  let isFlushing = false

  async function flushAll(): Promise<void> {
    isFlushing = true
    await delay(gatherMs)
    while (waiting.length > 0) {
      const requests = takeFlush(waiting)
      waitingSize -= sizeOf(requests)
      try {
        await flush(services, requests)
        for (const request of requests) request.done.resolve()
      } catch (error) {
        for (const request of requests) request.done.reject(error)
      }
    }
    isFlushing = false
  }

  return {
    add(projectId, events) {
      if (events.length === 0) return Promise.resolve()
      if (waitingSize > waitingSizeMax) return Promise.reject(new Error('too many events wait to be stored'))
      const size = events.reduce((sum, event) => sum + event.properties.length, 0)
      waitingSize += size
      const done = Promise.withResolvers<void>()
      waiting.push({ projectId, events, size, done })
      if (!isFlushing) void flushAll()
      return done.promise
    },
  }
}

function sizeOf(requests: readonly Request[]): number {
  return requests.reduce((sum, request) => sum + request.size, 0)
}

/** The oldest requests, at least one, at most what a flush holds; they wait no more. */
function takeFlush(waiting: Request[]): Request[] {
  let events = 0
  let size = 0
  const fits = (request: Request) =>
    (events += request.events.length) <= flushEventsMax && (size += request.size) <= flushSizeMax
  const end = waiting.findIndex((request, index) => !fits(request) && index > 0)
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

async function flush(
  { store, warehouse, clock }: IngestServices,
  requests: readonly Request[],
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    const ledger = await openLedger(transaction, requests)
    const insertedAt = await holdWatermark(transaction, clock)
    const arrival = new Date(insertedAt).toISOString()
    const events = eventLines(ledger, requests, arrival)
    const persons = personLines(await savePersons(transaction, ledger), arrival)
    // One after the other: the watermark must not fall while an insert is under way.
    await warehouse.insert('events', eventColumns, events)
    await warehouse.insert('persons', personColumns, persons)
  })
}

async function openLedger(
  transaction: StoreTransaction,
  requests: readonly Request[],
): Promise<PersonLedger> {
  const changing = requests.filter(({ events }) => events.some((event) => event.change !== null))
  await lockPersons(
    transaction,
    changing.map((request) => request.projectId),
  )
  const keys = requests.flatMap(({ projectId, events }) => {
    const ids = events.flatMap(({ distinctId, change }) =>
      change?.joins ? [distinctId, change.joins] : [distinctId],
    )
    return [...new Set(ids)].map((distinctId) => ({ projectId, distinctId }))
  })
  return loadPersons(transaction, keys)
}

function eventLines(ledger: PersonLedger, requests: readonly Request[], arrival: string): string {
  const lines: string[] = []
  for (const { projectId, events } of requests) {
    for (const event of events) lines.push(eventLine(ledger, projectId, event, arrival))
  }
  return lines.join('\n')
}

function eventLine(ledger: PersonLedger, projectId: number, event: CapturedEvent, arrival: string): string {
  const { personId, personProperties } = ledger.apply(projectId, event)
  // Put together by hand, as it is done for each of 10,000 events a second; texts alone need escaping.
  return `{"team_id":${projectId},"uuid":"${event.uuid}","event":${JSON.stringify(event.event)},"properties":${JSON.stringify(
    event.properties,
  )},"distinct_id":${JSON.stringify(event.distinctId)},"timestamp":"${new Date(event.timestamp).toISOString()}","created_at":"${arrival}","inserted_at":"${arrival}","elements_chain":${JSON.stringify(
    event.elementsChain,
  )},"person_id":"${personId}","person_properties":${JSON.stringify(personProperties)}}`
}

function personLines(rows: readonly PersonRow[], arrival: string): string {
  return rows.map((row) => JSON.stringify({ ...row, inserted_at: arrival })).join('\n')
}
