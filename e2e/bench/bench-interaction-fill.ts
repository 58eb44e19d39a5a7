import { setTimeout } from 'node:timers/promises'
import { endedPeriod } from '../../src/contract/interval.ts'
import { connectStore } from '../connect-store.ts'
import { startService, type RunningService } from '../service.ts'

/** What the journeys use: a key with all scopes, an export with 10,000 windows, and a recording that plays. */
export type Workplace = { apiKey: string; gridExport: string; recording: string }

export const exportCount = 1000
const windowCount = 10_000
const copiesOfRecordings = 500

/** Fills an unused data directory with the sample project, to which it adds exports, runs and copies of the recordings. */
export async function fillWorkplace(dataDirectory: string): Promise<Workplace> {
  const service = await startService({ dataDirectory, env: { SPOOL_SAMPLE_DATA: 'on' } })
  try {
    const apiKey = new URL(service.signInUrl).hash.replace('#key=', '')
    await sampleInstalled(service)
    const client = await connectStore(service)
    await client.query(exportsSql, [exportCount])
    await client.query(runsSql, [new Date(endedPeriod('hour', Date.now(), 1).start)])
    const { start } = endedPeriod('every 5 minutes', Date.now(), windowCount)
    const grid = await client.query<{ id: string }>(gridSql, [new Date(start), windowCount])
    await client.query(`UPDATE batch_export_runs SET failure_cause = 'permission||', latest_error = 'Access denied.'
      WHERE status = 'Failed' AND failure_cause IS NULL`)
    const longest = await client.query<{ session_id: string }>(
      `SELECT session_id FROM session_recordings WHERE snapshot_source = 'web' ORDER BY block_count DESC, recording_duration DESC LIMIT 1`,
    )
    await client.query(recordingsSql, [copiesOfRecordings])
    await client.query(factsSql)
    // The stored states are from before these runs.
    await client.query('DELETE FROM batch_export_days')
    await client.query('VACUUM ANALYZE')
    await client.end()
    return { apiKey, gridExport: grid.rows[0]?.id ?? '', recording: longest.rows[0]?.session_id ?? '' }
  } finally {
    await service.stop()
  }
}

/** Waits until the sample project has its recordings, and its exports have no more runs to do. */
async function sampleInstalled(service: RunningService): Promise<void> {
  const client = await connectStore(service)
  for (;;) {
    const { rows } = await client.query<{ ready: boolean }>(
      `SELECT (SELECT value LIKE '%"hasRecordings":true%' FROM installation WHERE name = 'sample_project')
        AND NOT EXISTS (SELECT FROM session_recordings WHERE facts_made_at IS NULL AND end_time < now() - interval '10 minutes')
        AND EXISTS (SELECT FROM batch_export_runs)
        AND NOT EXISTS (SELECT FROM batch_export_runs WHERE status IN ('Starting', 'Running', 'FailedRetryable')) AS ready`,
    )
    if (rows[0]?.ready) break
    await setTimeout(500)
  }
  await client.end()
}

const exportsSql = `
  INSERT INTO batch_exports (id, project_id, name, model, destination_type, destination_config, interval, paused, tags, owner,
    created_at, last_updated_at, scheduled_until)
  SELECT gen_random_uuid(), 1,
    (ARRAY['Orders', 'Sessions', 'Customers', 'Payments', 'Search terms', 'Refunds', 'Checkout'])[1 + n % 7] || ' for '
      || (ARRAY['finance', 'marketing', 'the lake', 'support'])[1 + n % 4] || ' ' || n,
    CASE WHEN n % 6 = 0 THEN 'persons' ELSE 'events' END, 'File', jsonb_build_object('path', 'team-' || n % 40 || '/export-' || n),
    'hour', n % 12 = 0, CASE WHEN n % 3 = 0 THEN ARRAY['nightly'] ELSE '{}' END, CASE WHEN n % 2 = 0 THEN 'Ada' ELSE '' END,
    now() - interval '10 days', now() - interval '10 days', date_trunc('hour', now())
  FROM generate_series(1, $1::integer) AS n`

/** The runs of the last 72 hours before a time; of every tenth export, one in eight failed. */
const runsSql = `
  INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, attempt, data_interval_start,
    data_interval_end, records_completed, records_total_count, created_at, started_at, finished_at, last_updated_at)
  SELECT gen_random_uuid(), id, project_id, 'schedule', 'arrival',
    CASE WHEN hashtext(id::text) % 10 = 0 AND hashtext(id::text || starts) % 8 = 0 THEN 'Failed' ELSE 'Completed' END, 1,
    starts, starts + interval '1 hour', 1000 + abs(hashtext(id::text || starts)) % 9000, 10000, starts, starts,
    starts + interval '2 seconds', starts
  FROM batch_exports, generate_series($1::timestamptz - interval '71 hours', $1::timestamptz, '1 hour') AS starts
  WHERE destination_config ->> 'path' LIKE 'team-%'`

/** An export every five minutes, with windows from a time on. */
const gridSql = `
  WITH grid AS (
    INSERT INTO batch_exports (id, project_id, name, model, destination_type, destination_config, interval, paused, created_at,
      last_updated_at, scheduled_until)
    VALUES (gen_random_uuid(), 1, 'Grid', 'events', 'File', '{"path": "grid"}', 'every 5 minutes', false, $1, $1,
      $1::timestamptz + $2::integer * interval '5 minutes')
    RETURNING id, project_id)
  INSERT INTO batch_export_runs (id, batch_export_id, project_id, origin, selects_by, status, attempt, data_interval_start,
    data_interval_end, records_completed, records_total_count, created_at, started_at, finished_at, last_updated_at)
  SELECT uuidv7(), id, project_id, 'schedule', 'arrival', CASE WHEN n % 97 = 0 THEN 'Failed' ELSE 'Completed' END, 1, starts,
    starts + interval '5 minutes', 1000, 1000, starts, starts, starts + interval '2 seconds', starts
  FROM grid, generate_series(0, $2::integer - 1) AS n, LATERAL (SELECT $1::timestamptz + n * interval '5 minutes' AS starts) AS at
  RETURNING batch_export_id AS id`

/** Copies of the sample's recordings without their blocks; each round of copies is an hour older. */
const recordingsSql = `
  INSERT INTO session_recordings (project_id, session_id, distinct_id, visitor_words, snapshot_source, start_time, end_time,
    recording_duration, active_seconds, inactive_seconds, activity, click_count, keypress_count, mouse_activity_count,
    console_log_count, console_warn_count, console_error_count, failed_request_count, start_url, start_url_at, block_count,
    asset_block_count, created_at, last_updated_at, facts_made_at, mirrored_at)
  SELECT project_id, gen_random_uuid(), distinct_id, visitor_words, snapshot_source, start_time - age, end_time - age,
    recording_duration, active_seconds, inactive_seconds, activity, click_count, keypress_count, mouse_activity_count,
    console_log_count, console_warn_count, console_error_count, failed_request_count, start_url, start_url_at - age, block_count,
    asset_block_count, created_at - age, last_updated_at - age, facts_made_at, mirrored_at
  FROM session_recordings, generate_series(1, $1::integer) AS copy, LATERAL (SELECT copy * interval '1 hour' AS age) AS ages`

/** A copy has the facts of the recording with the same visitor, length and counts. */
const factsSql = `
  INSERT INTO recording_facts (recording_id, project_id, start_time, facts)
  SELECT copied.id, copied.project_id, copied.start_time, facts.facts
  FROM session_recordings AS original JOIN recording_facts AS facts ON facts.recording_id = original.id
    JOIN session_recordings AS copied USING (distinct_id, recording_duration, click_count, mouse_activity_count)
  WHERE original.session_id <> copied.session_id
  ON CONFLICT DO NOTHING`
