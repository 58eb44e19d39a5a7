-- Rows as the previous version's code wrote them into the base schema. A later version must open such a database, so never
-- change them; a version after the next schema may replace all of them by rows of the version before it.

-- An organization, whose key is in previous-version.test.ts.
INSERT INTO organizations (id, name, created_at) VALUES ('00000000-0000-4000-8000-000000000001', 'Old', '2026-01-01Z');
INSERT INTO users (id, organization_id, email, first_name, created_at)
  VALUES ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'me@example.com', 'Me', '2026-01-01Z');
INSERT INTO projects (organization_id, name, api_token, created_at)
  VALUES ('00000000-0000-4000-8000-000000000001', 'Shop', 'phc_old', '2026-01-01Z');
INSERT INTO api_keys (id, user_id, hash, label, scopes, created_at)
  VALUES ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000002', sha256('phx_previous_version'), 'Old key', '{*}', '2026-01-01Z');
INSERT INTO installation VALUES ('properties_gathered_until', '1772618400000000');
UPDATE arrival_floor SET at = '2026-03-04 10:00Z';

-- An hourly export and a paused one.
INSERT INTO batch_exports (id, project_id, name, model, destination_type, destination_config, interval, paused, created_at,
    last_updated_at, last_paused_at, pause_reason, scheduled_until, in_project_folder, tags, owner, note)
  VALUES ('00000000-0000-4000-8000-000000000010', 1, 'Hourly', 'events', 'File', '{"path": "old"}', 'hour', false, '2026-03-04 08:10Z',
      '2026-03-04 09:20Z', NULL, NULL, '2026-03-04 10:00Z', true, '{shop}', 'Data', 'A note.'),
    ('00000000-0000-4000-8000-000000000011', 1, 'Paused', 'events', 'File', '{"path": "paused"}', 'hour', true, '2026-03-04 08:10Z',
      '2026-03-04 09:20Z', '2026-03-04 09:20Z', 'A move.', '2026-03-04 10:00Z', true, '{}', '', '');
INSERT INTO batch_export_backfills (id, workflow_id, batch_export_id, project_id, start_at, end_at, total_runs, status, created_at,
    finished_at, last_updated_at)
  VALUES ('00000000-0000-4000-8000-000000000020', 'workflow', '00000000-0000-4000-8000-000000000010', 1, '2026-03-04 08:00Z',
    '2026-03-04 09:00Z', 1, 'Completed', '2026-03-04 09:30Z', '2026-03-04 09:31Z', '2026-03-04 09:31Z');
INSERT INTO batch_export_runs (id, batch_export_id, project_id, backfill_id, origin, selects_by, status, attempt, data_interval_start,
    data_interval_end, records_completed, records_total_count, bytes_exported, files, latest_error, failure_cause, created_at, started_at,
    finished_at, last_updated_at)
  SELECT id::uuid, '00000000-0000-4000-8000-000000000010', 1, backfill::uuid, origin, 'arrival', status, 1, start, start + interval '1 hour',
    2, 2, 100, '{old/file.jsonl}', error, cause, start, start, start, start
  FROM (VALUES
    ('00000000-0000-7000-8000-000000000030', NULL, 'schedule', 'Completed', timestamptz '2026-03-04 08:00Z', NULL, NULL),
    ('00000000-0000-7000-8000-000000000031', NULL, 'schedule', 'Failed', '2026-03-04 09:00Z', 'The bucket is gone.', 'old'),
    ('00000000-0000-7000-8000-000000000032', '00000000-0000-4000-8000-000000000020', 'backfill', 'Completed', '2026-03-04 08:00Z', NULL, NULL)
  ) AS run (id, backfill, origin, status, start, error, cause);
INSERT INTO batch_export_logs (batch_export_id, timestamp, level, message)
  VALUES ('00000000-0000-4000-8000-000000000010', '2026-03-04 09:00Z', 'INFO', 'An old line.');
INSERT INTO batch_export_changes (id, project_id, batch_export_id, kind, actor, created_at, fields)
  VALUES ('00000000-0000-4000-8000-000000000040', 1, '00000000-0000-4000-8000-000000000010', 'created', 'Old key', '2026-03-04 08:10Z', '[]');
-- Of the kinds of checksums, the two that no version writes any more.
INSERT INTO batch_export_ledger (batch_export_id, data_interval_start, data_interval_end, run_id, selects_by, taken_until, settings,
    rows_expected, rows_written, objects, written_at)
  VALUES ('00000000-0000-4000-8000-000000000010', '2026-03-04 08:00Z', '2026-03-04 09:00Z', '00000000-0000-7000-8000-000000000032', 'arrival',
    '2026-03-04 09:00Z', '{"model": "events", "hogql_query": null, "destination_type": "File", "destination_config": {"path": "old"}, "in_project_folder": true}',
    2, 2, '[{"key": "old/file.jsonl", "bytes": 60, "checksum": "crc32:cbf43926", "holds": "rows"}, {"key": "old/more.jsonl", "bytes": 40, "checksum": "\"d41d8cd98f00b204e9800998ecf8427e\"", "holds": "rows"}]',
    '2026-03-04 09:31Z');

-- A visitor, one recording with a block that the test stores, a note on it and a link to it.
INSERT INTO persons (project_id, uuid, properties, version, created_at)
  VALUES (1, '00000000-0000-4000-8000-000000000050', '{"email": "a@example.com"}', 3, '2026-03-04Z');
INSERT INTO person_distinct_ids (project_id, distinct_id, person_id, version) VALUES (1, 'visitor', 1, 0);
INSERT INTO session_recordings (project_id, session_id, distinct_id, snapshot_source, start_time, end_time, recording_duration,
    active_seconds, inactive_seconds, activity, click_count, keypress_count, mouse_activity_count, console_log_count,
    console_warn_count, console_error_count, failed_request_count, dropped_events, start_url, start_url_at, block_count, created_at,
    last_updated_at)
  VALUES (1, 'session', 'visitor', 'web', '2026-03-04 09:00Z', '2026-03-04 09:01Z', 60, 60, 0, '{1772614800000,1772614860000}',
    1, 2, 3, 0, 0, 0, 4, 0, 'https://shop.example/', '2026-03-04 09:00Z', 1, '2026-03-04 09:01Z', '2026-03-04 09:01Z');
INSERT INTO session_recording_blocks (recording_id, number, object_key, start_time, end_time, bytes, items, full_snapshots, active_windows)
  VALUES (1, 0, 'recordings/1/3f3af1ecebbd1410ab417ec0d27bbfcb/00000000-0000-7000-8000-000000000061', '2026-03-04 09:00Z', '2026-03-04 09:01Z', 100, '{00000000-0000-4000-8000-000000000060}',
    '[["window", 1772614800000]]', '[["window", 1772614860000]]');
INSERT INTO recording_notes (id, recording_id, project_id, user_id, author, at, text, created_at, updated_at)
  VALUES ('00000000-0000-4000-8000-000000000070', 1, 1, '00000000-0000-4000-8000-000000000002', 'Old key', 5, 'An old note.',
    '2026-03-04 09:05Z', '2026-03-04 09:05Z');
INSERT INTO session_recording_sharing (recording_id, is_default, generation, token_hash, enabled, created_at, views, label)
  VALUES (1, false, 1, '\x00', true, '2026-03-04 09:05Z', 7, 'An old link');

-- A channel with an open incident of the hourly export.
INSERT INTO alert_channels (id, project_id, name, type, enabled, recipients, actor, created_at, last_updated_at)
  VALUES ('00000000-0000-4000-8000-000000000080', 1, 'Mail', 'email', false, '{me@example.com}', 'Old key', '2026-03-04Z', '2026-03-04Z');
INSERT INTO incidents (id, project_id, kind, cause, destination, detail, opened_at, notified_at, last_updated_at)
  VALUES ('00000000-0000-4000-8000-000000000081', 1, 'failed', 'old', '', 'The bucket is gone.', '2026-03-04 09:10Z', '2026-03-04 09:10Z',
    '2026-03-04 09:10Z');
INSERT INTO incident_exports (incident_id, batch_export_id, since)
  VALUES ('00000000-0000-4000-8000-000000000081', '00000000-0000-4000-8000-000000000010', '2026-03-04 09:10Z');
