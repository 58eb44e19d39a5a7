-- Recordings that are given by their ids are counted without the deleted ones, which are few, instead of finding each of them.
CREATE INDEX session_recordings_deleted ON session_recordings (id) WHERE deleted_at IS NOT NULL;
