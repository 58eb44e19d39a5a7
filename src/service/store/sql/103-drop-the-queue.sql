-- The schema of pg-boss, whose jobs announced due runs: their rows in batch_export_runs are enough.

DO $$ BEGIN
  IF to_regclass('queue.version') IS NOT NULL THEN DROP SCHEMA queue CASCADE; END IF;
END $$;
