-- A page far down the list begins in an hour that these counts tell, instead of after a walk through all recordings before it.

CREATE TABLE session_recording_hours (project_id integer NOT NULL REFERENCES projects, hour timestamptz NOT NULL, count bigint NOT NULL);
COMMENT ON TABLE session_recording_hours IS 'recordings that start in an hour: the sum of its rows. Each change adds a row, since transactions that changed the same one would wait for each other';
CREATE INDEX session_recording_hours_in_order ON session_recording_hours (project_id, hour) INCLUDE (count);

CREATE FUNCTION hour_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN date_bin('1 hour', at, timestamptz '1970-01-01 00:00:00+00');

CREATE FUNCTION count_hours_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO session_recording_hours
    SELECT project_id, hour_of(start_time), count(*) FROM added WHERE deleted_at IS NULL GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE FUNCTION count_hours_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO session_recording_hours
    SELECT project_id, hour_of(start_time), -count(*) FROM removed WHERE deleted_at IS NULL GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE FUNCTION count_hour_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO session_recording_hours
    SELECT NEW.project_id, hour_of(OLD.start_time), -1 WHERE OLD.deleted_at IS NULL
    UNION ALL SELECT NEW.project_id, hour_of(NEW.start_time), 1 WHERE NEW.deleted_at IS NULL;
  RETURN NULL;
END $$;
-- Triggers for the reasons of those that count the recordings of a project.
CREATE TRIGGER count_hours_added AFTER INSERT ON session_recordings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_hours_added();
CREATE TRIGGER count_hours_removed AFTER DELETE ON session_recordings REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_hours_removed();
CREATE TRIGGER count_hour_changed AFTER UPDATE OF start_time, deleted_at ON session_recordings
  FOR EACH ROW WHEN (hour_of(OLD.start_time) <> hour_of(NEW.start_time) OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
  EXECUTE FUNCTION count_hour_changed();

-- The triggers have locked the table until the end of this transaction.
INSERT INTO session_recording_hours
  SELECT project_id, hour_of(start_time), count(*) FROM session_recordings WHERE deleted_at IS NULL GROUP BY 1, 2;
