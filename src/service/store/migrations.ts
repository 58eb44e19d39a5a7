import { sql, type Kysely } from 'kysely'
import type { Database } from './database.ts'

/** Numbered, forward only. One that has landed is never changed: the next number mends it. */
const migrations: readonly string[] = [
  `
  CREATE TABLE installation (name text PRIMARY KEY, value text NOT NULL);

  CREATE TABLE organizations (
    id uuid PRIMARY KEY, name text NOT NULL, created_at timestamptz NOT NULL
  );
  CREATE TABLE users (
    id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations,
    email text NOT NULL, first_name text NOT NULL, created_at timestamptz NOT NULL
  );
  CREATE TABLE projects (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations,
    name text NOT NULL, api_token text NOT NULL UNIQUE, created_at timestamptz NOT NULL
  );
  CREATE INDEX ON projects (organization_id, id);
  CREATE TABLE api_keys (
    id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, hash bytea NOT NULL UNIQUE, label text NOT NULL,
    scopes text[] NOT NULL, scoped_projects integer[], scoped_organizations uuid[],
    created_at timestamptz NOT NULL, last_used_at timestamptz
  );
  CREATE INDEX ON api_keys (user_id, created_at);

  CREATE TABLE batch_exports (
    id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, name text NOT NULL, model text NOT NULL,
    destination_type text NOT NULL, destination_config jsonb NOT NULL, destination_secrets bytea,
    interval text NOT NULL, paused boolean NOT NULL, hogql_query text, schema jsonb,
    created_at timestamptz NOT NULL, last_updated_at timestamptz NOT NULL, last_paused_at timestamptz,
    start_at timestamptz, end_at timestamptz, deleted_at timestamptz,
    scheduled_until timestamptz NOT NULL
  );
  COMMENT ON COLUMN batch_exports.scheduled_until IS 'the schedule is a cursor: every window that ends by then has its run or was skipped';
  CREATE INDEX ON batch_exports (project_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
  CREATE INDEX ON batch_exports (scheduled_until) WHERE deleted_at IS NULL AND NOT paused;

  CREATE TABLE batch_export_backfills (
    id uuid PRIMARY KEY, workflow_id text NOT NULL, batch_export_id uuid NOT NULL REFERENCES batch_exports,
    project_id integer NOT NULL, start_at timestamptz NOT NULL, end_at timestamptz NOT NULL,
    total_runs integer NOT NULL, status text NOT NULL, created_at timestamptz NOT NULL, finished_at timestamptz,
    last_updated_at timestamptz NOT NULL
  );
  CREATE INDEX ON batch_export_backfills (batch_export_id, created_at DESC, id DESC);

  CREATE TABLE batch_export_runs (
    id uuid PRIMARY KEY, batch_export_id uuid NOT NULL REFERENCES batch_exports, project_id integer NOT NULL,
    backfill_id uuid REFERENCES batch_export_backfills, origin text NOT NULL, selects_by text NOT NULL,
    status text NOT NULL, attempt integer NOT NULL, data_interval_start timestamptz NOT NULL,
    data_interval_end timestamptz NOT NULL, records_completed bigint NOT NULL, records_total_count bigint,
    bytes_exported bigint, files text[] NOT NULL DEFAULT '{}', latest_error text, created_at timestamptz NOT NULL,
    started_at timestamptz, finished_at timestamptz, last_updated_at timestamptz NOT NULL, next_attempt_at timestamptz,
    worker_id text, heartbeat_at timestamptz, cancel_requested_at timestamptz
  );
  COMMENT ON COLUMN batch_export_runs.origin IS 'schedule, backfill or retry';
  COMMENT ON COLUMN batch_export_runs.selects_by IS 'arrival: rows by inserted_at; time: rows by the event''s timestamp';
  CREATE UNIQUE INDEX batch_export_runs_one_per_window ON batch_export_runs (batch_export_id, data_interval_start) WHERE origin = 'schedule';
  CREATE INDEX ON batch_export_runs (batch_export_id, created_at DESC, id DESC);
  CREATE INDEX ON batch_export_runs (batch_export_id, data_interval_start DESC, id DESC);
  CREATE INDEX ON batch_export_runs (backfill_id) WHERE backfill_id IS NOT NULL;
  CREATE INDEX batch_export_runs_in_progress ON batch_export_runs (status, heartbeat_at) WHERE status IN ('Starting', 'Running', 'FailedRetryable');

  CREATE TABLE batch_export_logs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, batch_export_id uuid NOT NULL REFERENCES batch_exports,
    run_id uuid REFERENCES batch_export_runs, timestamp timestamptz NOT NULL, level text NOT NULL, message text NOT NULL
  );
  CREATE INDEX ON batch_export_logs (batch_export_id, timestamp DESC, id DESC);
  CREATE INDEX ON batch_export_logs (run_id, timestamp DESC, id DESC) WHERE run_id IS NOT NULL;

  CREATE TABLE persons (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, project_id integer NOT NULL, uuid uuid NOT NULL,
    properties jsonb NOT NULL, version bigint NOT NULL, created_at timestamptz NOT NULL,
    UNIQUE (project_id, uuid)
  );
  CREATE TABLE person_distinct_ids (
    project_id integer NOT NULL, distinct_id text NOT NULL, person_id bigint NOT NULL REFERENCES persons, version bigint NOT NULL,
    PRIMARY KEY (project_id, distinct_id)
  );
  CREATE INDEX ON person_distinct_ids (person_id);
  `,
  `
  CREATE TABLE event_imports (
    id uuid PRIMARY KEY, project_id integer NOT NULL REFERENCES projects, file text NOT NULL, created_at timestamptz NOT NULL,
    finished_at timestamptz, events bigint, error text
  );
  COMMENT ON TABLE event_imports IS 'files that a command asks the running service to import; who imports one holds its row locked';
  `,
  `
  CREATE TABLE batch_export_pauses (
    batch_export_id uuid NOT NULL REFERENCES batch_exports, started_at timestamptz NOT NULL, ended_at timestamptz,
    PRIMARY KEY (batch_export_id, started_at)
  );
  COMMENT ON TABLE batch_export_pauses IS 'kept by a trigger on batch_exports, so that no way of pausing can forget it; ended_at is null while paused';
  CREATE FUNCTION record_pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE batch_export_pauses SET ended_at = greatest(NEW.last_updated_at, started_at)
      WHERE batch_export_id = NEW.id AND ended_at IS NULL AND NOT NEW.paused;
    INSERT INTO batch_export_pauses (batch_export_id, started_at) SELECT NEW.id, NEW.last_updated_at WHERE NEW.paused
      ON CONFLICT (batch_export_id, started_at) DO UPDATE SET ended_at = NULL;
    RETURN NULL;
  END $$;
  CREATE TRIGGER record_creation_in_pause AFTER INSERT ON batch_exports
    FOR EACH ROW WHEN (NEW.paused) EXECUTE FUNCTION record_pause();
  CREATE TRIGGER record_pause AFTER UPDATE OF paused ON batch_exports
    FOR EACH ROW WHEN (OLD.paused <> NEW.paused) EXECUTE FUNCTION record_pause();
  INSERT INTO batch_export_pauses (batch_export_id, started_at)
    SELECT id, coalesce(last_paused_at, last_updated_at) FROM batch_exports WHERE paused;

  CREATE TABLE batch_export_changes (
    id uuid PRIMARY KEY, batch_export_id uuid NOT NULL REFERENCES batch_exports, kind text NOT NULL, actor text,
    created_at timestamptz NOT NULL, fields jsonb NOT NULL
  );
  COMMENT ON COLUMN batch_export_changes.actor IS 'label of the key that did it, null for the service itself';
  CREATE INDEX ON batch_export_changes (batch_export_id, created_at DESC, id DESC);
  `,
  `
  CREATE INDEX batch_export_runs_by_window ON batch_export_runs (batch_export_id, data_interval_end, data_interval_start, created_at, id)
    INCLUDE (status, records_completed, records_total_count, attempt, started_at, finished_at);
  COMMENT ON INDEX batch_export_runs_by_window IS 'holds all that coverage and overview show, in their order';
  `,
]

/** Any two numbers that nothing else in this database locks on. */
const migrationLock = sql`pg_advisory_xact_lock(4280, 1)`

/** Brings the database up to date in one transaction; a second process waits for the first. */
export async function migrate(database: Kysely<Database>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`SELECT ${migrationLock}`.execute(transaction)
    await sql`CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`.execute(
      transaction,
    )
    const applied = await sql<{ number: number }>`SELECT max(number) AS number FROM migrations`.execute(
      transaction,
    )
    const latest = applied.rows[0]?.number ?? 0
    for (const [index, statements] of migrations.entries()) {
      const number = index + 1
      if (number <= latest) continue
      await sql.raw(statements).execute(transaction)
      await sql`INSERT INTO migrations (number) VALUES (${number})`.execute(transaction)
    }
  })
}
