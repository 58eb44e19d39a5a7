-- A filter with a period names the sessions whose ids do not begin with about the time of their recording: usually there are few.

CREATE FUNCTION timed_id(at timestamptz, later_ms integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT overlay(lpad(to_hex((extract(epoch FROM at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint + later_ms), 12, '0') PLACING '-' FROM 9 FOR 0)
$$;
COMMENT ON FUNCTION timed_id IS 'the beginning of a UUID of version 7 made then';

CREATE INDEX session_recordings_untimed ON session_recordings (project_id, start_time) INCLUDE (session_id)
  WHERE deleted_at IS NULL AND (session_id COLLATE "C" < timed_id(start_time, -86400000) OR session_id COLLATE "C" >= timed_id(start_time, 3600000));
