-- Files that recordings show but do not contain, such as images.

CREATE TABLE recorded_assets (
  project_id integer NOT NULL REFERENCES projects, hash bytea NOT NULL, content_type text NOT NULL, bytes integer NOT NULL,
  PRIMARY KEY (project_id, hash)
);
COMMENT ON TABLE recorded_assets IS 'stored files that recordings show, by the SHA-256 of their content';

CREATE TABLE session_recording_assets (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE, project_id integer NOT NULL,
  url text NOT NULL, host text NOT NULL, is_stylesheet boolean NOT NULL, depth smallint NOT NULL, turn integer NOT NULL DEFAULT 0,
  attempts smallint NOT NULL DEFAULT 0, retry_at timestamptz, claimed_until timestamptz,
  fetched_at timestamptz, hash bytea, final_url text, reason text,
  UNIQUE (recording_id, url), FOREIGN KEY (project_id, hash) REFERENCES recorded_assets
);
COMMENT ON COLUMN session_recording_assets.depth IS '0 if the recording names the file, 1 if one of its style sheets does, and so on';
COMMENT ON COLUMN session_recording_assets.turn IS 'number of the files that the recording named before; files with fewer are fetched first';
COMMENT ON COLUMN session_recording_assets.attempts IS 'failed attempts, after which another one is due at retry_at';
COMMENT ON COLUMN session_recording_assets.hash IS 'null until the file is fetched, and if it cannot be: then reason says why';
COMMENT ON COLUMN session_recording_assets.final_url IS 'the URL after redirects, against which a style sheet resolves its references';
CREATE INDEX session_recording_assets_pending ON session_recording_assets (project_id, attempts, turn, recording_id DESC) WHERE fetched_at IS NULL;
CREATE INDEX session_recording_assets_claimed ON session_recording_assets (claimed_until) WHERE fetched_at IS NULL AND claimed_until IS NOT NULL;
CREATE INDEX session_recording_assets_by_url ON session_recording_assets (project_id, url) WHERE fetched_at IS NOT NULL;
CREATE INDEX session_recording_assets_by_hash ON session_recording_assets (project_id, hash) WHERE hash IS NOT NULL;

CREATE TABLE session_recording_refused_assets (
  recording_id bigint PRIMARY KEY REFERENCES session_recordings ON DELETE CASCADE, url_hashes bigint[] NOT NULL, reasons jsonb NOT NULL
);
COMMENT ON TABLE session_recording_refused_assets IS 'missing files that have no row of their own';
COMMENT ON COLUMN session_recording_refused_assets.reasons IS 'number of files by the reason why they are missing';

CREATE UNLOGGED TABLE asset_fetch_counts (
  name text NOT NULL, until timestamptz NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (name, until)
);
COMMENT ON TABLE asset_fetch_counts IS 'fetches of hosts and projects in the minute, and bytes of projects in the hour, that end at until';
