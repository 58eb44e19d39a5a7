import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { windowAt } from '../../contract/interval.ts'
import { createOrganization } from '../auth/new-organization.ts'
import type { Services } from '../services.ts'
import { insertBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import { newId } from '../store/schema/identifier.ts'
import { findRows } from '../store/schema/rows.ts'
import { testServices } from './test-services.ts'

export type TestJobs = Awaited<ReturnType<typeof testJobs>>

export type EventInput = {
  uuid?: string
  event?: string
  distinct_id?: string
  properties?: string
  /** Milliseconds since the epoch, like `inserted_at`. */
  timestamp: number
  inserted_at?: number
  person_id?: string
}

/** Opens services on real engines, with a clock that the test sets and a new project. */
export async function testJobs(start = Date.UTC(2026, 2, 10, 12)) {
  const clock = { time: start, now: () => clock.time, databaseTime: () => clock.time }
  const { services, pool, stop } = await testServices(clock, { privateDestinations: 'loopback' })
  const { store } = services
  const names = { name: 'Test', projectName: 'Test', keyLabel: 'Test' }
  const { project_id: projectId } = await createOrganization(store, start, names)

  return {
    services,
    pool,
    clock,
    projectId,
    /** The folder of the project's exported files. */
    folder: join(services.exportsFolder ?? '', String(projectId)),
    createExport: (change: Partial<BatchExportRow> = {}) => createExport(services, projectId, change),
    insertEvents: (events: readonly EventInput[]) => insertEvents(services, projectId, events),
    runs: (batch_export_id: string) =>
      findRows(store, 'batch_export_runs', { batch_export_id }, sql`ORDER BY data_interval_start, id`),
    logs: async (batch_export_id: string) => {
      const rows = await findRows(store, 'batch_export_logs', { batch_export_id }, sql`ORDER BY id`)
      return rows.map(({ message }) => message)
    },
    cleanup: stop,
  }
}

/** Returns the columns of a destination in the bucket `exports`, unless the config names another. */
export function s3Destination(
  { secrets }: Services,
  config: Record<string, unknown>,
  aws_secret_access_key = 'S3RVER',
): Pick<BatchExportRow, 'destination_type' | 'destination_config' | 'destination_secrets'> {
  return {
    destination_type: 'S3',
    destination_config: { bucket_name: 'exports', region: 'us-east-1', ...config },
    destination_secrets: secrets.seal(JSON.stringify({ aws_access_key_id: 'S3RVER', aws_secret_access_key })),
  }
}

async function createExport(services: Services, projectId: number, change: Partial<BatchExportRow>) {
  const now = new Date(services.clock.now())
  return await insertBatchExport(services.store, {
    id: newId(now.getTime()),
    project_id: projectId,
    name: 'Events',
    model: 'events',
    destination_type: 'File',
    destination_config: { path: 'events' },
    interval: 'hour',
    paused: false,
    created_at: now,
    last_updated_at: now,
    scheduled_until: new Date(windowAt('hour', now.getTime()).start),
    ...change,
  })
}

export async function insertEvents(services: Services, teamId: number, events: readonly EventInput[]) {
  const time = (milliseconds: number) => new Date(milliseconds).toISOString()
  const lines = events.map((event) =>
    JSON.stringify({
      team_id: teamId,
      uuid: event.uuid ?? randomUUID(),
      event: event.event ?? '$pageview',
      properties: event.properties ?? '{}',
      distinct_id: event.distinct_id ?? 'someone',
      timestamp: time(event.timestamp),
      created_at: time(event.timestamp),
      inserted_at: time(event.inserted_at ?? event.timestamp),
      elements_chain: '',
      person_id: event.person_id ?? randomUUID(),
      person_properties: '{}',
    }),
  )
  await services.warehouse.insert('events', lines.join('\n'))
}
