-- What people add to recordings: notes, views of the list, collections and links.

CREATE TABLE recording_notes (
  id uuid PRIMARY KEY, recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE,
  project_id integer NOT NULL, user_id uuid NOT NULL REFERENCES users, author text NOT NULL, at double precision NOT NULL,
  text text NOT NULL, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN recording_notes.author IS 'label that the author''s key had';
COMMENT ON COLUMN recording_notes.at IS 'seconds from the recording''s start';
CREATE INDEX ON recording_notes (recording_id);
CREATE INDEX recording_notes_in_order ON recording_notes (project_id, created_at, id);
CREATE INDEX recording_notes_by_text ON recording_notes USING gin (text gin_trgm_ops);

CREATE TABLE recording_watchers (
  recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE, user_id uuid NOT NULL REFERENCES users,
  name text NOT NULL, at timestamptz NOT NULL,
  PRIMARY KEY (recording_id, user_id, name)
);
COMMENT ON COLUMN recording_watchers.name IS 'label that the watcher''s key had';

CREATE TABLE recording_views (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, user_id uuid NOT NULL REFERENCES users,
  name text NOT NULL, query text NOT NULL, shared boolean NOT NULL, created_at timestamptz NOT NULL,
  last_updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN recording_views.query IS 'query string of the recordings list';
CREATE INDEX ON recording_views (project_id);

CREATE TABLE recording_collections (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, name text NOT NULL, query text, actor text NOT NULL,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN recording_collections.query IS 'rule, a query string of the recordings list; null if the collection is made by hand';
COMMENT ON COLUMN recording_collections.actor IS 'label of the key that created the collection';
CREATE INDEX ON recording_collections (project_id);

CREATE TABLE recording_collection_items (
  collection_id uuid NOT NULL REFERENCES recording_collections ON DELETE CASCADE,
  recording_id bigint NOT NULL REFERENCES session_recordings ON DELETE CASCADE,
  PRIMARY KEY (collection_id, recording_id)
);
CREATE INDEX ON recording_collection_items (recording_id);

CREATE TABLE session_recording_sharing (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  recording_id bigint REFERENCES session_recordings ON DELETE CASCADE,
  collection_id uuid REFERENCES recording_collections ON DELETE CASCADE,
  is_default boolean NOT NULL DEFAULT true, label text NOT NULL DEFAULT '',
  generation integer NOT NULL, token_hash bytea NOT NULL UNIQUE, password_hash text,
  enabled boolean NOT NULL, expires_at timestamptz, revoked_at timestamptz, created_at timestamptz NOT NULL,
  start_at timestamptz, end_at timestamptz, shows text NOT NULL DEFAULT 'all', masks jsonb NOT NULL DEFAULT '[]',
  names boolean NOT NULL DEFAULT false, highlights integer,
  views integer NOT NULL DEFAULT 0, last_viewed_at timestamptz,
  CHECK ((recording_id IS NULL) <> (collection_id IS NULL))
);
COMMENT ON TABLE session_recording_sharing IS 'links to recordings and collections; each recording has at most one default link';
COMMENT ON COLUMN session_recording_sharing.generation IS 'the token is derived from it and the secret key; a new one is the next generation';
COMMENT ON COLUMN session_recording_sharing.revoked_at IS 'when the link was disabled; null if it is enabled or never was';
COMMENT ON COLUMN session_recording_sharing.start_at IS 'times of the range that the link shows; null: all from the beginning, or to the end';
COMMENT ON COLUMN session_recording_sharing.shows IS 'picture, console, network, or all';
COMMENT ON COLUMN session_recording_sharing.names IS 'whether a collection''s link names visitors';
CREATE UNIQUE INDEX session_recording_sharing_default ON session_recording_sharing (recording_id) WHERE is_default;
CREATE INDEX session_recording_sharing_by_recording ON session_recording_sharing (recording_id);
CREATE INDEX session_recording_sharing_by_collection ON session_recording_sharing (collection_id);
