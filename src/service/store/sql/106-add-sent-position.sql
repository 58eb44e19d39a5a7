-- Where a run that sends its rows in requests goes on after an interruption.

ALTER TABLE batch_export_runs ADD COLUMN sent_position jsonb;
COMMENT ON COLUMN batch_export_runs.sent_position IS 'batches that a receiver has acknowledged, see SentPosition; null if the run sends no requests';
