-- What each window's run wrote, and whether the destination still has it.

CREATE TABLE batch_export_ledger (
  batch_export_id uuid NOT NULL REFERENCES batch_exports ON DELETE CASCADE,
  data_interval_start timestamptz NOT NULL, data_interval_end timestamptz NOT NULL,
  run_id uuid NOT NULL, selects_by text NOT NULL, taken_until timestamptz NOT NULL, settings jsonb NOT NULL,
  rows_expected bigint NOT NULL, rows_written bigint NOT NULL, objects jsonb NOT NULL, written_at timestamptz NOT NULL,
  verified_at timestamptz, objects_found text, rows_source bigint, hash_expected text, rows_read bigint, hash_read text,
  late_rows bigint NOT NULL DEFAULT 0, problem text,
  verification_id uuid, verify_turn integer, verify_requested_at timestamptz, claimed_until timestamptz,
  is_refuted boolean NOT NULL GENERATED ALWAYS AS (coalesce(
    (rows_written < rows_expected OR rows_read < rows_written OR objects_found IN ('changed', 'gone')
      OR rows_read >= rows_written AND hash_read IS DISTINCT FROM hash_expected
        AND coalesce(rows_source, rows_expected) = rows_expected)
    AND NOT coalesce(rows_source < rows_expected AND (rows_source = 0 OR rows_read > rows_source), false), false)) STORED,
  flagged boolean NOT NULL GENERATED ALWAYS AS (coalesce(
    rows_written < rows_expected OR rows_read < rows_written OR rows_source <> rows_expected OR late_rows > 0
    OR objects_found <> 'intact' OR (rows_read IS NOT NULL AND hash_read IS DISTINCT FROM hash_expected), false)) STORED,
  PRIMARY KEY (batch_export_id, data_interval_start, data_interval_end)
);
COMMENT ON TABLE batch_export_ledger IS 'what the newest completed run of each window wrote, and whether it is still at the destination';
COMMENT ON COLUMN batch_export_ledger.taken_until IS 'arrival time of the last rows that the run could take';
COMMENT ON COLUMN batch_export_ledger.settings IS 'settings of the export, at the time of the run, that select the rows and name the destination';
COMMENT ON COLUMN batch_export_ledger.verify_requested_at IS 'when the window was requested to be verified; null when it is not waiting';
COMMENT ON COLUMN batch_export_ledger.verify_turn IS 'windows of the same request to verify before this one; lower turns go first, so that requests take turns';
COMMENT ON COLUMN batch_export_ledger.is_refuted IS 'the flags short, changed or gone apply, and the source still has the rows to write again';
COMMENT ON COLUMN batch_export_ledger.flagged IS 'whether the entry alone may give the window a flag; src/contract/runs/ledger.ts has the rules';
CREATE INDEX batch_export_ledger_waiting ON batch_export_ledger (verify_turn, verify_requested_at) WHERE verify_requested_at IS NOT NULL;
CREATE INDEX batch_export_ledger_verification ON batch_export_ledger (verification_id) WHERE verify_requested_at IS NOT NULL;
CREATE INDEX batch_export_ledger_refuted ON batch_export_ledger (batch_export_id, data_interval_end) WHERE is_refuted;
CREATE INDEX batch_export_ledger_flagged ON batch_export_ledger (batch_export_id, data_interval_end) WHERE flagged;
CREATE INDEX batch_export_ledger_short ON batch_export_ledger (batch_export_id, data_interval_start)
  WHERE rows_written < rows_expected OR rows_read < rows_written OR objects_found = 'gone';

CREATE TABLE batch_export_verifications (
  id uuid PRIMARY KEY, batch_export_id uuid NOT NULL REFERENCES batch_exports ON DELETE CASCADE, actor text NOT NULL,
  total integer NOT NULL, created_at timestamptz NOT NULL
);
COMMENT ON COLUMN batch_export_verifications.actor IS 'label of the key that requested the verification';
CREATE INDEX ON batch_export_verifications (batch_export_id, created_at);

CREATE TABLE batch_export_verify_modes (
  batch_export_id uuid PRIMARY KEY REFERENCES batch_exports ON DELETE CASCADE, mode text NOT NULL, sampled_at timestamptz
);
COMMENT ON TABLE batch_export_verify_modes IS 'when the windows of an export are verified without a request; no row: never';
COMMENT ON COLUMN batch_export_verify_modes.sampled_at IS 'when the last nightly sample was requested';
