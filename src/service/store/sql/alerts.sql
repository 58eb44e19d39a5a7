-- Rules that watch exports and recordings, what they found, and the messages about it.

CREATE TABLE alert_rules (
  id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations, project_id integer REFERENCES projects,
  batch_export_id uuid REFERENCES batch_exports ON DELETE CASCADE, kind text NOT NULL, enabled boolean NOT NULL, channels uuid[],
  remind_minutes integer NOT NULL, late_minutes integer, actor text NOT NULL, created_at timestamptz NOT NULL,
  last_updated_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, project_id, batch_export_id, kind)
);
COMMENT ON TABLE alert_rules IS 'rules that replace the defaults, for an export, a project or all projects of an organization';
COMMENT ON COLUMN alert_rules.channels IS 'null: all channels of the project';
COMMENT ON COLUMN alert_rules.late_minutes IS 'minutes after a window''s end; null: computed from earlier runs';

CREATE TABLE alert_channels (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, name text NOT NULL, type text NOT NULL, enabled boolean NOT NULL,
  origin text, recipients text[] NOT NULL, secrets bytea, recording_alerts boolean NOT NULL DEFAULT true, actor text NOT NULL, created_at timestamptz NOT NULL,
  last_updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN alert_channels.secrets IS 'the URL and the signing secret, encrypted';
COMMENT ON COLUMN alert_channels.recording_alerts IS 'whether the key that chose the receiver could read recordings, and so may send alerts about them';
CREATE INDEX ON alert_channels (project_id);

CREATE TABLE alert_watch (evaluated_at timestamptz NOT NULL, watching_since timestamptz NOT NULL, warehouse_at timestamptz NOT NULL);
COMMENT ON TABLE alert_watch IS 'one row, locked while the rules are evaluated';
COMMENT ON COLUMN alert_watch.watching_since IS 'since when the rules have been evaluated without a break';
COMMENT ON COLUMN alert_watch.warehouse_at IS 'when the rules that read the warehouse were last evaluated';
INSERT INTO alert_watch VALUES ('epoch', 'epoch', 'epoch');

CREATE TABLE incidents (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, kind text NOT NULL, cause text NOT NULL,
  destination text NOT NULL, detail text NOT NULL, opened_at timestamptz NOT NULL, recovered_at timestamptz,
  notified_at timestamptz NOT NULL, acknowledged_at timestamptz, acknowledged_by text, muted_until timestamptz, muted_by text,
  last_updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN incidents.destination IS 'empty if the cause lies at no destination';
COMMENT ON COLUMN incidents.notified_at IS 'when the channels were last notified';
CREATE UNIQUE INDEX incidents_open ON incidents (project_id, kind, destination, cause) WHERE recovered_at IS NULL;
CREATE INDEX ON incidents (project_id, opened_at DESC, id DESC);
CREATE INDEX ON incidents (project_id, last_updated_at);

CREATE TABLE incident_exports (
  incident_id uuid NOT NULL REFERENCES incidents ON DELETE CASCADE, batch_export_id uuid NOT NULL REFERENCES batch_exports ON DELETE CASCADE,
  since timestamptz NOT NULL, until timestamptz,
  PRIMARY KEY (incident_id, batch_export_id)
);
COMMENT ON COLUMN incident_exports.until IS 'when the export recovered';
CREATE INDEX ON incident_exports (batch_export_id);

CREATE TABLE incident_transitions (
  id uuid PRIMARY KEY, incident_id uuid NOT NULL REFERENCES incidents ON DELETE CASCADE, transition text NOT NULL, at timestamptz NOT NULL,
  UNIQUE (incident_id, transition, at)
);
CREATE UNIQUE INDEX incident_transitions_once ON incident_transitions (incident_id, transition) WHERE transition <> 'reminded';

CREATE TABLE alert_deliveries (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, channel_id uuid REFERENCES alert_channels ON DELETE SET NULL,
  channel_name text NOT NULL, channel_type text NOT NULL, incident_id uuid REFERENCES incidents ON DELETE CASCADE,
  transition_id uuid REFERENCES incident_transitions ON DELETE CASCADE, transition text NOT NULL, message jsonb NOT NULL,
  status text NOT NULL, attempts jsonb NOT NULL DEFAULT '[]', created_at timestamptz NOT NULL, next_attempt_at timestamptz,
  claimed_until timestamptz, finished_at timestamptz,
  UNIQUE (transition_id, channel_id)
);
COMMENT ON TABLE alert_deliveries IS 'messages, each stored with its transition before it is sent; attempts repeat the id';
COMMENT ON COLUMN alert_deliveries.transition_id IS 'null for a test';
CREATE INDEX alert_deliveries_waiting ON alert_deliveries (channel_id, created_at) WHERE status = 'waiting';
CREATE INDEX ON alert_deliveries (channel_id, created_at DESC, id DESC);
CREATE INDEX ON alert_deliveries (incident_id, created_at DESC, id DESC);
