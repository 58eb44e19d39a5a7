import { sql } from 'kysely'
import { testClock } from './test-clock.ts'
import { testEngines } from './test-engines.ts'
import { openStore } from '../store/schema/database.ts'
import { createTables } from '../warehouse/tables.ts'
import { decodeCapture, type DecodedEvent } from '../capture/decode.ts'
import { openIngest } from '../capture/ingest.ts'

export type TestIngest = Awaited<ReturnType<typeof testIngest>>

const now = Date.UTC(2026, 0, 5, 10, 20, 30, 400)

/** Opens ingest on real engines at a fixed time, with functions that read the stored rows. */
export async function testIngest() {
  const engines = await testEngines()
  const { warehouse } = engines
  const store = openStore(engines.postgres.pool)
  await createTables(warehouse)
  const clock = testClock(now)
  const ingest = openIngest({ store, warehouse, clock })
  let lastProject = engines.firstProjectId

  return {
    store,
    warehouse,
    clock,
    ingest,
    newProject: () => (lastProject += 1),
    async capture(project: number, items: readonly unknown[]): Promise<void> {
      await ingest.add(project, await decoded(items))
    },
    async events(project: number): Promise<Record<string, unknown>[]> {
      const rows = await warehouse.query<Record<string, unknown>>(
        `SELECT uuid, event, distinct_id, timestamp, created_at, inserted_at, properties, elements_chain, person_id, person_properties
         FROM events FINAL WHERE team_id = {project: Int64} ORDER BY timestamp, event, distinct_id, uuid`,
        { params: { project } },
      )
      return rows.map((row) => ({
        ...row,
        properties: JSON.parse(String(row['properties'])),
        person_properties: JSON.parse(String(row['person_properties'])),
      }))
    },
    async personRows(project: number): Promise<Record<string, unknown>[]> {
      const rows = await warehouse.query<Record<string, unknown>>(
        `SELECT * FROM persons WHERE team_id = {project: Int64} ORDER BY person_version, distinct_id, is_deleted`,
        { params: { project } },
      )
      return rows.map((row) => ({ ...row, properties: JSON.parse(String(row['properties'])) }))
    },
    persons: (project: number) =>
      store.selectFrom('persons').selectAll().where('project_id', '=', project).orderBy('id').execute(),
    async distinctIds(project: number): Promise<Record<string, string>> {
      const { rows } = await sql<{ distinct_id: string; uuid: string }>`
        SELECT d.distinct_id, p.uuid FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id
        WHERE d.project_id = ${project} ORDER BY d.distinct_id`.execute(store)
      return Object.fromEntries(rows.map((row) => [row.distinct_id, row.uuid]))
    },
    cleanup: () => engines.cleanup(),
  }
}

/** Decodes the items of a batch, or the JSON of one item, as capture does. */
export async function decoded(body: readonly unknown[] | string): Promise<DecodedEvent[]> {
  const text =
    typeof body === 'string'
      ? `{"api_key":"t","batch":[${body}]}`
      : JSON.stringify({ api_key: 't', batch: body })
  const { events } = await decodeCapture({ body: Buffer.from(text), path: '/e/', query: {} }, now)
  return events
}

export function testUuid(batch: number, index: number): string {
  return `00000000-0000-4000-8000-${String(batch * 1000 + index).padStart(12, '0')}`
}
