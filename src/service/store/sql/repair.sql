CREATE TABLE repair_plans (
  id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, actor text NOT NULL, status text NOT NULL,
  batch_export_ids uuid[], start_at timestamptz NOT NULL, end_at timestamptz NOT NULL, rows_counted boolean NOT NULL,
  created_at timestamptz NOT NULL, started_at timestamptz, finished_at timestamptz
);
COMMENT ON COLUMN repair_plans.actor IS 'label of the key that created the plan';
COMMENT ON COLUMN repair_plans.batch_export_ids IS 'null for all exports of the project';
COMMENT ON COLUMN repair_plans.rows_counted IS 'whether the expected rows of all steps were counted, as far as possible';
CREATE INDEX ON repair_plans (project_id, created_at DESC, id DESC);
CREATE INDEX repair_plans_in_progress ON repair_plans (created_at) WHERE status = 'Running' OR NOT rows_counted;

CREATE TABLE repair_steps (
  plan_id uuid NOT NULL REFERENCES repair_plans ON DELETE CASCADE, number integer NOT NULL, batch_export_id uuid NOT NULL,
  start_at timestamptz NOT NULL, end_at timestamptz NOT NULL, window_ms bigint NOT NULL,
  missing integer NOT NULL, failed integer NOT NULL, short integer NOT NULL, skipped integer NOT NULL,
  selects_by text NOT NULL, rows_expected bigint, seconds_expected double precision,
  state text NOT NULL, backfill_id uuid, backfill_ids uuid[] NOT NULL DEFAULT '{}', verification_id uuid,
  sent integer NOT NULL DEFAULT 0, finished integer NOT NULL DEFAULT 0,
  proven integer NOT NULL DEFAULT 0, unreadable integer NOT NULL DEFAULT 0, problem text,
  PRIMARY KEY (plan_id, number)
);
COMMENT ON TABLE repair_steps IS 'adjacent windows of one export, newest first; a window is window_ms long';
COMMENT ON COLUMN repair_steps.skipped IS 'windows that a pause skipped';
COMMENT ON COLUMN repair_steps.backfill_ids IS 'every backfill of the step: a plan that was stopped and runs again needs another';
CREATE INDEX repair_steps_in_progress ON repair_steps (plan_id, number) WHERE state IN ('planned', 'running', 'verifying');
