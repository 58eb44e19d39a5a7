CREATE TABLE bulk_actions (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, action text NOT NULL, options jsonb NOT NULL,
  actor text NOT NULL, user_id uuid REFERENCES users, status text NOT NULL,
  total integer NOT NULL, done integer NOT NULL DEFAULT 0, unchanged integer NOT NULL DEFAULT 0, failed integer NOT NULL DEFAULT 0,
  undone integer NOT NULL DEFAULT 0, not_undone integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL, finished_at timestamptz, undo_until timestamptz
);
COMMENT ON COLUMN bulk_actions.actor IS 'label of the key that started the action';
COMMENT ON COLUMN bulk_actions.user_id IS 'who started the action; null for actions from before this column';
CREATE INDEX ON bulk_actions (project_id, created_at DESC, id DESC);
CREATE INDEX bulk_actions_in_progress ON bulk_actions (created_at) WHERE status IN ('Running', 'Undoing');

CREATE TABLE bulk_action_items (
  bulk_action_id uuid NOT NULL REFERENCES bulk_actions ON DELETE CASCADE, number integer NOT NULL,
  object_id text NOT NULL, name text NOT NULL, visitor text, status text NOT NULL, reason text, undo jsonb,
  PRIMARY KEY (bulk_action_id, number)
);
COMMENT ON COLUMN bulk_action_items.visitor IS 'distinct id of a recording whose visitor has no name; the two words of its name are derived from it';
COMMENT ON COLUMN bulk_action_items.undo IS 'what the action replaced; an undo restores it';
CREATE INDEX ON bulk_action_items (bulk_action_id, status, number);
