import type { Warehouse } from '../engines/clickhouse.ts'

/**
 * `events` replaces repeats of (event, distinct_id, uuid) and keeps the one that arrived first, so that a batch sent twice
 * stays in the window of its first arrival. The order starts with the hour of the event: a window by `timestamp` is a range
 * of the key, and one by `inserted_at` skips through the min-max index, as most rows arrive close to their time.
 */
const statements: readonly string[] = [
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
    INDEX arrival inserted_at TYPE minmax GRANULARITY 1
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
  `ALTER TABLE events ADD COLUMN IF NOT EXISTS session_id String DEFAULT JSONExtractString(properties, '$session_id')`,
  `CREATE TABLE IF NOT EXISTS console_entries (
    team_id Int64,
    session_id String,
    window_id String,
    timestamp DateTime64(3, 'UTC'),
    level LowCardinality(String),
    message String CODEC(ZSTD(1)),
    item UUID,
    position UInt32
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, level, session_id, timestamp, item, position)`,
  `CREATE TABLE IF NOT EXISTS session_paths (
    team_id Int64,
    session_id String,
    steps Array(String) CODEC(ZSTD(1)),
    vector Array(Float32),
    updated_at DateTime64(3, 'UTC')
  ) ENGINE = ReplacingMergeTree(updated_at)
  ORDER BY (team_id, session_id)`,
]

/** Creates what is not there yet; several processes may do so at once. */
export async function createTables(warehouse: Warehouse): Promise<void> {
  for (const statement of statements) await warehouse.command(statement)
}
