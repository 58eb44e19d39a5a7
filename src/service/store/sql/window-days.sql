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
