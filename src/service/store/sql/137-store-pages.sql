-- A page of a recording before one of its blocks, so that a later moment is shown without the blocks since the last full snapshot.
-- Pages are deleted with their blocks.
CREATE TABLE session_recording_pages (
  recording_id bigint NOT NULL, number integer NOT NULL, window_id text NOT NULL, bytes integer NOT NULL, lines bytea NOT NULL,
  PRIMARY KEY (recording_id, number),
  FOREIGN KEY (recording_id, number) REFERENCES session_recording_blocks ON DELETE CASCADE
);
COMMENT ON COLUMN session_recording_pages.number IS 'of the block; the page is that at the block''s start';
COMMENT ON COLUMN session_recording_pages.bytes IS 'of the lines, before compression';
COMMENT ON COLUMN session_recording_pages.lines IS 'events that show the page, as JSON lines like those of blocks, compressed with zstd';
