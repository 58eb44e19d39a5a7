-- Finds the recordings of thousands of sessions, and their order by time, without reading rows.
ALTER TABLE session_recordings DROP CONSTRAINT session_recordings_project_id_session_id_key;
ALTER TABLE session_recordings ADD CONSTRAINT session_recordings_project_id_session_id_key
  UNIQUE (project_id, session_id) INCLUDE (start_time, id, deleted_at);
