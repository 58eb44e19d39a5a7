-- A logical dump of the previous version's database: its schema, then rows as it wrote them. A later version must open it, so
-- never change it; a change of the schema may replace all of it by a dump of the version before that change.

-- What the processes of one installation share.

CREATE TABLE installation (name text PRIMARY KEY, value text NOT NULL);

CREATE UNLOGGED TABLE rate_counts (
  minute integer NOT NULL, name text NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (minute, name)
);
COMMENT ON TABLE rate_counts IS 'requests of the current minutes, by the processes together';
COMMENT ON COLUMN rate_counts.minute IS 'minutes since the epoch';

CREATE TABLE worker_heartbeat (at timestamptz NOT NULL);
COMMENT ON TABLE worker_heartbeat IS 'one row: when a process that runs exports was last alive';
INSERT INTO worker_heartbeat VALUES ('epoch');

CREATE TABLE organizations (
  id uuid PRIMARY KEY, name text NOT NULL, created_at timestamptz NOT NULL
);

CREATE TABLE users (
  id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations,
  email text NOT NULL, first_name text NOT NULL, created_at timestamptz NOT NULL
);

CREATE TABLE projects (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL, api_token text NOT NULL UNIQUE, created_at timestamptz NOT NULL
);
CREATE INDEX ON projects (organization_id, id);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, hash bytea NOT NULL UNIQUE, label text NOT NULL,
  scopes text[] NOT NULL, scoped_projects integer[], scoped_organizations uuid[],
  created_at timestamptz NOT NULL, last_used_at timestamptz
);
CREATE INDEX ON api_keys (user_id, created_at);

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE persons (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, project_id integer NOT NULL, uuid uuid NOT NULL,
  properties jsonb NOT NULL, version bigint NOT NULL, created_at timestamptz NOT NULL,
  UNIQUE (project_id, uuid)
);
CREATE INDEX persons_by_properties ON persons USING gin (properties jsonb_path_ops);

CREATE FUNCTION person_name(properties jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN coalesce(
  CASE jsonb_typeof(properties -> 'email') WHEN 'string' THEN nullif(properties ->> 'email', '') END,
  CASE jsonb_typeof(properties -> 'name') WHEN 'string' THEN nullif(properties ->> 'name', '') END,
  CASE jsonb_typeof(properties -> 'username') WHEN 'string' THEN nullif(properties ->> 'username', '') END);
CREATE INDEX persons_by_name ON persons USING gin (person_name(properties) gin_trgm_ops);

CREATE TABLE person_distinct_ids (
  project_id integer NOT NULL, distinct_id text NOT NULL, person_id bigint NOT NULL REFERENCES persons, version bigint NOT NULL,
  PRIMARY KEY (project_id, distinct_id)
);
CREATE INDEX ON person_distinct_ids (person_id);

CREATE TABLE event_imports (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, file text NOT NULL,
  created_at timestamptz NOT NULL, finished_at timestamptz, events bigint, error text
);
COMMENT ON TABLE event_imports IS 'files that a command asks the running service to import; who imports one holds its row locked';

-- Batch exports: their settings, pauses and changes.

CREATE TABLE batch_exports (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, name text NOT NULL,
  model text NOT NULL, hogql_query text, schema jsonb,
  destination_type text NOT NULL, destination_config jsonb NOT NULL, destination_secrets bytea,
  in_project_folder boolean NOT NULL DEFAULT false,
  interval text NOT NULL, start_at timestamptz, end_at timestamptz, scheduled_until timestamptz NOT NULL,
  paused boolean NOT NULL, last_paused_at timestamptz, paused_because text, pause_reason text, paused_until timestamptz,
  tags text[] NOT NULL DEFAULT '{}', owner text NOT NULL DEFAULT '', note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL, last_updated_at timestamptz NOT NULL, deleted_at timestamptz
);
COMMENT ON COLUMN batch_exports.in_project_folder IS 'a File export writes below exports/<project id>, not directly below exports as those from before this column';
COMMENT ON COLUMN batch_exports.scheduled_until IS 'the schedule is a cursor: every window that ends by then has its run or was skipped';
COMMENT ON COLUMN batch_exports.paused_because IS 'why the service paused it; null if a user did, or if it is not paused';
COMMENT ON COLUMN batch_exports.pause_reason IS 'why a user paused it, in the user''s words; null if it is not paused';
COMMENT ON COLUMN batch_exports.paused_until IS 'when the scheduler ends the pause; null if it is not paused, or until a user unpauses it';
COMMENT ON COLUMN batch_exports.owner IS 'who answers for the export: any text, empty for nobody';
CREATE INDEX ON batch_exports (project_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX ON batch_exports (scheduled_until) WHERE deleted_at IS NULL AND NOT paused;
CREATE INDEX batch_exports_to_unpause ON batch_exports (paused_until) WHERE paused_until IS NOT NULL AND deleted_at IS NULL;

CREATE FUNCTION clear_paused_because() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.paused_because = NULL;
  NEW.pause_reason = NULL;
  NEW.paused_until = NULL;
  RETURN NEW;
END $$;
-- A trigger, so that none of the statements that unpause exports can leave the reason of a pause that has ended.
CREATE TRIGGER clear_paused_because BEFORE UPDATE OF paused ON batch_exports
  FOR EACH ROW WHEN (OLD.paused AND NOT NEW.paused) EXECUTE FUNCTION clear_paused_because();

CREATE TABLE batch_export_pauses (
  batch_export_id uuid NOT NULL REFERENCES batch_exports, started_at timestamptz NOT NULL, ended_at timestamptz,
  skipped_from timestamptz, skipped_until timestamptz,
  PRIMARY KEY (batch_export_id, started_at)
);
COMMENT ON TABLE batch_export_pauses IS 'kept by a trigger on batch_exports, so that no way of pausing can forget it; ended_at is null while paused';
COMMENT ON COLUMN batch_export_pauses.skipped_from IS 'start of the first window that the pause had skipped when it last ended; null if none';
COMMENT ON COLUMN batch_export_pauses.skipped_until IS 'where the schedule resumed when the pause last ended';

CREATE FUNCTION window_start(length text, at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT date_bin((CASE WHEN length LIKE 'every %' THEN substr(length, 7) ELSE '1 ' || length END)::interval, at,
    '1970-01-05T00:00:00Z') $$;

CREATE FUNCTION record_pause() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE
  resumed timestamptz := least(NEW.scheduled_until, window_start(NEW.interval, NEW.last_updated_at));
BEGIN
  IF NEW.paused THEN
    INSERT INTO batch_export_pauses (batch_export_id, started_at) VALUES (NEW.id, NEW.last_updated_at)
      ON CONFLICT (batch_export_id, started_at) DO UPDATE SET ended_at = NULL;
  ELSE
    UPDATE batch_export_pauses SET ended_at = greatest(NEW.last_updated_at, started_at),
      skipped_from = nullif(least(resumed,
        coalesce(skipped_from, greatest(OLD.scheduled_until, window_start(OLD.interval, started_at)))), resumed),
      skipped_until = resumed
      WHERE batch_export_id = NEW.id AND ended_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
-- A trigger, because exports are created, changed in bulk, paused after failures and unpaused by different statements.
CREATE TRIGGER record_creation_in_pause AFTER INSERT ON batch_exports
  FOR EACH ROW WHEN (NEW.paused) EXECUTE FUNCTION record_pause();
-- A trigger for the same reason; it also needs scheduled_until from before the statement.
CREATE TRIGGER record_pause AFTER UPDATE OF paused ON batch_exports
  FOR EACH ROW WHEN (OLD.paused <> NEW.paused) EXECUTE FUNCTION record_pause();

CREATE TABLE batch_export_changes (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, batch_export_id uuid NOT NULL REFERENCES batch_exports,
  kind text NOT NULL, actor text, source text, fields jsonb NOT NULL, reverts uuid, created_at timestamptz NOT NULL
);
COMMENT ON COLUMN batch_export_changes.actor IS 'label of the key that did it, null for the service itself';
COMMENT ON COLUMN batch_export_changes.source IS 'name of the file from which the change was applied';
COMMENT ON COLUMN batch_export_changes.reverts IS 'the earlier change that this one reverted';
CREATE INDEX ON batch_export_changes (batch_export_id, created_at DESC, id DESC);
CREATE INDEX batch_export_changes_of_project ON batch_export_changes (project_id, created_at, id);

CREATE TABLE batch_export_definitions (
  batch_export_id uuid PRIMARY KEY REFERENCES batch_exports ON DELETE CASCADE, settings jsonb NOT NULL, secrets jsonb NOT NULL,
  actor text NOT NULL, source text, applied_at timestamptz NOT NULL
);
COMMENT ON TABLE batch_export_definitions IS 'settings of an export when it was last applied from a file';
COMMENT ON COLUMN batch_export_definitions.secrets IS 'a token of each secret, which only shows whether it has changed';

CREATE TABLE batch_export_shared_files (
  batch_export_id uuid NOT NULL REFERENCES batch_exports, other_id uuid NOT NULL REFERENCES batch_exports,
  PRIMARY KEY (batch_export_id, other_id)
);
COMMENT ON TABLE batch_export_shared_files IS 'pairs of exports, in both orders, that could write the same files when the service started';

-- Runs of batch exports, their backfills and logs, and the time before which every insert is visible to them.

CREATE TABLE arrival_floor (at timestamptz NOT NULL);
COMMENT ON TABLE arrival_floor IS 'one row: no event arrives before this time, even if the clock goes back; raised to a time, in whole milliseconds, before any cursor passes it';
CREATE UNIQUE INDEX ON arrival_floor ((true));
INSERT INTO arrival_floor VALUES ('epoch');

CREATE FUNCTION hold_watermark(clock timestamptz) RETURNS timestamptz LANGUAGE plpgsql AS $$ DECLARE arrival timestamptz; BEGIN
  SELECT greatest(date_trunc('milliseconds', clock), at) INTO arrival FROM arrival_floor;
  PERFORM pg_advisory_xact_lock_shared(4282, floor(extract(epoch FROM arrival))::bigint::bit(32)::integer);
  RETURN (SELECT greatest(arrival, at) FROM arrival_floor);
END $$;
COMMENT ON FUNCTION hold_watermark IS 'reads the floor again once it holds the lock: whoever raised the floor without seeing the lock had raised it before';

CREATE TABLE batch_export_backfills (
  id uuid PRIMARY KEY, workflow_id text NOT NULL, batch_export_id uuid NOT NULL REFERENCES batch_exports,
  project_id integer NOT NULL, start_at timestamptz NOT NULL, end_at timestamptz NOT NULL,
  total_runs integer NOT NULL, status text NOT NULL,
  created_at timestamptz NOT NULL, finished_at timestamptz, last_updated_at timestamptz NOT NULL
);
CREATE INDEX ON batch_export_backfills (batch_export_id, created_at DESC, id DESC);
CREATE INDEX batch_export_backfills_running ON batch_export_backfills (project_id, created_at) WHERE status IN ('Starting', 'Running');

CREATE TABLE batch_export_runs (
  id uuid PRIMARY KEY, batch_export_id uuid NOT NULL REFERENCES batch_exports, project_id integer NOT NULL,
  backfill_id uuid REFERENCES batch_export_backfills, origin text NOT NULL, selects_by text NOT NULL,
  data_interval_start timestamptz NOT NULL, data_interval_end timestamptz NOT NULL,
  status text NOT NULL, attempt integer NOT NULL, next_attempt_at timestamptz, cancel_requested_at timestamptz,
  worker_id text, heartbeat_at timestamptz,
  records_completed bigint NOT NULL, records_total_count bigint, bytes_exported bigint, files text[] NOT NULL DEFAULT '{}',
  latest_error text, failure_cause text,
  created_at timestamptz NOT NULL, started_at timestamptz, finished_at timestamptz, last_updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN batch_export_runs.origin IS 'schedule, backfill or retry';
COMMENT ON COLUMN batch_export_runs.selects_by IS 'arrival: rows by inserted_at; time: rows by the event''s timestamp';
COMMENT ON COLUMN batch_export_runs.failure_cause IS 'key of failureCause() if the run failed';
CREATE UNIQUE INDEX batch_export_runs_one_per_window ON batch_export_runs (batch_export_id, data_interval_start) WHERE origin = 'schedule';
CREATE INDEX ON batch_export_runs (batch_export_id, created_at DESC, id DESC);
CREATE INDEX ON batch_export_runs (batch_export_id, data_interval_start DESC, id DESC);
CREATE INDEX ON batch_export_runs (backfill_id) WHERE backfill_id IS NOT NULL;
CREATE INDEX batch_export_runs_in_progress ON batch_export_runs (status, heartbeat_at) WHERE status IN ('Starting', 'Running', 'FailedRetryable');
CREATE INDEX batch_export_runs_by_window ON batch_export_runs (batch_export_id, data_interval_end, data_interval_start, created_at, id)
  INCLUDE (status, records_completed, records_total_count, attempt, started_at, finished_at);
COMMENT ON INDEX batch_export_runs_by_window IS 'holds all that coverage and overview show, in their order';
CREATE INDEX batch_export_runs_to_claim ON batch_export_runs (batch_export_id,
  (CASE origin WHEN 'retry' THEN 0 WHEN 'schedule' THEN 1 ELSE 2 END), created_at, id)
  WHERE status IN ('Starting', 'Running', 'FailedRetryable');
COMMENT ON INDEX batch_export_runs_to_claim IS 'in the order in which runs of an export start';
CREATE INDEX batch_export_runs_failed ON batch_export_runs (project_id, finished_at) WHERE status IN ('Failed', 'TimedOut');

CREATE TABLE batch_export_logs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, batch_export_id uuid NOT NULL REFERENCES batch_exports,
  run_id uuid REFERENCES batch_export_runs, timestamp timestamptz NOT NULL, level text NOT NULL, message text NOT NULL
);
CREATE INDEX ON batch_export_logs (batch_export_id, timestamp DESC, id DESC);
CREATE INDEX ON batch_export_logs (run_id, timestamp DESC, id DESC) WHERE run_id IS NOT NULL;

-- What each window's run wrote, and whether the destination still has it.

CREATE TABLE batch_export_ledger (
  batch_export_id uuid NOT NULL REFERENCES batch_exports ON DELETE CASCADE,
  data_interval_start timestamptz NOT NULL, data_interval_end timestamptz NOT NULL,
  run_id uuid NOT NULL, selects_by text NOT NULL, taken_until timestamptz NOT NULL, settings jsonb NOT NULL,
  rows_expected bigint NOT NULL, rows_written bigint NOT NULL, objects jsonb NOT NULL, written_at timestamptz NOT NULL,
  verified_at timestamptz, objects_found text, rows_source bigint, hash_expected text, rows_read bigint, hash_read text,
  late_rows bigint NOT NULL DEFAULT 0, problem text,
  verification_id uuid, verify_turn integer, verify_requested_at timestamptz, claimed_until timestamptz,
  is_refuted boolean NOT NULL GENERATED ALWAYS AS (coalesce(
    (rows_written < rows_expected OR rows_read < rows_written OR objects_found IN ('changed', 'gone')
      OR rows_read >= rows_written AND hash_read IS DISTINCT FROM hash_expected
        AND coalesce(rows_source, rows_expected) = rows_expected)
    AND NOT coalesce(rows_source < rows_expected AND (rows_source = 0 OR rows_read > rows_source), false), false)) STORED,
  flagged boolean NOT NULL GENERATED ALWAYS AS (coalesce(
    rows_written < rows_expected OR rows_read < rows_written OR rows_source <> rows_expected OR late_rows > 0
    OR objects_found <> 'intact' OR (rows_read IS NOT NULL AND hash_read IS DISTINCT FROM hash_expected), false)) STORED,
  PRIMARY KEY (batch_export_id, data_interval_start, data_interval_end)
);
COMMENT ON TABLE batch_export_ledger IS 'what the newest completed run of each window wrote, and whether it is still at the destination';
COMMENT ON COLUMN batch_export_ledger.taken_until IS 'arrival time of the last rows that the run could take';
COMMENT ON COLUMN batch_export_ledger.settings IS 'settings of the export, at the time of the run, that select the rows and name the destination';
COMMENT ON COLUMN batch_export_ledger.verify_requested_at IS 'when the window was requested to be verified; null when it is not waiting';
COMMENT ON COLUMN batch_export_ledger.verify_turn IS 'windows of the same request to verify before this one; lower turns go first, so that requests take turns';
COMMENT ON COLUMN batch_export_ledger.is_refuted IS 'the flags short, changed or gone apply, and the source still has the rows to write again';
COMMENT ON COLUMN batch_export_ledger.flagged IS 'whether the entry alone may give the window a flag; src/contract/runs/ledger.ts has the rules';
CREATE INDEX batch_export_ledger_waiting ON batch_export_ledger (verify_turn, verify_requested_at) WHERE verify_requested_at IS NOT NULL;
CREATE INDEX batch_export_ledger_verification ON batch_export_ledger (verification_id) WHERE verify_requested_at IS NOT NULL;
CREATE INDEX batch_export_ledger_refuted ON batch_export_ledger (batch_export_id, data_interval_end) WHERE is_refuted;
CREATE INDEX batch_export_ledger_flagged ON batch_export_ledger (batch_export_id, data_interval_end) WHERE flagged;
CREATE INDEX batch_export_ledger_short ON batch_export_ledger (batch_export_id, data_interval_start)
  WHERE rows_written < rows_expected OR rows_read < rows_written OR objects_found = 'gone';

CREATE TABLE batch_export_verifications (
  id uuid PRIMARY KEY, batch_export_id uuid NOT NULL REFERENCES batch_exports ON DELETE CASCADE, actor text NOT NULL,
  total integer NOT NULL, created_at timestamptz NOT NULL
);
COMMENT ON COLUMN batch_export_verifications.actor IS 'label of the key that requested the verification';
CREATE INDEX ON batch_export_verifications (batch_export_id, created_at);

CREATE TABLE batch_export_verify_modes (
  batch_export_id uuid PRIMARY KEY REFERENCES batch_exports ON DELETE CASCADE, mode text NOT NULL, sampled_at timestamptz
);
COMMENT ON TABLE batch_export_verify_modes IS 'when the windows of an export are verified without a request; no row: never';
COMMENT ON COLUMN batch_export_verify_modes.sampled_at IS 'when the last nightly sample was requested';

-- A cache of the states of windows by day. The functions that write runs, schedules and the ledger note the days to compute again.

CREATE TABLE batch_export_days (
  batch_export_id uuid NOT NULL REFERENCES batch_exports ON DELETE CASCADE, day integer NOT NULL, states text NOT NULL,
  valid_until timestamptz, begins timestamptz NOT NULL,
  PRIMARY KEY (batch_export_id, day)
);
COMMENT ON TABLE batch_export_days IS 'states of the windows that start on a day, for the last weeks; computed from the runs and their verification, and again after a change';
COMMENT ON COLUMN batch_export_days.day IS 'days since 1970-01-01 UTC';
COMMENT ON COLUMN batch_export_days.states IS 'one letter per window, oldest first';
COMMENT ON COLUMN batch_export_days.valid_until IS 'when the next of the windows ends; null once all have ended';
COMMENT ON COLUMN batch_export_days.begins IS 'start of the export''s lifetime when the states were computed: an earlier run moves it';
CREATE INDEX batch_export_days_to_end ON batch_export_days (batch_export_id, valid_until) WHERE valid_until IS NOT NULL;

CREATE TABLE batch_exports_to_repair (
  batch_export_id uuid PRIMARY KEY REFERENCES batch_exports ON DELETE CASCADE, windows integer NOT NULL
);
COMMENT ON TABLE batch_exports_to_repair IS 'windows that a repair plan without a period would repair; computed with batch_export_days';

CREATE TABLE batch_export_day_changes (batch_export_id uuid NOT NULL, from_day integer NOT NULL, until_day integer NOT NULL);
COMMENT ON TABLE batch_export_day_changes IS 'days to compute again; rows are only added, so that changes never wait for each other';
CREATE INDEX ON batch_export_day_changes (batch_export_id);

CREATE FUNCTION day_of(at timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN floor(extract(epoch FROM at) / 86400)::integer;

CREATE TABLE repair_plans (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, actor text NOT NULL, status text NOT NULL,
  batch_export_ids uuid[], start_at timestamptz NOT NULL, end_at timestamptz NOT NULL, rows_counted boolean NOT NULL,
  created_at timestamptz NOT NULL, started_at timestamptz, finished_at timestamptz
);
COMMENT ON COLUMN repair_plans.actor IS 'label of the key that created the plan';
COMMENT ON COLUMN repair_plans.batch_export_ids IS 'null for all exports of the project';
COMMENT ON COLUMN repair_plans.rows_counted IS 'whether the expected rows of all steps were counted, as far as possible';
CREATE INDEX ON repair_plans (project_id, created_at DESC, id DESC);
CREATE INDEX repair_plans_in_progress ON repair_plans (created_at) WHERE status = 'Running' OR NOT rows_counted;

CREATE TABLE repair_steps (
  plan_id uuid NOT NULL REFERENCES repair_plans ON DELETE CASCADE, number integer NOT NULL, batch_export_id uuid NOT NULL,
  start_at timestamptz NOT NULL, end_at timestamptz NOT NULL, window_ms bigint NOT NULL,
  missing integer NOT NULL, failed integer NOT NULL, short integer NOT NULL, skipped integer NOT NULL,
  selects_by text NOT NULL, rows_expected bigint, seconds_expected double precision,
  state text NOT NULL, backfill_id uuid, backfill_ids uuid[] NOT NULL DEFAULT '{}', verification_id uuid,
  sent integer NOT NULL DEFAULT 0, finished integer NOT NULL DEFAULT 0,
  proven integer NOT NULL DEFAULT 0, unreadable integer NOT NULL DEFAULT 0, problem text,
  PRIMARY KEY (plan_id, number)
);
COMMENT ON TABLE repair_steps IS 'adjacent windows of one export, newest first; a window is window_ms long';
COMMENT ON COLUMN repair_steps.skipped IS 'windows that a pause skipped';
COMMENT ON COLUMN repair_steps.backfill_ids IS 'every backfill of the step: a plan that was stopped and runs again needs another';
CREATE INDEX repair_steps_in_progress ON repair_steps (plan_id, number) WHERE state IN ('planned', 'running', 'verifying');

CREATE TABLE bulk_actions (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, action text NOT NULL, options jsonb NOT NULL,
  actor text NOT NULL, user_id uuid REFERENCES users, status text NOT NULL,
  total integer NOT NULL, done integer NOT NULL DEFAULT 0, unchanged integer NOT NULL DEFAULT 0, failed integer NOT NULL DEFAULT 0,
  undone integer NOT NULL DEFAULT 0, not_undone integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL, finished_at timestamptz, undo_until timestamptz
);
COMMENT ON COLUMN bulk_actions.actor IS 'label of the key that started the action';
COMMENT ON COLUMN bulk_actions.user_id IS 'who started the action; null for actions from before this column';
CREATE INDEX ON bulk_actions (project_id, created_at DESC, id DESC);
CREATE INDEX bulk_actions_in_progress ON bulk_actions (created_at) WHERE status IN ('Running', 'Undoing');

CREATE TABLE bulk_action_items (
  bulk_action_id uuid NOT NULL REFERENCES bulk_actions ON DELETE CASCADE, number integer NOT NULL,
  object_id text NOT NULL, name text NOT NULL, visitor text, status text NOT NULL, reason text, undo jsonb,
  PRIMARY KEY (bulk_action_id, number)
);
COMMENT ON COLUMN bulk_action_items.visitor IS 'distinct id of a recording whose visitor has no name; the two words of its name are derived from it';
COMMENT ON COLUMN bulk_action_items.undo IS 'what the action replaced; an undo restores it';
CREATE INDEX ON bulk_action_items (bulk_action_id, status, number);

-- Recordings, their blocks, and what capture should record.

CREATE TABLE session_recordings (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, project_id integer NOT NULL REFERENCES projects,
  session_id text NOT NULL, distinct_id text NOT NULL, visit_words smallint, snapshot_source text NOT NULL,
  start_time timestamptz NOT NULL, end_time timestamptz NOT NULL, recording_duration bigint NOT NULL,
  active_seconds double precision NOT NULL, inactive_seconds double precision NOT NULL, activity double precision[] NOT NULL,
  click_count integer NOT NULL, keypress_count integer NOT NULL, mouse_activity_count integer NOT NULL,
  console_log_count integer NOT NULL, console_warn_count integer NOT NULL, console_error_count integer NOT NULL,
  failed_request_count integer, dropped_events integer, sender_clock jsonb,
  start_url text NOT NULL, start_url_at timestamptz,
  block_count integer NOT NULL, asset_block_count integer DEFAULT 0, asset_bases jsonb, asset_search_at timestamptz,
  created_at timestamptz NOT NULL, last_updated_at timestamptz NOT NULL,
  path_made_at timestamptz, visit_made_at timestamptz, mirrored_at timestamptz,
  viewed_at timestamptz, persisted_at timestamptz, deleted_at timestamptz, deleted_by uuid,
  UNIQUE (project_id, session_id)
);
COMMENT ON COLUMN session_recordings.visit_words IS 'code of the two words that name a visitor without a name; null if the distinct id is an e-mail address';
COMMENT ON COLUMN session_recordings.activity IS 'begin and end of each stretch without a gap over 5 s, in ms since the epoch, ascending';
COMMENT ON COLUMN session_recordings.failed_request_count IS 'null if parts of it were stored before requests were counted';
COMMENT ON COLUMN session_recordings.dropped_events IS 'events that were not valid; null from before they were counted';
COMMENT ON COLUMN session_recordings.sender_clock IS 'lag: ms that the clock of the sender is behind, as its last item showed; shift: ms added to the times of its events; null if unknown';
COMMENT ON COLUMN session_recordings.start_url_at IS 'when the page of start_url was seen, so that an earlier one replaces it';
COMMENT ON COLUMN session_recordings.asset_block_count IS 'how many blocks have been searched for assets; null if the recording is older than the search';
COMMENT ON COLUMN session_recordings.asset_bases IS 'URL against which references resolve after these blocks, by window';
COMMENT ON COLUMN session_recordings.asset_search_at IS 'blocks are searched for assets again then, because too many assets were waiting';
COMMENT ON COLUMN session_recordings.last_updated_at IS 'when its last data arrived';
COMMENT ON COLUMN session_recordings.path_made_at IS 'up to which last_updated_at its way through the pages has been worked out for similar sessions';
COMMENT ON COLUMN session_recordings.visit_made_at IS 'last_updated_at of the data that recording_visits describes';
COMMENT ON COLUMN session_recordings.mirrored_at IS 'last_updated_at of the data that the warehouse''s table recordings contains';
COMMENT ON COLUMN session_recordings.deleted_at IS 'a row without content: data of the session that comes later is dropped';
COMMENT ON COLUMN session_recordings.deleted_by IS 'the bulk action whose undo can restore the recording; null once its content is removed';

-- Orders of the list. The session is in the first, so that sessions found in the warehouse are looked up in a period without reading rows.
CREATE INDEX session_recordings_in_order ON session_recordings (project_id, start_time, id) INCLUDE (session_id)
  WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_by_recording_duration ON session_recordings (project_id, recording_duration, id) WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_by_active_seconds ON session_recordings (project_id, active_seconds, id) WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_by_inactive_seconds ON session_recordings (project_id, inactive_seconds, id) WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_by_console_error_count ON session_recordings (project_id, console_error_count, id) WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_by_click_count ON session_recordings (project_id, click_count, id) WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_by_keypress_count ON session_recordings (project_id, keypress_count, id) WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_by_mouse_activity_count ON session_recordings (project_id, mouse_activity_count, id) WHERE deleted_at IS NULL;

-- Filters of the list.
CREATE INDEX session_recordings_by_distinct_id ON session_recordings (project_id, distinct_id, start_time, id) WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_by_visit_words ON session_recordings (project_id, visit_words, distinct_id) WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_by_snapshot_source ON session_recordings (project_id, snapshot_source, start_time, id)
  WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_by_failed_request_count ON session_recordings (project_id, failed_request_count)
  WHERE deleted_at IS NULL AND failed_request_count > 0;
CREATE INDEX session_recordings_by_text ON session_recordings USING gin (start_url gin_trgm_ops, distinct_id gin_trgm_ops)
  WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_viewed ON session_recordings (project_id, start_time, id)
  WHERE deleted_at IS NULL AND viewed_at IS NOT NULL;
CREATE INDEX session_recordings_kept ON session_recordings (project_id, start_time, id)
  WHERE deleted_at IS NULL AND persisted_at IS NOT NULL;
CREATE INDEX session_recordings_by_last_updated_at ON session_recordings (project_id, last_updated_at) WHERE deleted_at IS NULL;
CREATE INDEX session_recordings_at_random ON session_recordings (project_id, hashint8(id)) WHERE deleted_at IS NULL;
COMMENT ON INDEX session_recordings_at_random IS 'so that a sample tells how many recordings match a filter';
-- Counts and orders recordings found by id, such as those of a collection, without reading their rows.
CREATE INDEX session_recordings_by_id ON session_recordings (id) INCLUDE (project_id, start_time) WHERE deleted_at IS NULL;

-- Work of the background.
CREATE INDEX session_recordings_without_path ON session_recordings (last_updated_at)
  WHERE deleted_at IS NULL AND (path_made_at IS NULL OR path_made_at < last_updated_at);
CREATE INDEX session_recordings_without_visit ON session_recordings (project_id, last_updated_at)
  WHERE deleted_at IS NULL AND (visit_made_at IS NULL OR visit_made_at < last_updated_at);
CREATE INDEX session_recordings_to_mirror ON session_recordings (last_updated_at)
  WHERE deleted_at IS NULL AND (mirrored_at IS NULL OR mirrored_at < last_updated_at);
CREATE INDEX session_recordings_to_search_for_assets ON session_recordings (project_id, last_updated_at)
  WHERE deleted_at IS NULL AND asset_block_count < block_count;
CREATE INDEX session_recordings_to_expire ON session_recordings (start_time) WHERE deleted_at IS NULL AND persisted_at IS NULL;
CREATE INDEX session_recordings_restorable ON session_recordings (deleted_by) WHERE deleted_by IS NOT NULL;

CREATE TABLE session_recording_counts (project_id integer PRIMARY KEY REFERENCES projects, count bigint NOT NULL);
COMMENT ON TABLE session_recording_counts IS 'kept by triggers: counting a million rows takes longer than a page of them';
CREATE FUNCTION count_session_recordings_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO session_recording_counts AS counts (project_id, count)
    SELECT project_id, count(*) FROM added WHERE deleted_at IS NULL GROUP BY project_id ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET count = counts.count + excluded.count;
  RETURN NULL;
END $$;
CREATE FUNCTION count_session_recordings_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE session_recording_counts AS counts SET count = counts.count - lost.count
    FROM (SELECT project_id, count(*) AS count FROM removed WHERE deleted_at IS NULL GROUP BY project_id) AS lost
    WHERE counts.project_id = lost.project_id;
  RETURN NULL;
END $$;
CREATE FUNCTION count_session_recording_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE session_recording_counts SET count = count - 1 WHERE project_id = NEW.project_id;
  RETURN NULL;
END $$;
CREATE FUNCTION count_session_recording_restored() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE session_recording_counts SET count = count + 1 WHERE project_id = NEW.project_id;
  RETURN NULL;
END $$;
-- A trigger, because an insert skips sessions that exist, and only the database knows how many remain.
CREATE TRIGGER count_added AFTER INSERT ON session_recordings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_session_recordings_added();
-- Triggers, because many statements delete and restore recordings, and a wrong count would stay wrong.
CREATE TRIGGER count_removed AFTER DELETE ON session_recordings REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_session_recordings_removed();
CREATE TRIGGER count_deleted AFTER UPDATE OF deleted_at ON session_recordings
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION count_session_recording_deleted();
CREATE TRIGGER count_restored AFTER UPDATE OF deleted_at ON session_recordings
  FOR EACH ROW WHEN (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL) EXECUTE FUNCTION count_session_recording_restored();

CREATE TABLE session_recording_blocks (
  recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE, number integer NOT NULL,
  object_key text NOT NULL, start_time timestamptz NOT NULL, end_time timestamptz NOT NULL, bytes integer NOT NULL,
  items uuid[] NOT NULL, full_snapshots jsonb, active_windows jsonb,
  PRIMARY KEY (recording_id, number)
);
COMMENT ON COLUMN session_recording_blocks.bytes IS 'of its events as JSON lines, before compression';
COMMENT ON COLUMN session_recording_blocks.items IS 'the captured items in it, so that one that is sent again is known';
COMMENT ON COLUMN session_recording_blocks.full_snapshots IS 'a list of [window, time in milliseconds]; null in blocks from before this column';
COMMENT ON COLUMN session_recording_blocks.active_windows IS 'windows that the visitor used, as [window, time of the last action]; null like full_snapshots';

CREATE TABLE recording_settings (
  project_id integer PRIMARY KEY REFERENCES projects, canvas boolean NOT NULL, network_headers boolean NOT NULL,
  network_bodies boolean NOT NULL, assets text NOT NULL, asset_hosts text[] NOT NULL
);
COMMENT ON COLUMN recording_settings.assets IS 'any, listed or off';

-- Files that recordings show but do not contain, such as images.

CREATE TABLE recorded_assets (
  project_id integer NOT NULL REFERENCES projects, hash bytea NOT NULL, content_type text NOT NULL, bytes integer NOT NULL,
  PRIMARY KEY (project_id, hash)
);
COMMENT ON TABLE recorded_assets IS 'stored files that recordings show, by the SHA-256 of their content';

CREATE TABLE session_recording_assets (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE, project_id integer NOT NULL,
  url text NOT NULL, host text NOT NULL, is_stylesheet boolean NOT NULL, depth smallint NOT NULL, turn integer NOT NULL DEFAULT 0,
  attempts smallint NOT NULL DEFAULT 0, retry_at timestamptz, claimed_until timestamptz,
  fetched_at timestamptz, hash bytea, final_url text, reason text,
  UNIQUE (recording_id, url), FOREIGN KEY (project_id, hash) REFERENCES recorded_assets
);
COMMENT ON COLUMN session_recording_assets.depth IS '0 if the recording names the file, 1 if one of its style sheets does, and so on';
COMMENT ON COLUMN session_recording_assets.turn IS 'number of the files that the recording named before; files with fewer are fetched first';
COMMENT ON COLUMN session_recording_assets.attempts IS 'failed attempts, after which another one is due at retry_at';
COMMENT ON COLUMN session_recording_assets.hash IS 'null until the file is fetched, and if it cannot be: then reason says why';
COMMENT ON COLUMN session_recording_assets.final_url IS 'the URL after redirects, against which a style sheet resolves its references';
CREATE INDEX session_recording_assets_pending ON session_recording_assets (project_id, attempts, turn, recording_id DESC) WHERE fetched_at IS NULL;
CREATE INDEX session_recording_assets_claimed ON session_recording_assets (claimed_until) WHERE fetched_at IS NULL AND claimed_until IS NOT NULL;
CREATE INDEX session_recording_assets_by_url ON session_recording_assets (project_id, url) WHERE fetched_at IS NOT NULL;
CREATE INDEX session_recording_assets_by_hash ON session_recording_assets (project_id, hash) WHERE hash IS NOT NULL;

CREATE TABLE session_recording_refused_assets (
  recording_id bigint PRIMARY KEY REFERENCES session_recordings ON DELETE CASCADE, url_hashes bigint[] NOT NULL, reasons jsonb NOT NULL
);
COMMENT ON TABLE session_recording_refused_assets IS 'missing files that have no row of their own';
COMMENT ON COLUMN session_recording_refused_assets.reasons IS 'number of files by the reason why they are missing';

CREATE UNLOGGED TABLE asset_fetch_counts (
  name text NOT NULL, until timestamptz NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (name, until)
);
COMMENT ON TABLE asset_fetch_counts IS 'fetches of hosts and projects in the minute, and bytes of projects in the hour, that end at until';

-- What the service reads from recordings: facts, summaries, and the states of their errors.

CREATE TABLE recording_visits (
  recording_id bigint PRIMARY KEY REFERENCES session_recordings ON DELETE CASCADE, project_id integer NOT NULL,
  start_time timestamptz NOT NULL, facts jsonb, claimed_until timestamptz, failures smallint NOT NULL DEFAULT 0,
  outcome text GENERATED ALWAYS AS (facts -> 'outcome' ->> 'kind') STORED,
  browser text GENERATED ALWAYS AS (facts ->> 'browser') STORED,
  device text GENERATED ALWAYS AS (facts ->> 'device') STORED,
  country text GENERATED ALWAYS AS (facts ->> 'country') STORED,
  rage_click_count integer GENERATED ALWAYS AS ((facts ->> 'rage_click_count')::integer) STORED,
  left_form boolean GENERATED ALWAYS AS ((facts ->> 'left_form')::boolean) STORED
);
COMMENT ON TABLE recording_visits IS 'what the list shows of a recording and filters by, read from its blocks after capture';
COMMENT ON COLUMN recording_visits.claimed_until IS 'until when one process reads the recording, or when a recording that could not be read is tried again';
CREATE INDEX recording_visits_by_outcome ON recording_visits (project_id, outcome, start_time, recording_id);
CREATE INDEX recording_visits_by_browser ON recording_visits (project_id, browser, start_time, recording_id);
CREATE INDEX recording_visits_by_device ON recording_visits (project_id, device, start_time, recording_id);
CREATE INDEX recording_visits_by_country ON recording_visits (project_id, country, start_time, recording_id);
-- The count itself is in the index, so that the rows need not be read.
CREATE INDEX recording_visits_by_rage_clicks ON recording_visits (project_id, start_time, recording_id)
  INCLUDE (rage_click_count) WHERE rage_click_count > 0;
CREATE INDEX recording_visits_with_left_form ON recording_visits (project_id, start_time, recording_id) WHERE left_form;

CREATE TABLE session_recording_summaries (
  recording_id bigint PRIMARY KEY REFERENCES session_recordings ON DELETE CASCADE, block_count integer NOT NULL,
  content text NOT NULL, summary jsonb NOT NULL
);
COMMENT ON COLUMN session_recording_summaries.block_count IS 'how many blocks the recording had: one with more is summarized again';

CREATE TABLE visit_summaries (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, actor text NOT NULL, status text NOT NULL,
  matched integer NOT NULL, total integer NOT NULL, done integer NOT NULL DEFAULT 0, result jsonb,
  created_at timestamptz NOT NULL, finished_at timestamptz, claimed_until timestamptz
);
COMMENT ON TABLE visit_summaries IS 'summaries of several visits, written in the background';
COMMENT ON COLUMN visit_summaries.actor IS 'label of the key that requested the summary';
COMMENT ON COLUMN visit_summaries.claimed_until IS 'until when one process works on the summary';
CREATE INDEX visit_summaries_in_progress ON visit_summaries (created_at) WHERE status = 'Running';

CREATE TABLE visit_summary_items (
  summary_id uuid NOT NULL REFERENCES visit_summaries ON DELETE CASCADE,
  recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE, done boolean NOT NULL DEFAULT false,
  PRIMARY KEY (summary_id, recording_id)
);
CREATE INDEX ON visit_summary_items (recording_id);

CREATE TABLE error_states (
  project_id integer NOT NULL REFERENCES projects, cluster integer NOT NULL, pattern text NOT NULL,
  state text NOT NULL, actor text NOT NULL, changed_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, cluster)
);
COMMENT ON TABLE error_states IS 'kinds of errors whose state someone has changed; a resolved one is open again if it occurred after changed_at';
COMMENT ON COLUMN error_states.actor IS 'label of the key that changed the state';

-- What people add to recordings: notes, views of the list, collections and links.

CREATE TABLE recording_notes (
  id uuid PRIMARY KEY, recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE,
  project_id integer NOT NULL, user_id uuid NOT NULL REFERENCES users, author text NOT NULL, at double precision NOT NULL,
  text text NOT NULL, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN recording_notes.author IS 'label that the author''s key had';
COMMENT ON COLUMN recording_notes.at IS 'seconds from the recording''s start';
CREATE INDEX ON recording_notes (recording_id);
CREATE INDEX recording_notes_in_order ON recording_notes (project_id, created_at, id);
CREATE INDEX recording_notes_by_text ON recording_notes USING gin (text gin_trgm_ops);

CREATE TABLE recording_watchers (
  recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE, user_id uuid NOT NULL REFERENCES users,
  name text NOT NULL, at timestamptz NOT NULL,
  PRIMARY KEY (recording_id, user_id, name)
);
COMMENT ON COLUMN recording_watchers.name IS 'label that the watcher''s key had';

CREATE TABLE recording_views (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, user_id uuid NOT NULL REFERENCES users,
  name text NOT NULL, query text NOT NULL, shared boolean NOT NULL, created_at timestamptz NOT NULL,
  last_updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN recording_views.query IS 'query string of the recordings list';
CREATE INDEX ON recording_views (project_id);

CREATE TABLE recording_collections (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, name text NOT NULL, query text, actor text NOT NULL,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN recording_collections.query IS 'rule, a query string of the recordings list; null if the collection is made by hand';
COMMENT ON COLUMN recording_collections.actor IS 'label of the key that created the collection';
CREATE INDEX ON recording_collections (project_id);

CREATE TABLE recording_collection_items (
  collection_id uuid NOT NULL REFERENCES recording_collections ON DELETE CASCADE,
  recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE,
  PRIMARY KEY (collection_id, recording_id)
);
CREATE INDEX ON recording_collection_items (recording_id);

CREATE TABLE session_recording_sharing (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  recording_id bigint REFERENCES session_recordings ON DELETE CASCADE,
  collection_id uuid REFERENCES recording_collections ON DELETE CASCADE,
  is_default boolean NOT NULL DEFAULT true, label text NOT NULL DEFAULT '',
  generation integer NOT NULL, token_hash bytea NOT NULL UNIQUE, password_hash text,
  enabled boolean NOT NULL, expires_at timestamptz, revoked_at timestamptz, created_at timestamptz NOT NULL,
  start_at timestamptz, end_at timestamptz, shows text NOT NULL DEFAULT 'all', masks jsonb NOT NULL DEFAULT '[]',
  names boolean NOT NULL DEFAULT false, highlights integer,
  views integer NOT NULL DEFAULT 0, last_viewed_at timestamptz,
  CHECK ((recording_id IS NULL) <> (collection_id IS NULL))
);
COMMENT ON TABLE session_recording_sharing IS 'links to recordings and collections; each recording has at most one default link';
COMMENT ON COLUMN session_recording_sharing.generation IS 'the token is derived from it and the secret key; a new one is the next generation';
COMMENT ON COLUMN session_recording_sharing.revoked_at IS 'when the link was disabled; null if it is enabled or never was';
COMMENT ON COLUMN session_recording_sharing.start_at IS 'times of the range that the link shows; null: all from the beginning, or to the end';
COMMENT ON COLUMN session_recording_sharing.shows IS 'picture, console, network, or all';
COMMENT ON COLUMN session_recording_sharing.names IS 'whether a collection''s link names visitors';
CREATE UNIQUE INDEX session_recording_sharing_default ON session_recording_sharing (recording_id) WHERE is_default;
CREATE INDEX session_recording_sharing_by_recording ON session_recording_sharing (recording_id);
CREATE INDEX session_recording_sharing_by_collection ON session_recording_sharing (collection_id);

-- Rules that watch exports and recordings, what they found, and the messages about it.

CREATE TABLE alert_rules (
  id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations, project_id integer REFERENCES projects,
  batch_export_id uuid REFERENCES batch_exports ON DELETE CASCADE, kind text NOT NULL, enabled boolean NOT NULL, channels uuid[],
  remind_minutes integer NOT NULL, late_minutes integer, actor text NOT NULL, created_at timestamptz NOT NULL,
  last_updated_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, project_id, batch_export_id, kind)
);
COMMENT ON TABLE alert_rules IS 'rules that replace the defaults, for an export, a project or all projects of an organization';
COMMENT ON COLUMN alert_rules.channels IS 'null: all channels of the project';
COMMENT ON COLUMN alert_rules.late_minutes IS 'minutes after a window''s end; null: computed from earlier runs';

CREATE TABLE alert_channels (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, name text NOT NULL, type text NOT NULL, enabled boolean NOT NULL,
  origin text, recipients text[] NOT NULL, secrets bytea, recording_alerts boolean NOT NULL DEFAULT true, actor text NOT NULL, created_at timestamptz NOT NULL,
  last_updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN alert_channels.secrets IS 'the URL and the signing secret, encrypted';
COMMENT ON COLUMN alert_channels.recording_alerts IS 'whether the key that chose the receiver could read recordings, and so may send alerts about them';
CREATE INDEX ON alert_channels (project_id);

CREATE TABLE alert_watch (evaluated_at timestamptz NOT NULL, watching_since timestamptz NOT NULL, warehouse_at timestamptz NOT NULL);
COMMENT ON TABLE alert_watch IS 'one row, locked while the rules are evaluated';
COMMENT ON COLUMN alert_watch.watching_since IS 'since when the rules have been evaluated without a break';
COMMENT ON COLUMN alert_watch.warehouse_at IS 'when the rules that read the warehouse were last evaluated';
INSERT INTO alert_watch VALUES ('epoch', 'epoch', 'epoch');

CREATE TABLE incidents (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, kind text NOT NULL, cause text NOT NULL,
  destination text NOT NULL, detail text NOT NULL, opened_at timestamptz NOT NULL, recovered_at timestamptz,
  notified_at timestamptz NOT NULL, acknowledged_at timestamptz, acknowledged_by text, muted_until timestamptz, muted_by text,
  last_updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN incidents.destination IS 'empty if the cause lies at no destination';
COMMENT ON COLUMN incidents.notified_at IS 'when the channels were last notified';
CREATE UNIQUE INDEX incidents_open ON incidents (project_id, kind, destination, cause) WHERE recovered_at IS NULL;
CREATE INDEX ON incidents (project_id, opened_at DESC, id DESC);
CREATE INDEX ON incidents (project_id, last_updated_at);

CREATE TABLE incident_exports (
  incident_id uuid NOT NULL REFERENCES incidents ON DELETE CASCADE, batch_export_id uuid NOT NULL REFERENCES batch_exports ON DELETE CASCADE,
  since timestamptz NOT NULL, until timestamptz,
  PRIMARY KEY (incident_id, batch_export_id)
);
COMMENT ON COLUMN incident_exports.until IS 'when the export recovered';
CREATE INDEX ON incident_exports (batch_export_id);

CREATE TABLE incident_transitions (
  id uuid PRIMARY KEY, incident_id uuid NOT NULL REFERENCES incidents ON DELETE CASCADE, transition text NOT NULL, at timestamptz NOT NULL,
  UNIQUE (incident_id, transition, at)
);
CREATE UNIQUE INDEX incident_transitions_once ON incident_transitions (incident_id, transition) WHERE transition <> 'reminded';

CREATE TABLE alert_deliveries (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, channel_id uuid REFERENCES alert_channels ON DELETE SET NULL,
  channel_name text NOT NULL, channel_type text NOT NULL, incident_id uuid REFERENCES incidents ON DELETE CASCADE,
  transition_id uuid REFERENCES incident_transitions ON DELETE CASCADE, transition text NOT NULL, message jsonb NOT NULL,
  status text NOT NULL, attempts jsonb NOT NULL DEFAULT '[]', created_at timestamptz NOT NULL, next_attempt_at timestamptz,
  claimed_until timestamptz, finished_at timestamptz,
  UNIQUE (transition_id, channel_id)
);
COMMENT ON TABLE alert_deliveries IS 'messages, each stored with its transition before it is sent; attempts repeat the id';
COMMENT ON COLUMN alert_deliveries.transition_id IS 'null for a test';
CREATE INDEX alert_deliveries_waiting ON alert_deliveries (channel_id, created_at) WHERE status = 'waiting';
CREATE INDEX ON alert_deliveries (channel_id, created_at DESC, id DESC);
CREATE INDEX ON alert_deliveries (incident_id, created_at DESC, id DESC);

CREATE TABLE migrations (number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
INSERT INTO migrations (number) VALUES (100);

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

-- An hourly export, which writes directly below the exports folder, and a paused one.
INSERT INTO batch_exports (id, project_id, name, model, destination_type, destination_config, interval, paused, created_at,
    last_updated_at, last_paused_at, pause_reason, scheduled_until, in_project_folder, tags, owner, note)
  VALUES ('00000000-0000-4000-8000-000000000010', 1, 'Hourly', 'events', 'File', '{"path": "old"}', 'hour', false, '2026-03-04 08:10Z',
      '2026-03-04 09:20Z', NULL, NULL, '2026-03-04 10:00Z', false, '{shop}', 'Data', 'A note.'),
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
    '2026-03-04 09:00Z', '{"model": "events", "hogql_query": null, "destination_type": "File", "destination_config": {"path": "old"}, "in_project_folder": false}',
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
