-- Connections: saved once, used by many exports. PostHog calls them integrations.

CREATE TABLE integrations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, kind text NOT NULL,
  name text NOT NULL, address text NOT NULL, config jsonb NOT NULL, secrets bytea NOT NULL,
  created_by uuid REFERENCES users ON DELETE SET NULL, created_at timestamptz NOT NULL, last_worked_at timestamptz,
  last_failed_at timestamptz, last_error text,
  UNIQUE (project_id, kind, name)
);
COMMENT ON COLUMN integrations.address IS 'where the secrets are sent';
COMMENT ON COLUMN integrations.secrets IS 'encrypted';
COMMENT ON COLUMN integrations.last_error IS 'why it failed at last_failed_at, without secrets';

ALTER TABLE batch_exports ADD COLUMN integration_id integer REFERENCES integrations ON DELETE SET NULL;
COMMENT ON COLUMN batch_exports.integration_id IS 'the connection of the destination; null if its type has none, if the secrets are in destination_secrets, or if the export is deleted and then the connection was';
CREATE INDEX ON batch_exports (integration_id) WHERE integration_id IS NOT NULL;
