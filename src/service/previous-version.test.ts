import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashApiKey, newApiKey } from './auth/api-key-value.ts'
import { openIngest } from './capture/ingest.ts'
import { readConfig } from './config.ts'
import { tick } from './background/scheduler.ts'
import { openWorker } from './runs/worker.ts'
import { openServices } from './open-services.ts'
import { blockFolder, writeBlock } from './snapshots/blocks.ts'
import { createServer } from './server/server.ts'
import type { Services } from './services.ts'
import { openStore, type Store } from './store/schema/database.ts'
import { newId } from './store/schema/identifier.ts'
import { migrate } from './store/schema/migrate.ts'
import { testClock } from './testing/test-clock.ts'
import { testEngines, type TestEngines } from './testing/test-engines.ts'

/** Number of the last migration of the previous version. */
const previous = 5
const clock = testClock('2026-03-04T11:10:00Z')
const key = newApiKey()
const [exportId, pausedId, person] = [randomUUID(), randomUUID(), randomUUID()]
const blockKey = `${blockFolder(1, 'session')}${newId(clock.now())}`

let engines: TestEngines
let services: Services
let server: FastifyInstance

beforeAll(async () => {
  engines = await testEngines('empty')
  const store = openStore(engines.postgres.pool)
  await migrate(store, previous)
  await fillStore(store)
  await fillWarehouse()
  await writeBlock(engines.objects, blockKey, JSON.stringify(['window', meta]))
  services = await openServices(engines, {
    config: readConfig({ DATABASE_URL: engines.postgres.url }),
    clock,
    logger: pino({ level: 'silent' }),
  })
  server = await createServer(services)
})
afterAll(async () => {
  await server.close()
  await services.queue.stop()
  await engines.cleanup()
})

const meta = {
  type: 4,
  timestamp: Date.parse('2026-03-04T09:00:00Z'),
  data: { href: 'https://shop.example/', width: 800, height: 600 },
}

/** Rows as the previous version wrote them; never change them, except to add what that version also wrote. */
async function fillStore(store: Store): Promise<void> {
  const [organization, user, backfill] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`INSERT INTO organizations VALUES (${organization}, 'Old', '2026-01-01Z')`.execute(store)
  await sql`INSERT INTO users VALUES (${user}, ${organization}, 'me@example.com', 'Me', '2026-01-01Z')`.execute(
    store,
  )
  await sql`INSERT INTO projects (organization_id, name, api_token, created_at)
    VALUES (${organization}, 'Shop', 'phc_old', '2026-01-01Z')`.execute(store)
  await sql`INSERT INTO api_keys VALUES (${randomUUID()}, ${user}, ${hashApiKey(key)}, 'Old key', '{*}', NULL, NULL, '2026-01-01Z', NULL)`.execute(
    store,
  )
  for (const [id, name, paused] of [
    [exportId, 'Hourly', false],
    [pausedId, 'Paused', true],
  ] as const)
    await sql`INSERT INTO batch_exports (id, project_id, name, model, destination_type, destination_config, interval, paused,
        created_at, last_updated_at, last_paused_at, scheduled_until)
      VALUES (${id}, 1, ${name}, 'events', 'File', '{"path": "old"}', 'hour', ${paused}, '2026-03-04 08:10Z', '2026-03-04 09:20Z',
        ${paused ? '2026-03-04 09:20Z' : null}, '2026-03-04 10:00Z')`.execute(store)
  await sql`INSERT INTO batch_export_backfills VALUES (${backfill}, 'workflow', ${exportId}, 1, '2026-03-04 08:00Z', '2026-03-04 09:00Z', 1,
    'Completed', '2026-03-04 09:30Z', '2026-03-04 09:31Z', '2026-03-04 09:31Z')`.execute(store)
  for (const [origin, status, hour] of [
    ['schedule', 'Completed', 8],
    ['schedule', 'Failed', 9],
    ['backfill', 'Completed', 8],
  ] as const)
    await sql`INSERT INTO batch_export_runs (id, batch_export_id, project_id, backfill_id, origin, selects_by, status, attempt,
        data_interval_start, data_interval_end, records_completed, records_total_count, bytes_exported, files, latest_error,
        created_at, started_at, finished_at, last_updated_at)
      SELECT ${newId(clock.now())}, ${exportId}, 1, ${origin === 'backfill' ? backfill : null}::uuid, ${origin}, 'arrival', ${status}, 1,
        start, start + interval '1 hour', 2, 2, 100, '{old/file.jsonl}', ${status === 'Failed' ? 'The bucket is gone.' : null},
        start, start, start, start
      FROM (SELECT timestamptz '2026-03-04Z' + ${hour} * interval '1 hour' AS start) AS run`.execute(store)
  await sql`INSERT INTO batch_export_logs (batch_export_id, timestamp, level, message)
    VALUES (${exportId}, '2026-03-04 09:00Z', 'INFO', 'An old line.')`.execute(store)
  await sql`INSERT INTO batch_export_changes VALUES (${randomUUID()}, ${exportId}, 'created', 'Old key', '2026-03-04 08:10Z', '[]')`.execute(
    store,
  )
  await sql`INSERT INTO persons (project_id, uuid, properties, version, created_at)
    VALUES (1, ${person}, '{"email": "a@example.com"}', 3, '2026-03-04Z')`.execute(store)
  await sql`INSERT INTO person_distinct_ids VALUES (1, 'visitor', 1, 0)`.execute(store)
  await sql`INSERT INTO installation VALUES ('properties_gathered_until', '1772618400000000')`.execute(store)
  await sql`INSERT INTO session_recordings (project_id, session_id, distinct_id, snapshot_source, start_time, end_time,
      recording_duration, active_seconds, inactive_seconds, activity, click_count, keypress_count, mouse_activity_count,
      console_log_count, console_warn_count, console_error_count, start_url, start_url_at, block_count, created_at, last_updated_at)
    VALUES (1, 'session', 'visitor', 'web', '2026-03-04 09:00Z', '2026-03-04 09:01Z', 60, 60, 0, '{1772614800000,1772614860000}',
      1, 2, 3, 0, 0, 0, 'https://shop.example/', '2026-03-04 09:00Z', 1, '2026-03-04 09:01Z', '2026-03-04 09:01Z')`.execute(
    store,
  )
  await sql`INSERT INTO session_recording_blocks
    VALUES (1, 0, ${blockKey}, '2026-03-04 09:00Z', '2026-03-04 09:01Z', 100, ${[randomUUID()]}::uuid[])`.execute(
    store,
  )
  await sql`INSERT INTO session_recording_sharing
    VALUES (1, 1, '\\x00', true, NULL, NULL, '2026-03-04 09:05Z', 7)`.execute(store)
}

/** Tables and rows as the previous version wrote them. */
async function fillWarehouse(): Promise<void> {
  const { warehouse } = engines
  await warehouse.command(`CREATE TABLE events (
    team_id Int64, uuid UUID, event LowCardinality(String), properties String CODEC(ZSTD(1)), distinct_id String,
    timestamp DateTime64(6, 'UTC'), created_at DateTime64(6, 'UTC'), inserted_at DateTime64(6, 'UTC'),
    elements_chain String CODEC(ZSTD(1)), person_id UUID, person_properties String CODEC(ZSTD(1)),
    keeps_first UInt64 MATERIALIZED 18446744073709551615 - toUInt64(toUnixTimestamp64Micro(inserted_at)),
    session_id String DEFAULT JSONExtractString(properties, '$session_id'),
    INDEX arrival inserted_at TYPE minmax GRANULARITY 1, INDEX session session_id TYPE bloom_filter GRANULARITY 1
  ) ENGINE = ReplacingMergeTree(keeps_first) ORDER BY (team_id, toStartOfHour(timestamp), event, cityHash64(distinct_id), uuid)`)
  await warehouse.command(`CREATE TABLE persons (
    team_id Int64, distinct_id String, person_id UUID, properties String CODEC(ZSTD(1)), person_version UInt64,
    person_distinct_id_version UInt64, created_at DateTime64(6, 'UTC'), is_deleted UInt8, inserted_at DateTime64(6, 'UTC'),
    INDEX arrival inserted_at TYPE minmax GRANULARITY 1
  ) ENGINE = MergeTree ORDER BY (team_id, toStartOfHour(inserted_at), distinct_id, person_id)`)
  await warehouse.command(`CREATE TABLE console_entries (
    team_id Int64, session_id String, window_id String, timestamp DateTime64(3, 'UTC'), level LowCardinality(String),
    message String CODEC(ZSTD(1)), item UUID, position UInt32, pattern String DEFAULT message, cluster UInt32 DEFAULT 1,
    INDEX session session_id TYPE bloom_filter GRANULARITY 1
  ) ENGINE = ReplacingMergeTree ORDER BY (team_id, cluster, timestamp, session_id, item, position)`)
  await warehouse.command(
    `INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at,
      elements_chain, person_id, person_properties)
    SELECT 1, generateUUIDv4(), 'old', '{"$session_id":"session"}', 'visitor', at, at, at, '', toUUID({person: String}), '{}'
    FROM (SELECT toDateTime64('2026-03-04 10:30:00', 6, 'UTC') AS at)`,
    { params: { person } },
  )
}

async function get(path: string): Promise<unknown> {
  const response = await server.inject({
    method: 'GET',
    url: path,
    headers: { authorization: `Bearer ${key}` },
  })
  expect(response.statusCode, `${path}: ${response.body}`).toBe(200)
  return response.json()
}

const project = '/api/projects/@current'

test('a data directory of the previous version shows what it holds', async () => {
  expect(await get(`${project}/batch_exports/`)).toMatchObject({
    count: 2,
    results: expect.arrayContaining([expect.objectContaining({ id: exportId, paused: false })]),
  })
  expect(await get(`${project}/batch_exports/${exportId}/runs/`)).toMatchObject({
    results: expect.arrayContaining([
      expect.objectContaining({ status: 'Failed', latest_error: 'The bucket is gone.' }),
    ]),
  })
  expect(await get(`${project}/batch_exports/${exportId}/logs/`)).toMatchObject({
    results: [expect.objectContaining({ message: 'An old line.' })],
  })
  expect(await get(`${project}/batch_exports/overview/`)).toMatchObject({ results: [{}, {}] })
  expect(await get(`${project}/session_recordings/`)).toMatchObject({
    results: [expect.objectContaining({ id: 'session', start_url: 'https://shop.example/' })],
  })
  expect(await get(`${project}/session_recordings/session/`)).toMatchObject({ click_count: 1 })
  expect(await get('/api/personal_api_keys/')).toMatchObject([{ label: 'Old key' }])
})

test('it keeps working: the next window is exported, with events of both versions, and no event arrives in a closed one', async () => {
  const ingest = openIngest(services)
  const uuid = randomUUID()
  // Another machine's clock had been ahead: the previous version closed windows up to 10:00.
  clock.set('2026-03-04T09:40:00Z')
  await ingest.add(1, [
    {
      uuid,
      event: 'new',
      distinctId: 'visitor',
      timestamp: clock.now(),
      properties: '{}',
      sessionId: '',
      elementsChain: '',
      change: null,
    },
  ])
  clock.set('2026-03-04T11:10:00Z')
  expect(await tick(services)).toEqual({ created: 1 })
  const run = await services.store
    .selectFrom('batch_export_runs')
    .select('id')
    .where('status', '=', 'Starting')
    .executeTakeFirstOrThrow()
  await openWorker(services).work(run.id)
  const { files } = await services.store
    .selectFrom('batch_export_runs')
    .select(['status', 'files'])
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  const text = await readFile(join(engines.exportsFolder ?? '', files[0] ?? ''), 'utf8')
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line): { event: string; person_id: string } => JSON.parse(line))
  expect(rows.map(({ event, person_id }) => [event, person_id]).toSorted()).toEqual([
    ['new', person],
    ['old', person],
  ])
})
