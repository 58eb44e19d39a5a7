CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE persons (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, project_id integer NOT NULL, uuid uuid NOT NULL,
  properties jsonb NOT NULL, version bigint NOT NULL, created_at timestamptz NOT NULL,
  UNIQUE (project_id, uuid)
);
CREATE INDEX persons_by_properties ON persons USING gin (properties jsonb_path_ops);

CREATE FUNCTION person_name(properties jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN coalesce(
  CASE jsonb_typeof(properties -> 'email') WHEN 'string' THEN nullif(properties ->> 'email', '') END,
  CASE jsonb_typeof(properties -> 'name') WHEN 'string' THEN nullif(properties ->> 'name', '') END,
  CASE jsonb_typeof(properties -> 'username') WHEN 'string' THEN nullif(properties ->> 'username', '') END);
CREATE INDEX persons_by_name ON persons USING gin (person_name(properties) gin_trgm_ops);

CREATE TABLE person_distinct_ids (
  project_id integer NOT NULL, distinct_id text NOT NULL, person_id bigint NOT NULL REFERENCES persons, version bigint NOT NULL,
  PRIMARY KEY (project_id, distinct_id)
);
CREATE INDEX ON person_distinct_ids (person_id);

CREATE TABLE event_imports (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, file text NOT NULL,
  created_at timestamptz NOT NULL, finished_at timestamptz, events bigint, error text
);
COMMENT ON TABLE event_imports IS 'files that a command asks the running service to import; who imports one holds its row locked';
