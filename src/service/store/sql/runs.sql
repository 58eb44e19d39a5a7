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
