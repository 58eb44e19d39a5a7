-- The audit log: who did what, sealed in batches in a chain of hashes per organization.

CREATE TABLE audit_entries (
  id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations, project_id integer,
  created_at timestamptz NOT NULL CHECK (created_at = date_trunc('milliseconds', created_at)),
  actor_kind text NOT NULL, actor_id text, actor_name text NOT NULL, address text,
  action text NOT NULL, object_type text NOT NULL, object_id text, object_name text, before jsonb, after jsonb,
  request_id text, once text, seal bigint,
  UNIQUE (organization_id, once)
);
COMMENT ON COLUMN audit_entries.once IS 'entries with the same text are written once, such as those of a person who watches a recording within an hour';
COMMENT ON COLUMN audit_entries.seal IS 'number of the seal that covers it; given when it is sealed, not when it is written, so that a transaction that commits late never changes a seal';
CREATE INDEX ON audit_entries (organization_id, created_at DESC, id DESC);
CREATE INDEX ON audit_entries (organization_id, seal, created_at, id);
CREATE INDEX audit_entries_to_seal ON audit_entries (organization_id) WHERE seal IS NULL;

CREATE TABLE audit_seals (
  organization_id uuid NOT NULL REFERENCES organizations, number bigint NOT NULL,
  first_entry uuid NOT NULL, last_entry uuid NOT NULL, entries integer NOT NULL, hash bytea NOT NULL, sealed_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, number)
);
COMMENT ON COLUMN audit_seals.hash IS 'SHA-256 of the hash before it, the number and the entries, see sealHash';

CREATE TABLE audit_chains (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  last_number bigint NOT NULL, last_hash bytea NOT NULL, removed_number bigint NOT NULL, removed_hash bytea NOT NULL,
  signature text NOT NULL
);
COMMENT ON TABLE audit_chains IS 'both ends of each chain, signed: the newest seal, and the newest one removed at the end of its retention';

CREATE TABLE audit_settings (
  organization_id uuid PRIMARY KEY REFERENCES organizations, retention_days integer NOT NULL,
  receiver jsonb, receiver_secrets bytea, sent_number bigint NOT NULL DEFAULT 0, next_attempt_at timestamptz, failures integer NOT NULL DEFAULT 0,
  last_sent_at timestamptz, last_error text
);
COMMENT ON COLUMN audit_settings.sent_number IS 'the newest seal that the receiver has';

CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'UPDATE' AND OLD.seal IS NULL AND to_jsonb(OLD) - 'seal' = to_jsonb(NEW) - 'seal' THEN RETURN NEW; END IF;
  IF TG_OP = 'DELETE' AND OLD.seal <= (SELECT removed_number FROM audit_chains WHERE organization_id = OLD.organization_id)
    THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'an entry of the audit log cannot be changed, and is deleted only after its retention';
END $$;
-- A trigger, so that no statement of the service can change the log, whatever its mistake.
CREATE TRIGGER keep_audit_entry BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
