-- What a project stores of its visitors and for how long, and the persons that were erased.

CREATE TABLE privacy_settings (
  project_id integer PRIMARY KEY REFERENCES projects, ip_addresses text NOT NULL, masked_texts text[] NOT NULL,
  mask_inputs boolean NOT NULL, masked_input_types text[] NOT NULL, masked_selectors text[] NOT NULL,
  blocked_selectors text[] NOT NULL, blocked_urls text[] NOT NULL,
  event_days integer, event_bytes bigint, run_days integer, run_bytes bigint, log_days integer, log_bytes bigint,
  runs_kept_from timestamptz, swept_at timestamptz, swept jsonb
);
COMMENT ON COLUMN privacy_settings.ip_addresses IS 'keep, truncate or drop';
COMMENT ON COLUMN privacy_settings.event_days IS 'days after its arrival that an event is kept; null: for ever';
COMMENT ON COLUMN privacy_settings.runs_kept_from IS 'runs of windows before this time have been removed, so their absence is not a gap';
COMMENT ON COLUMN privacy_settings.swept IS 'what the last sweep removed';

CREATE TABLE person_erasures (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, subject text NOT NULL, actor text NOT NULL,
  step text NOT NULL, person_uuid uuid, distinct_ids text[] NOT NULL, session_ids text[] NOT NULL DEFAULT '{}',
  counts jsonb NOT NULL DEFAULT '{}', recordings_done integer NOT NULL DEFAULT 0,
  unchecked_exports uuid[] NOT NULL DEFAULT '{}', mentions jsonb NOT NULL DEFAULT '[]', problem text,
  created_at timestamptz NOT NULL, erased_until timestamptz, compared_at timestamptz, hidden_at timestamptz, rewritten_at timestamptz,
  finished_at timestamptz, purged_at timestamptz
);
COMMENT ON COLUMN person_erasures.subject IS 'keyed hash of the person, which does not lead back to the person';
COMMENT ON COLUMN person_erasures.distinct_ids IS 'emptied, like person_uuid and session_ids, when the erasure has finished';
COMMENT ON COLUMN person_erasures.unchecked_exports IS 'exports whose windows could not be compared with the person''s rows';
COMMENT ON COLUMN person_erasures.mentions IS 'saved views, collections and exports whose filters name the person';
COMMENT ON COLUMN person_erasures.problem IS 'why the last attempt at the present step failed';
COMMENT ON COLUMN person_erasures.erased_until IS 'arrival of the last rows that are erased: later ones belong to a new person';
COMMENT ON COLUMN person_erasures.compared_at IS 'when the exported windows were found: runs that started later, before hidden_at, may hold the person too';
COMMENT ON COLUMN person_erasures.hidden_at IS 'since when no query and no run finds the rows';
COMMENT ON COLUMN person_erasures.rewritten_at IS 'since when no file in use contains the rows';
COMMENT ON COLUMN person_erasures.purged_at IS 'since when the disk has no replaced file either';
CREATE INDEX ON person_erasures (project_id, created_at DESC, id DESC);
CREATE INDEX person_erasures_in_progress ON person_erasures (created_at) WHERE purged_at IS NULL;

CREATE TABLE person_erasure_windows (
  erasure_id uuid NOT NULL REFERENCES person_erasures ON DELETE CASCADE,
  batch_export_id uuid NOT NULL REFERENCES batch_exports ON DELETE CASCADE,
  data_interval_start timestamptz NOT NULL, data_interval_end timestamptz NOT NULL, is_certain boolean NOT NULL,
  written_to uuid,
  PRIMARY KEY (erasure_id, batch_export_id, data_interval_start, data_interval_end)
);
COMMENT ON TABLE person_erasure_windows IS 'exported windows that held rows of the person; is_certain is false for runs that started during the erasure';
COMMENT ON COLUMN person_erasure_windows.written_to IS 'hash of the settings that name where the ledger says the rows are; null without an entry';
CREATE INDEX person_erasure_windows_by_window ON person_erasure_windows (batch_export_id, data_interval_end, data_interval_start);

ALTER TABLE batch_export_ledger ADD COLUMN erasure_id uuid REFERENCES person_erasures ON DELETE SET NULL;
COMMENT ON COLUMN batch_export_ledger.erasure_id IS 'the erasure of a person whose rows the destination may still hold; null once a run has written the window again';
CREATE INDEX batch_export_ledger_erased ON batch_export_ledger (batch_export_id, data_interval_end) WHERE erasure_id IS NOT NULL;
