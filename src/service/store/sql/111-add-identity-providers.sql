-- Signing in with OpenID Connect providers.

CREATE TABLE identity_providers (
  id text PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations, name text NOT NULL, issuer text NOT NULL,
  client_id text NOT NULL, client_secret bytea NOT NULL, scopes text[] NOT NULL, trusts_email boolean NOT NULL,
  allowed_domains text[] NOT NULL, allowed_groups text[] NOT NULL, groups_claim text NOT NULL, mappings jsonb NOT NULL,
  enabled boolean NOT NULL, created_at timestamptz NOT NULL
);
COMMENT ON COLUMN identity_providers.id IS 'chosen by hand, part of the redirect URL';
COMMENT ON COLUMN identity_providers.client_secret IS 'encrypted';
CREATE INDEX ON identity_providers (organization_id, created_at);

CREATE TABLE user_identities (
  provider text NOT NULL REFERENCES identity_providers ON DELETE CASCADE, subject text NOT NULL,
  organization_id uuid NOT NULL, user_id uuid NOT NULL, created_at timestamptz NOT NULL, last_sign_in_at timestamptz NOT NULL,
  PRIMARY KEY (provider, subject), FOREIGN KEY (organization_id, user_id) REFERENCES members ON DELETE CASCADE
);
COMMENT ON TABLE user_identities IS 'whom a provider calls what; a member who is removed is also forgotten here';
CREATE INDEX ON user_identities (organization_id, user_id);

CREATE TABLE used_tokens (hash bytea PRIMARY KEY, expires_at timestamptz NOT NULL);
COMMENT ON TABLE used_tokens IS 'states and logout tokens that work once, until they expire anyway';

CREATE INDEX ON sessions (provider, provider_session) WHERE provider IS NOT NULL;
