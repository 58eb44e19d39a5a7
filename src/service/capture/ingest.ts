import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import type { DecodedEvent } from './decode.ts'
import { openFlushQueue, type FlushEntry } from './flush-queue.ts'
import type { PersonLedger } from './persons/person-ledger.ts'
import { loadPersons, lockPersons, savePersons } from './persons/person-store.ts'
import { holdWatermark } from '../store/runs/watermark.ts'
import type { PersonStateRow } from '../warehouse/tables.ts'

type EventsOfProject = { projectId: number; events: readonly DecodedEvent[] }
type Request = FlushEntry & EventsOfProject

/** Flush limits; sizes are in characters. */
const limits = { countMax: 2500, sizeMax: 16 * 1024 * 1024, waitingSizeMax: 128 * 1024 * 1024 }

const restSize = 500

export type Ingest = ReturnType<typeof openIngest>

type IngestServices = Pick<Services, 'store' | 'warehouse' | 'clock'>

/** Writes captured events and their persons, batching many requests into each flush. */
export function openIngest(services: IngestServices) {
  const enqueue = openFlushQueue<Request>(limits, (requests) =>
    services.store.transaction().execute((transaction) => storeEvents(services, transaction, requests)),
  )
  return {
    /**
     * Stores events durably. An event sent again with the same uuid counts once.
     * @throws the engine's error. Some of the events may then already be in the warehouse; retrying the same request
     * replaces them.
     */
    async add(projectId: number, events: readonly DecodedEvent[]) {
      const parts = Array.from({ length: Math.ceil(events.length / limits.countMax) }, (_, part) =>
        events.slice(part * limits.countMax, (part + 1) * limits.countMax),
      )
      const stored = parts.map((part) => {
        const size = part.reduce((sum, event) => sum + sizeOf(event), 0)
        return enqueue({ projectId, events: part, count: part.length, size })
      })
      await Promise.all(stored)
    },
  }
}

/** Clients choose the length of these texts. The rest of an event takes about `restSize`. */
function sizeOf({ properties, elementsChain, sessionId }: DecodedEvent): number {
  return restSize + properties.length + elementsChain.length + sessionId.length
}

/** Stores events and their persons; the transaction must end soon, because no window closes before. */
export async function storeEvents(
  { warehouse, clock }: Pick<Services, 'warehouse' | 'clock'>,
  transaction: StoreTransaction,
  requests: readonly EventsOfProject[],
) {
  const ledger = await openLedger(transaction, requests)
  const insertedAt = await holdWatermark(transaction, clock)
  const arrival = new Date(insertedAt).toISOString()
  const events = eventLines(ledger, requests, arrival)
  const persons = personLines(await savePersons(transaction, ledger), arrival)
  // Sequentially: the watermark must not be released during an insert.
  await warehouse.insert('events', events)
  await warehouse.insert('persons', persons)
}

async function openLedger(transaction: StoreTransaction, requests: readonly EventsOfProject[]) {
  const changing = requests.filter(({ events }) => events.some((event) => event.change !== null))
  const changed = changing.map((request) => request.projectId)
  await lockPersons(transaction, changed)
  const keys = requests.flatMap(({ projectId, events }) => {
    const ids = events.flatMap(({ distinctId, change }) =>
      change?.joins ? [distinctId, change.joins] : distinctId,
    )
    return [...new Set(ids)].map((distinctId) => ({ projectId, distinctId }))
  })
  return loadPersons(transaction, keys)
}

function eventLines(ledger: PersonLedger, requests: readonly EventsOfProject[], arrival: string): string {
  const lines = requests.flatMap(({ projectId, events }) =>
    events.map((event) => eventLine(ledger, projectId, event, arrival)),
  )
  return lines.join('\n')
}

function eventLine(ledger: PersonLedger, projectId: number, event: DecodedEvent, arrival: string): string {
  const { personId, personProperties } = ledger.apply(projectId, event)
  // Built by hand for speed, at 10,000 events per second; only strings need escaping.
  return `{"team_id":${projectId},"uuid":"${event.uuid}","event":${JSON.stringify(event.event)},"properties":${JSON.stringify(
    event.properties,
  )},"distinct_id":${JSON.stringify(event.distinctId)},"timestamp":"${new Date(event.timestamp).toISOString()}","created_at":"${arrival}","inserted_at":"${arrival}","elements_chain":${JSON.stringify(
    event.elementsChain,
  )},"person_id":"${personId}","person_properties":${JSON.stringify(personProperties)},"session_id":${JSON.stringify(event.sessionId)}}`
}

function personLines(rows: readonly PersonStateRow[], arrival: string): string {
  return rows.map((row) => JSON.stringify({ ...row, inserted_at: arrival })).join('\n')
}
