import { sql } from 'kysely'
import { visitorWords } from '../../src/contract/recordings/visitor-name.ts'
import { createOrganization, type NewOrganization } from '../../src/service/auth/new-organization.ts'
import { systemClock } from '../../src/service/clock.ts'
import type { Warehouse } from '../../src/service/engines/clickhouse/clickhouse.ts'
import { readConfig } from '../../src/service/config.ts'
import { openEngines } from '../../src/service/engines/engines.ts'
import { gatherProperties } from '../../src/service/recordings/filter/gather-properties.ts'
import { openStore, type Store } from '../../src/service/store/schema/database.ts'
import { migrate } from '../../src/service/store/schema/migrate.ts'
import { mergeTables } from '../../src/service/warehouse/merge-tables.ts'
import { createTables } from '../../src/service/warehouse/tables.ts'

const eventsPerRecording = 3
const personCount = 100_000
/** Visitors beyond `personCount` have no person. */
const visitorCount = 150_000
const day = 86_400_000
const days = 30

/** Recordings, the start of the first (ms since the epoch), and the time (ms) between two starts. */
type Month = { count: number; from: number; step: number }

/** Fills an unused data directory with a month of recordings, their visitors, events and console entries. */
export async function fillRecordings(dataDirectory: string, count: number): Promise<NewOrganization> {
  const config = readConfig({ SPOOL_DATA_DIR: dataDirectory, SPOOL_SAMPLE_DATA: 'off' })
  const engines = await openEngines(config)
  try {
    const store = openStore(engines.postgres.pool, { limitMs: null })
    await Promise.all([migrate(store), createTables(engines.warehouse)])
    const names = { name: 'Bench', projectName: 'Bench', keyLabel: 'Bench' }
    const tenant = await createOrganization(store, Date.now(), names)
    const month = { count, from: Date.now() - days * day, step: (days * day) / count }
    await Promise.all([
      fillStore(store, tenant.project_id, month),
      fillWarehouse(engines.warehouse, tenant.project_id, month),
    ])
    const { warehouse } = engines
    while (await gatherProperties({ store, warehouse, clock: systemClock, config }));
    // As the service does a day later.
    await mergeTables(warehouse, Date.now() + 2 * day)
    return tenant
  } finally {
    await engines.stop()
  }
}

async function fillStore(store: Store, projectId: number, month: Month): Promise<void> {
  await sql`
    INSERT INTO persons (project_id, uuid, properties, version, created_at)
    SELECT ${projectId}, gen_random_uuid(), jsonb_build_object('email', 'visitor' || n || '@mail' || n % 50 || '.example',
        'name', (ARRAY['Ada', 'Grace', 'Linus', 'Margaret', 'Dennis'])[1 + n % 5] || ' ' || md5(n::text),
        'plan', CASE WHEN n % 200 = 0 THEN 'enterprise' WHEN n % 10 = 0 THEN 'pro' ELSE 'free' END, 'orders', n % 37), 1, now()
    FROM generate_series(0, ${personCount - 1}::int) AS n`.execute(store)
  await sql`
    INSERT INTO person_distinct_ids (project_id, distinct_id, person_id, version)
    SELECT project_id, prefix || row_number() OVER (PARTITION BY prefix ORDER BY id), id, 0
    FROM persons, unnest(ARRAY['visitor-', 'device-']) AS prefix WHERE prefix = 'visitor-' OR id % 5 = 0`.execute(
    store,
  )
  await withoutIndexes(store, 'session_recordings', () => insertRecordings(store, projectId, month))
  await withoutIndexes(store, 'recording_facts', () => insertFacts(store, projectId))
  await insertMarks(store, projectId)
  await sql`VACUUM ANALYZE`.execute(store)
}

async function insertRecordings(
  store: Store,
  projectId: number,
  { count, from, step }: Month,
): Promise<void> {
  const words = Array.from({ length: visitorCount }, (_, n) => visitorWords(`visitor-${n + 1}`))
  await sql`
    INSERT INTO session_recordings (project_id, session_id, distinct_id, visitor_words, snapshot_source, start_time, end_time, recording_duration,
      active_seconds, inactive_seconds, activity, click_count, keypress_count, mouse_activity_count, console_log_count,
      console_warn_count, console_error_count, failed_request_count, start_url, start_url_at, block_count, asset_block_count, created_at,
      last_updated_at, facts_made_at)
    SELECT ${projectId}, concat(left(began, 8), '-', right(began, 4), '-7', left(rest, 3), '-8', substr(rest, 4, 3), '-', substr(rest, 7, 12)),
      'visitor-' || 1 + hash % ${visitorCount}, (${words}::smallint[])[1 + hash % ${visitorCount}], CASE WHEN hash % 10 = 0 THEN 'mobile' ELSE 'web' END,
      start, start + make_interval(secs => seconds), seconds, seconds * share, seconds * (1 - share),
      ARRAY[extract(epoch FROM start) * 1000, extract(epoch FROM start) * 1000 + seconds * share * 1000],
      hash % 97, hash % 211, hash % 997, hash % 29, hash % 7, CASE WHEN hash % 13 = 0 THEN hash % 31 ELSE 0 END,
      CASE WHEN n % 5000 = 0 THEN 50 WHEN n % 5 = 0 THEN 5 ELSE 0 END,
      'https://shop.example/products/' || hash % 5000 || '?from=' || md5((hash % 40000)::text), start, 3, 3, start, start, start
    FROM generate_series(0, ${count - 1}::int) AS n,
      LATERAL (SELECT abs(hashint8(n)::bigint) AS hash) AS hashed,
      LATERAL (SELECT ${new Date(from)}::timestamptz + n * ${step}::float8 * interval '1 ms' AS start,
        lpad(to_hex(${from}::bigint + n * ${step}::bigint), 12, '0') AS began, md5(n::text) AS rest,
        (3 + hash % 1800)::integer AS seconds, (hash % 101) / 100.0::float8 AS share) AS derived`.execute(
    store,
  )
}

async function insertFacts(store: Store, projectId: number): Promise<void> {
  await sql`
    INSERT INTO recording_facts (recording_id, project_id, start_time, facts)
    SELECT id, project_id, start_time, jsonb_build_object(
      'pages', (SELECT jsonb_agg(jsonb_build_object('label', 'Lamp ' || page, 'url', 'shop.example/lamps/' || page, 'at', page * 1000))
        FROM generate_series(1, 1 + hash % 8) AS page),
      'page_count', 1 + hash % 8,
      'outcome', jsonb_build_object('kind', (ARRAY['completed', 'left', 'left', 'left', 'error'])[1 + hash % 5], 'label', 'Cart', 'at', 9000),
      'problems', CASE WHEN hash % 5 = 4 THEN jsonb_build_array(jsonb_build_object('kind', 'error', 'label', 'lamp is off', 'at', 9000)) ELSE '[]' END,
      'strip', (SELECT jsonb_agg(slice % 4) FROM generate_series(1, 48) AS slice), 'moment', 9000,
      'browser', (ARRAY['Chrome', 'Safari', 'Firefox', 'Opera'])[1 + hash % 4], 'os', 'Mac OS X',
      'device', CASE WHEN hash % 10 = 0 THEN 'mobile' ELSE 'desktop' END,
      'country', CASE WHEN hash % 1000 = 0 THEN 'IS' ELSE (ARRAY['DE', 'US', 'FR'])[1 + hash % 3] END,
      'summary', 'A visit to shop.example lasting 1 min.', 'time', '[]'::jsonb,
      'rage_click_count', CASE WHEN hash % 500 = 0 THEN 2 ELSE 0 END, 'left_form', hash % 50 = 0)
    FROM session_recordings, LATERAL (SELECT abs(hashint8(id)::bigint) AS hash) AS hashed
    WHERE project_id = ${projectId}`.execute(store)
}

export const collections = {
  byHand: '01900000-0000-7000-8000-000000000001',
  byRule: '01900000-0000-7000-8000-000000000002',
}

/** Marks some recordings as watched, kept, noted, shared and collected. */
async function insertMarks(store: Store, projectId: number): Promise<void> {
  const some = (every: number) =>
    sql`FROM session_recordings WHERE project_id = ${projectId} AND id % ${sql.lit(every)} = 0`
  await sql`
    UPDATE session_recordings SET viewed_at = start_time WHERE project_id = ${projectId} AND id % 40 = 0`.execute(
    store,
  )
  await sql`
    UPDATE session_recordings SET persisted_at = start_time WHERE project_id = ${projectId} AND id % 300 = 0`.execute(
    store,
  )
  await sql`
    INSERT INTO recording_notes (id, recording_id, project_id, user_id, author, at, text, created_at, updated_at)
    SELECT gen_random_uuid(), id, project_id, (SELECT id FROM users LIMIT 1), 'Bench', 4,
      CASE WHEN id % 50000 = 0 THEN 'Asks for a refund' ELSE 'Looked at lamp ' || id END, start_time, start_time
    ${some(250)}`.execute(store)
  await sql`
    INSERT INTO session_recording_sharing (recording_id, generation, token_hash, enabled, created_at)
    SELECT id, 1, sha256(id::text::bytea), true, start_time ${some(1000)}`.execute(store)
  await sql`
    INSERT INTO recording_collections (id, project_id, name, query, actor, created_at, updated_at)
    VALUES (${collections.byHand}, ${projectId}, 'By hand', NULL, 'Bench', now(), now()),
      (${collections.byRule}, ${projectId}, 'By rule', 'search=visitor777', 'Bench', now(), now())`.execute(
    store,
  )
  await sql`
    INSERT INTO recording_collection_items (collection_id, recording_id)
    SELECT ${collections.byHand}::uuid, id ${some(200)}`.execute(store)
}

/** Runs `fill` between dropping and recreating the table's indexes, which is much faster. */
async function withoutIndexes(store: Store, table: string, fill: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid = ${table}::regclass AND NOT indisunique`.execute(store)
  for (const { name } of rows) await sql`DROP INDEX ${sql.ref(name)}`.execute(store)
  await fill()
  for (const { definition } of rows) await sql.raw(definition).execute(store)
}

/** Rows per statement, few enough for the engine's memory limit. */
const rowsMax = 250_000

async function fillWarehouse(
  warehouse: Warehouse,
  projectId: number,
  { count, from, step }: Month,
): Promise<void> {
  const insert = async (statement: string, rows: number) => {
    for (let first = 0; first < rows; first += rowsMax) {
      const batch = Math.min(rowsMax, rows - first)
      await warehouse.command(statement, { params: { project: projectId, from, step, count, first, batch } })
    }
  }
  await insert(insertEvents, count * eventsPerRecording)
  await insert(insertConsoleEntries, count)
  await insert(insertFailedRequests, count)
}

/** Like the ids of posthog-js, version 7 of UUIDs, those of sessions begin with their start. */
const began = "leftPad(lower(hex(toUInt64({from: Int64} + n * {step: Float64}))), 12, '0')"
const rest = 'lower(hex(MD5(toString(n))))'
const session = `concat(left(${began}, 8), '-', right(${began}, 4), '-7', left(${rest}, 3), '-8', substring(${rest}, 4, 3), '-', substring(${rest}, 7, 12))`
const start = "fromUnixTimestamp64Milli(toInt64({from: Int64} + n * {step: Float64}), 'UTC')"

const insertEvents = `INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at,
    elements_chain, person_id, person_properties)
  SELECT {project: Int64}, generateUUIDv4(),
    multiIf(k = 0, '$pageview', k = 1, if(n % 20 = 0, 'order placed', '$autocapture'), n % 2000 = 0, 'refund requested', 'product viewed'),
    concat('{"$session_id":"', ${session}, '","$browser":"', ['Chrome', 'Safari', 'Firefox', 'Opera'][1 + cityHash64(n) % 4],
      '","$os":"Mac OS X","$device_type":"Desktop","$lib":"web","$lib_version":"1.449.2","$screen_width":1440,"$viewport_height":720',
      ',"$current_url":"https://shop.example/products/', toString(cityHash64(number) % 5000), '","$referrer":"$direct"',
      ',"$device_id":"', toString(generateUUIDv4()), '","price":', toString(cityHash64(number, 1) % 900),
      ',"plan":"', if(n % 5000 = 0, 'enterprise', 'free'),
      if(k = 1, concat('","$el_text":"', if(n % 4000 = 0, 'Redeem the voucher', concat('Add lamp ', toString(n % 300)))), ''),
      '","$geoip_country_code":"', if(n % 1000 = 0, 'IS', ['DE', 'US', 'FR'][1 + n % 3]), '"}'),
    concat('visitor-', toString(n % ${visitorCount})), ${start} + INTERVAL k SECOND AS time, time, time, '',
    generateUUIDv4(), '{"plan":"free"}'
  FROM (SELECT {first: UInt64} + number AS number, intDiv(number, ${eventsPerRecording}) AS n, number % ${eventsPerRecording} AS k
    FROM numbers({batch: UInt64}))`

const insertConsoleEntries = `INSERT INTO console_entries (team_id, session_id, window_id, timestamp, level, message, item, position)
  SELECT {project: Int64}, ${session}, 'window', ${start},
    multiIf(number % 10 = 0, 'error', number % 10 < 3, 'warn', 'log'),
    if(number % 10000 = 0, 'Payment declined by the bank', concat('Rendered ', toString(number % 300), ' rows of the table in ',
      toString(cityHash64(number) % 900), ' ms')),
    generateUUIDv4(), 0
  FROM (SELECT {first: UInt64} + number AS number, cityHash64(number) % {count: UInt64} AS n FROM numbers({batch: UInt64}))`

const insertFailedRequests = `INSERT INTO session_failed_requests (team_id, host, status, session_id)
  SELECT {project: Int64}, if(number % 10000 = 0, 'pay.example', concat('api', toString(number % 20), '.example')),
    [404, 500, 503, 0][1 + number % 4], ${session}
  FROM (SELECT {first: UInt64} + number AS number, 5 * intDiv(number, 5) AS n FROM numbers({batch: UInt64}))`
