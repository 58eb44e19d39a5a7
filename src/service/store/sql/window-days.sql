-- A cache of the states of windows by day, and the triggers that say which days to compute again.

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

CREATE FUNCTION note_changed_runs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO batch_export_day_changes
    SELECT batch_export_id, min(day_of(data_interval_start)), max(day_of(data_interval_end - interval '1 microsecond'))
    FROM changed GROUP BY batch_export_id;
  RETURN NULL;
END $$;
-- Triggers, because runs are inserted and deleted by statements for many exports at once.
CREATE TRIGGER note_new_runs AFTER INSERT ON batch_export_runs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_runs();
CREATE TRIGGER note_deleted_runs AFTER DELETE ON batch_export_runs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_runs();

CREATE FUNCTION note_changed_run() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO batch_export_day_changes VALUES (NEW.batch_export_id, day_of(NEW.data_interval_start),
    day_of(NEW.data_interval_end - interval '1 microsecond'));
  RETURN NULL;
END $$;
-- A trigger, because several statements change the status of runs.
CREATE TRIGGER note_changed_run AFTER UPDATE OF status ON batch_export_runs
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION note_changed_run();

CREATE FUNCTION note_moved_schedule() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO batch_export_day_changes VALUES (NEW.id, day_of(least(OLD.scheduled_until, NEW.scheduled_until)),
    day_of(greatest(OLD.scheduled_until, NEW.scheduled_until)));
  RETURN NULL;
END $$;
-- A trigger, because it needs scheduled_until from before the statement.
CREATE TRIGGER note_moved_schedule AFTER UPDATE OF scheduled_until ON batch_exports
  FOR EACH ROW WHEN (OLD.scheduled_until <> NEW.scheduled_until) EXECUTE FUNCTION note_moved_schedule();

CREATE FUNCTION note_changed_lifetime() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO batch_export_day_changes VALUES (NEW.id, -2147483648, 2147483647);
  RETURN NULL;
END $$;
-- A trigger, because exports are also changed in bulk, by definitions and by reverts.
CREATE TRIGGER note_changed_lifetime AFTER UPDATE OF interval, start_at, end_at ON batch_exports
  FOR EACH ROW WHEN ((OLD.interval, OLD.start_at, OLD.end_at) IS DISTINCT FROM (NEW.interval, NEW.start_at, NEW.end_at))
  EXECUTE FUNCTION note_changed_lifetime();

CREATE FUNCTION note_changed_pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO batch_export_day_changes VALUES (NEW.batch_export_id, day_of(NEW.started_at), 2147483647);
  RETURN NULL;
END $$;
-- A trigger, because a trigger writes the pauses.
CREATE TRIGGER note_changed_pause AFTER INSERT OR UPDATE ON batch_export_pauses
  FOR EACH ROW EXECUTE FUNCTION note_changed_pause();

CREATE FUNCTION note_refuted_window() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO batch_export_day_changes VALUES (NEW.batch_export_id, day_of(NEW.data_interval_start),
    day_of(NEW.data_interval_end - interval '1 microsecond'));
  RETURN NULL;
END $$;
-- Triggers, because PostgreSQL computes is_refuted.
CREATE TRIGGER note_refuted_window AFTER INSERT ON batch_export_ledger
  FOR EACH ROW WHEN (NEW.is_refuted) EXECUTE FUNCTION note_refuted_window();
CREATE TRIGGER note_changed_refutation AFTER UPDATE ON batch_export_ledger
  FOR EACH ROW WHEN (OLD.is_refuted <> NEW.is_refuted) EXECUTE FUNCTION note_refuted_window();
