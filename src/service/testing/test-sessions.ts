import { insertRow } from '../store/schema/rows.ts'
import type { TestService } from './test-service.ts'

export type SessionEvent = {
  session_id: string
  event?: string
  properties?: Record<string, unknown>
  person_properties?: Record<string, unknown>
  /** ISO 8601. */
  timestamp?: string
  uuid?: string
  distinct_id?: string
  team_id?: number
}

/** Inserts events as capture does; resolves to their uuids, in the same order. */
export async function insertEvents({ services, own, clock }: TestService, events: readonly SessionEvent[]) {
  const now = new Date(clock.now()).toISOString()
  const rows = events.map(({ session_id, properties, person_properties, ...event }) => ({
    team_id: own.project_id,
    uuid: crypto.randomUUID(),
    event: '$pageview',
    properties: JSON.stringify({ $session_id: session_id, ...properties }),
    distinct_id: 'visitor',
    timestamp: now,
    created_at: now,
    inserted_at: now,
    elements_chain: '',
    person_id: '00000000-0000-0000-0000-000000000000',
    person_properties: JSON.stringify(person_properties ?? {}),
    ...event,
  }))
  await services.warehouse.insert('events', rows.map((row) => JSON.stringify(row)).join('\n'))
  return rows.map((row) => row.uuid)
}

export type ConsoleEntryInput = { session_id: string; level: string; message: string }

export async function insertConsoleEntries(
  { services, own, clock }: TestService,
  entries: readonly ConsoleEntryInput[],
): Promise<void> {
  const rows = entries.map((entry, position) => ({
    team_id: own.project_id,
    window_id: 'window',
    timestamp: new Date(clock.now()).toISOString(),
    item: crypto.randomUUID(),
    position,
    ...entry,
  }))
  await services.warehouse.insert('console_entries', rows.map((row) => JSON.stringify(row)).join('\n'))
}

export async function insertFailedRequests(
  { services, own }: TestService,
  requests: readonly { session_id: string; host: string; status: number }[],
): Promise<void> {
  const lines = requests.map((request) => JSON.stringify({ team_id: own.project_id, ...request }))
  await services.warehouse.insert('session_failed_requests', lines.join('\n'))
}

/** Inserts a person with these distinct ids; resolves to the person's uuid. */
export async function insertPerson(
  { services, own, clock }: TestService,
  distinctIds: readonly string[],
  properties: Record<string, unknown>,
  project_id = own.project_id,
): Promise<string> {
  const person = await insertRow(services.store, 'persons', {
    project_id,
    uuid: crypto.randomUUID(),
    properties,
    version: 1,
    created_at: new Date(clock.now()),
  })
  const rows = distinctIds.map((distinct_id) => ({
    project_id,
    distinct_id,
    person_id: person.id,
    version: 0,
  }))
  await services.store.insertInto('person_distinct_ids').values(rows).execute()
  return person.uuid
}
