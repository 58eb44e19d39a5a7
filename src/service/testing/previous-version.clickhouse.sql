-- The previous version's tables in ClickHouse, and an event; see previous-version.sql.

CREATE TABLE events (
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
    INDEX session session_id TYPE bloom_filter GRANULARITY 1,
    INDEX person distinct_id TYPE bloom_filter GRANULARITY 1
  ) ENGINE = ReplacingMergeTree(keeps_first)
  ORDER BY (team_id, toStartOfHour(timestamp), event, cityHash64(distinct_id), uuid);

CREATE TABLE persons (
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
  ORDER BY (team_id, toStartOfHour(inserted_at), distinct_id, person_id);

CREATE TABLE recordings (
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
  ORDER BY (team_id, session_id, version);

CREATE TABLE console_entries (
    team_id Int64,
    session_id String,
    window_id String,
    timestamp DateTime64(3, 'UTC'),
    level LowCardinality(String),
    message String CODEC(ZSTD(1)),
    item UUID,
    position UInt32,
    pattern String DEFAULT if(level IN ('error', 'exception'), substringUTF8(trimBoth(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(replaceRegexpAll(substring(splitByChar('\n', trimLeft(message))[1], 1, 1000), '^\\s*Uncaught (?:\\(in promise\\) )?', ''), '(?:https?|wss?|blob:https?|file)://[^/\\s"\'<>]*', '<host>'), '(<host>[^\\s?#"\'<>]*)[?#][^\\s"\'<>)]*', '\\1'), '[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+', '<email>'), '"[^"]*"|`[^`]*`|“[^”]*”', '<value>'), '(^|[^\\w])\'[^\']*\'', '\\1<value>'), '(?i)\\b(?:localhost|(?:[a-z0-9-]+\\.)+(?:com|net|org|io|dev|app|example|test|local|internal|cloud|shop|co|eu|de|uk))(?::\\d+)?\\b', '<host>'), '\\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\b|\\b[0-9a-fA-F]{16,}\\b', '#'), '[\\w-]*\\d[\\w-]*(?:[.,:]\\d[\\w-]*)*', '#'), '\\s+', ' ')), 1, 300), '') CODEC(ZSTD(1)),
    cluster UInt32 DEFAULT if(pattern = '', 0, toUInt32(cityHash64(pattern) % 2147483647) + 1),
    INDEX session session_id TYPE bloom_filter GRANULARITY 1
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, cluster, timestamp, session_id, item, position);

CREATE MATERIALIZED VIEW exception_entries TO console_entries AS
  SELECT team_id, session_id, JSONExtractString(properties, '$window_id') AS window_id, timestamp, 'exception' AS level,
    substringUTF8(arrayStringConcat(arrayFilter(part -> part != '', [coalesce(nullIf(JSONExtractString(properties, '$exception_list', 1, 'type'), ''), JSONExtractString(properties, '$exception_type')), coalesce(nullIf(JSONExtractString(properties, '$exception_list', 1, 'value'), ''), JSONExtractString(properties, '$exception_message'))]), ': '), 1, 4000) AS message,
    uuid AS item, 0 AS position
  FROM events WHERE event = '$exception' AND session_id != '';

CREATE TABLE session_events (
    team_id Int64,
    event LowCardinality(String),
    session_id String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, event, session_id)
  SETTINGS index_granularity = 256;

CREATE MATERIALIZED VIEW event_sessions TO session_events AS
  SELECT DISTINCT team_id, event, session_id FROM events WHERE session_id != '';

CREATE TABLE session_properties (
    team_id Int64,
    key LowCardinality(String),
    value String,
    session_id String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, key, value, session_id)
  SETTINGS index_granularity = 1024;

CREATE TABLE event_properties (
    team_id Int64,
    event LowCardinality(String),
    key LowCardinality(String),
    value String,
    session_id String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, event, key, value, session_id)
  SETTINGS index_granularity = 1024;

CREATE TABLE property_values (
    team_id Int64,
    key LowCardinality(String),
    value String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, key, value)
  SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW values_of_properties TO property_values AS
  SELECT DISTINCT team_id, key, value FROM session_properties;

CREATE TABLE session_texts (
    team_id Int64,
    key LowCardinality(String),
    session_id String,
    value String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, key, session_id, value)
  SETTINGS index_granularity = 256;

CREATE MATERIALIZED VIEW texts_of_sessions TO session_texts AS
  SELECT team_id, key, session_id, value FROM session_properties
  WHERE key IN ('$current_url', '$pathname', '$el_text');

CREATE TABLE session_failed_requests (
    team_id Int64,
    host String CODEC(ZSTD(1)),
    status UInt16,
    session_id String
  ) ENGINE = ReplacingMergeTree
  ORDER BY (team_id, host, status, session_id)
  SETTINGS index_granularity = 256;

CREATE TABLE session_paths (
    team_id Int64,
    session_id String,
    steps Array(String) CODEC(ZSTD(1)),
    vector Array(Float32),
    updated_at DateTime64(3, 'UTC')
  ) ENGINE = ReplacingMergeTree(updated_at)
  ORDER BY (team_id, session_id);

INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at, elements_chain, person_id,
  person_properties)
SELECT 1, generateUUIDv4(), 'old', '{"$session_id":"session"}', 'visitor', at, at, at, '', toUUID('00000000-0000-4000-8000-000000000050'), '{}'
FROM (SELECT toDateTime64('2026-03-04 10:30:00', 6, 'UTC') AS at);
