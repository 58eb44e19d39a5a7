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
