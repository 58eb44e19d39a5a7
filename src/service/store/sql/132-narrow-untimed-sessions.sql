-- A filter with a period names the sessions whose ids do not begin with a time within an hour of the start of their recording. A
-- session can last a day, but almost all recordings begin with theirs.
DROP INDEX session_recordings_untimed;
CREATE INDEX session_recordings_untimed ON session_recordings (project_id, start_time) INCLUDE (session_id)
  WHERE deleted_at IS NULL AND (session_id COLLATE "C" < timed_id(start_time, -3600000) OR session_id COLLATE "C" >= timed_id(start_time, 3600000));
