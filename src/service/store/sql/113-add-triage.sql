-- Who works on errors of recordings and on problems of exports, and their state.

CREATE TABLE triage (
  project_id integer NOT NULL REFERENCES projects, kind text NOT NULL, key text NOT NULL,
  state text NOT NULL DEFAULT 'open', state_by text, state_at timestamptz, ignored_until timestamptz,
  organization_id uuid NOT NULL, assignee uuid, assigned_by text, assigned_at timestamptz,
  PRIMARY KEY (project_id, kind, key),
  FOREIGN KEY (organization_id, assignee) REFERENCES members ON DELETE SET NULL (assignee)
);
COMMENT ON TABLE triage IS 'errors and problems that someone has assigned or whose state someone has changed; others are open';
COMMENT ON COLUMN triage.key IS 'of an error, its cluster; of a problem, the cause of failures';
COMMENT ON COLUMN triage.state_at IS 'a resolved error is open again if it occurred after this time';
COMMENT ON COLUMN triage.ignored_until IS 'when an ignored problem is open again; null for errors';
COMMENT ON COLUMN triage.assignee IS 'counts only while the member can read the kind in the project; null after they have left';
CREATE INDEX ON triage (organization_id, assignee) WHERE assignee IS NOT NULL;

INSERT INTO triage (project_id, kind, key, state, state_by, state_at, organization_id)
  SELECT project_id, 'error', cluster, state, actor, changed_at, organization_id
  FROM error_states JOIN projects ON projects.id = project_id;
DROP TABLE error_states;

-- Until now, this was part of session_recording:write.
UPDATE api_keys SET scopes = scopes || '{error_tracking:write}' WHERE 'session_recording:write' = ANY (scopes);
