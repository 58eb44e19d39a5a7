import type { Warehouse } from '../engines/clickhouse/clickhouse.ts'
import { messagePattern } from './message-pattern.ts'

const sessionIndex = 'INDEX session session_id TYPE bloom_filter GRANULARITY 1'
const exception = (field: string) =>
  `coalesce(nullIf(JSONExtractString(properties, '$exception_list', 1, '${field}'), ''), JSONExtractString(properties, '$exception_${field === 'value' ? 'message' : field}'))`

/** Properties with very many values, which people search by a part. */
export const textKeys = ['$current_url', '$pathname', '$el_text']

/**
 * The statements that create the tables. A later version adds statements, such as ADD COLUMN IF NOT EXISTS, and changes none.
 * - `events` keeps the first arrival of repeated (event, distinct_id, uuid), so that a batch sent twice stays in its
 *   first window. Its key starts with the event's hour: a window by `timestamp` is a range of the key, and one by
 *   `inserted_at` uses the min-max index, as most rows arrive close to their time.
 * - `recordings` contains a recording once for each time that it was complete: a session that continues gets another
 *   version. It keeps the first arrival of a version, as `events` does.
 * - `console_entries` contains console messages of recorded pages and the exceptions among the events, sorted by
 *   cluster; a row is identified by its captured item and its position in the item.
 * - `session_paths` contains the path of each session, `session_events` the names of its events,
 *   `session_failed_requests` the hosts and statuses of its failed requests, and `session_properties`, with some delay,
 *   the properties of its events, so that a filter on a million sessions reads few rows. `event_properties` contains the
 *   site's own properties by event, for a filter on an event with a property. `property_values` contains each value once:
 *   a search for part of a value reads this table first. `session_texts` contains those properties that have very many
 *   values, sorted by session, for a search that most sessions match. `session_steps` contains the steps of the paths once
 *   more, in small granules, since those of a few sessions are read at a time; paths from before it are only in `session_paths`.
 *   `session_entries` contains the levels and messages of `console_entries`, sorted by session, for checks of a page's sessions;
 *   those from before it are only in `console_entries` (`readEntriesSince`).
 */
export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS events (
    team_id Int64,
    uuid UUID,
    event LowCardinality(String),
    properties String CODEC(ZSTD(1)),
    distinct_id String,
    timestamp DateTime64(6, 'UTC'),
    created_at DateTime64(6, 'UTC'),
    inserted_at DateTime64(6, 'UTC'),
    elements_chain String CODEC(ZSTD(1)),
    person_id UUID,
    person_properties String CODEC(ZSTD(1)),
    keeps_first UInt64 MATERIALIZED 18446744073709551615 - toUInt64(toUnixTimestamp64Micro(inserted_at)),
    session_id String DEFAULT JSONExtractString(properties, '$session_id'),
    INDEX arrival inserted_at TYPE minmax GRANULARITY 1,
    ${sessionIndex},
    INDEX person distinct_id TYPE bloom_filter GRANULARITY 1
  ) ENGINE = ReplacingMergeTree(keeps_first)
  ORDER BY (team_id, toStartOfHour(timestamp), event, cityHash64(distinct_id), uuid)`,
  `CREATE TABLE IF NOT EXISTS persons (
    team_id Int64,
    distinct_id String,
    person_id UUID,
    properties String CODEC(ZSTD(1)),
    person_version UInt64,
    person_distinct_id_version UInt64,
    created_at DateTime64(6, 'UTC'),
    is_deleted UInt8,
    inserted_at DateTime64(6, 'UTC'),
    INDEX arrival inserted_at TYPE minmax GRANULARITY 1
  ) ENGINE = MergeTree
  ORDER BY (team_id, toStartOfHour(inserted_at), distinct_id, person_id)`,
  `CREATE TABLE IF NOT EXISTS recordings (
    team_id Int64,
    session_id String,
    version UInt64,
    distinct_id String,
    person_id UUID,
    start_time DateTime64(6, 'UTC'),
    end_time DateTime64(6, 'UTC'),
    duration UInt32,
    active_seconds Float64,
    inactive_seconds Float64,
    click_count UInt32,
    keypress_count UInt32,
    mouse_activity_count UInt32,
    console_log_count UInt32,
    console_warn_count UInt32,
    console_error_count UInt32,
    failed_request_count Nullable(UInt32),
    start_url String,
    pages String CODEC(ZSTD(1)),
    outcome String CODEC(ZSTD(1)),
    problems String CODEC(ZSTD(1)),
    browser Nullable(String),
    os Nullable(String),
    device Nullable(String),
    country Nullable(String),
    summary Nullable(String) CODEC(ZSTD(1)),
    snapshot_source LowCardinality(String),
    inserted_at DateTime64(6, 'UTC'),
    keeps_first UInt64 MATERIALIZED 18446744073709551615 - toUInt64(toUnixTimestamp64Micro(inserted_at)),
    INDEX arrival inserted_at TYPE minmax GRANULARITY 1
  ) ENGINE = ReplacingMergeTree(keeps_first)
  ORDER BY (team_id, session_id, version)`,
  `CREATE TABLE IF NOT EXISTS console_entries (
    team_id Int64,
    session_id String,
    window_id String,
    timestamp DateTime64(3, 'UTC'),
    level LowCardinality(String),
    message String CODEC(ZSTD(1)),
    item UUID,
    position UInt32,
    pattern String DEFAULT if(level IN ('error', 'exception'), ${messagePattern('message')}, '') CODEC(ZSTD(1)),
    cluster UInt32 DEFAULT if(pattern = '', 0, toUInt32(cityHash64(pattern) % 2147483647) + 1),
    ${sessionIndex}
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, cluster, timestamp, session_id, item, position)`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS exception_entries TO console_entries AS
  SELECT team_id, session_id, JSONExtractString(properties, '$window_id') AS window_id, timestamp, 'exception' AS level,
    substringUTF8(arrayStringConcat(arrayFilter(part -> part != '', [${exception('type')}, ${exception('value')}]), ': '), 1, 4000) AS message,
    uuid AS item, 0 AS position
  FROM events WHERE event = '$exception' AND session_id != ''`,
  `CREATE TABLE IF NOT EXISTS session_events (
    team_id Int64,
    event LowCardinality(String),
    session_id String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, event, session_id)
  SETTINGS index_granularity = 256`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS event_sessions TO session_events AS
  SELECT DISTINCT team_id, event, session_id FROM events WHERE session_id != ''`,
  `CREATE TABLE IF NOT EXISTS session_properties (
    team_id Int64,
    key LowCardinality(String),
    value String,
    session_id String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, key, value, session_id)
  SETTINGS index_granularity = 1024`,
  `CREATE TABLE IF NOT EXISTS event_properties (
    team_id Int64,
    event LowCardinality(String),
    key LowCardinality(String),
    value String,
    session_id String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, event, key, value, session_id)
  SETTINGS index_granularity = 1024`,
  `CREATE TABLE IF NOT EXISTS property_values (
    team_id Int64,
    key LowCardinality(String),
    value String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, key, value)
  SETTINGS index_granularity = 1024`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS values_of_properties TO property_values AS
  SELECT DISTINCT team_id, key, value FROM session_properties`,
  `CREATE TABLE IF NOT EXISTS session_texts (
    team_id Int64,
    key LowCardinality(String),
    session_id String,
    value String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, key, session_id, value)
  SETTINGS index_granularity = 256`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS texts_of_sessions TO session_texts AS
  SELECT team_id, key, session_id, value FROM session_properties
  WHERE key IN (${textKeys.map((key) => `'${key}'`).join(', ')})`,
  `CREATE TABLE IF NOT EXISTS session_failed_requests (
    team_id Int64,
    host String CODEC(ZSTD(1)),
    status UInt16,
    session_id String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, host, status, session_id)
  SETTINGS index_granularity = 256`,
  `CREATE TABLE IF NOT EXISTS session_paths (
    team_id Int64,
    session_id String,
    steps Array(String) CODEC(ZSTD(1)),
    vector Array(Float32),
    updated_at DateTime64(3, 'UTC')
  ) ENGINE = ReplacingMergeTree(updated_at)
  ORDER BY (team_id, session_id)`,
  `CREATE TABLE IF NOT EXISTS session_steps (
    team_id Int64,
    session_id String,
    steps Array(String) CODEC(ZSTD(1)),
    updated_at DateTime64(3, 'UTC')
  ) ENGINE = ReplacingMergeTree(updated_at)
  ORDER BY (team_id, session_id)
  SETTINGS index_granularity = 256`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS steps_of_paths TO session_steps AS
  SELECT team_id, session_id, steps, updated_at FROM session_paths`,
  `CREATE TABLE IF NOT EXISTS session_entries (
    team_id Int64,
    session_id String,
    level LowCardinality(String),
    message String CODEC(ZSTD(1))
  ) ENGINE = ReplacingMergeTree
  PRIMARY KEY (team_id, session_id)
  ORDER BY (team_id, session_id, level, message)
  SETTINGS index_granularity = 256`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS entries_of_sessions TO session_entries AS
  SELECT team_id, session_id, level, message FROM console_entries`,
]

/** A row of `persons`, without the time of its arrival. */
export type PersonStateRow = {
  team_id: number
  distinct_id: string
  person_id: string
  properties: string
  person_version: number
  person_distinct_id_version: number
  created_at: Date
  is_deleted: 0 | 1
}

/** Creates missing tables; safe to run in several processes at once. */
export async function createTables(warehouse: Warehouse): Promise<void> {
  for (const statement of statements) await warehouse.command(statement)
}
