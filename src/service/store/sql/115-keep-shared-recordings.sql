ALTER TABLE person_erasures ADD COLUMN keeps_shared boolean NOT NULL DEFAULT false,
  ADD COLUMN kept_session_ids text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN person_erasures.keeps_shared IS 'recordings stay that began as another person''s';
COMMENT ON COLUMN person_erasures.kept_session_ids IS 'sessions of these recordings; emptied like session_ids, which does not contain them';
