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
