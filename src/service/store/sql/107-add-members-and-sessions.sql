-- People: members of organizations, how they sign in, and their sessions.

CREATE TABLE members (
  organization_id uuid NOT NULL REFERENCES organizations, user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL, project_roles jsonb, created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id)
);
COMMENT ON COLUMN members.project_roles IS 'the role in each project to which the member is limited, by its id; null: `role` in all projects';
CREATE INDEX ON members (user_id);

INSERT INTO members (organization_id, user_id, role, created_at)
  SELECT organization_id, id, 'owner', created_at FROM users;

ALTER TABLE api_keys ADD COLUMN organization_id uuid REFERENCES organizations,
  ADD COLUMN is_service boolean NOT NULL DEFAULT false, ADD COLUMN expires_at timestamptz, ADD COLUMN last_used_from text;
COMMENT ON COLUMN api_keys.is_service IS 'belongs to the organization: it works after its creator has left';
UPDATE api_keys SET organization_id = users.organization_id FROM users WHERE users.id = user_id;
ALTER TABLE api_keys ALTER COLUMN organization_id SET NOT NULL;

ALTER TABLE users DROP COLUMN organization_id, ADD COLUMN password_hash text, ADD COLUMN totp_secret bytea,
  ADD COLUMN totp_step bigint;
COMMENT ON COLUMN users.email IS 'admin@localhost until the first user of an organization gives an address';
COMMENT ON COLUMN users.totp_secret IS 'encrypted; null without a second factor';
COMMENT ON COLUMN users.totp_step IS 'time step of the last code used, so that none works twice';
CREATE UNIQUE INDEX ON users (lower(email)) WHERE email <> 'admin@localhost';

CREATE TABLE sessions (
  id uuid PRIMARY KEY, hash bytea NOT NULL UNIQUE, user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations, key_id uuid REFERENCES api_keys ON DELETE CASCADE,
  method text NOT NULL, device text NOT NULL, address text NOT NULL, created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL, confirmed_at timestamptz NOT NULL, provider text, provider_session text,
  FOREIGN KEY (organization_id, user_id) REFERENCES members ON DELETE CASCADE
);
COMMENT ON COLUMN sessions.key_id IS 'the key that was exchanged for the session, whose scopes limit it';
COMMENT ON COLUMN sessions.device IS 'browser and system at the last use';
COMMENT ON COLUMN sessions.address IS 'of the client at the last use';
COMMENT ON COLUMN sessions.confirmed_at IS 'when the user last gave a password, passkey or code';
COMMENT ON COLUMN sessions.provider_session IS 'id of the session at the identity provider, which can end it';
CREATE INDEX ON sessions (user_id);
CREATE INDEX ON sessions (organization_id, user_id);

CREATE TABLE user_tokens (
  hash bytea PRIMARY KEY, user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations, purpose text NOT NULL, email text, expires_at timestamptz NOT NULL
);
COMMENT ON TABLE user_tokens IS 'links that work once: to sign in, to set a new password, to confirm an address';
COMMENT ON COLUMN user_tokens.email IS 'the address that the link confirms';
CREATE INDEX ON user_tokens (user_id);

CREATE TABLE invites (
  id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations, hash bytea NOT NULL UNIQUE, email text,
  role text NOT NULL, project_roles jsonb, created_by uuid NOT NULL REFERENCES users, created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
COMMENT ON COLUMN invites.email IS 'the only address that can accept the invite; null: any';
CREATE INDEX ON invites (organization_id, created_at);

CREATE TABLE passkeys (
  id text PRIMARY KEY, user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE, public_key bytea NOT NULL,
  counter bigint NOT NULL, transports text[] NOT NULL, name text NOT NULL, created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
COMMENT ON COLUMN passkeys.id IS 'credential id, base64url';
CREATE INDEX ON passkeys (user_id);

ALTER TABLE bulk_actions ADD COLUMN by_person boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN bulk_actions.by_person IS 'actor is a name of a person, not of a key';
