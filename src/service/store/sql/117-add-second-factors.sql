-- A second factor after a password: codes of an app and codes to recover; and passkeys, which need no password.

ALTER TABLE users ADD COLUMN totp_new_secret bytea, ADD COLUMN code_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN code_tries_since timestamptz;
COMMENT ON COLUMN users.totp_new_secret IS 'encrypted; replaces totp_secret once a code of it has been given';
COMMENT ON COLUMN users.code_tries IS 'codes tried since code_tries_since and the last right one';

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE, hash bytea NOT NULL, PRIMARY KEY (user_id, hash)
);
COMMENT ON TABLE recovery_codes IS 'codes that each replace a code of the app once';

ALTER TABLE user_tokens ADD COLUMN method text, ADD COLUMN tries integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN user_tokens.method IS 'how the user began the sign-in that a code completes';
COMMENT ON COLUMN user_tokens.tries IS 'codes tried to complete the sign-in';

ALTER TABLE sessions ADD COLUMN second_factor text;
COMMENT ON COLUMN sessions.second_factor IS 'kind of the code that completed the sign-in';

ALTER TABLE passkeys RENAME COLUMN id TO credential_id;
ALTER TABLE passkeys DROP CONSTRAINT passkeys_pkey, ADD UNIQUE (credential_id), ADD COLUMN id uuid PRIMARY KEY,
  ADD COLUMN host text NOT NULL;
COMMENT ON COLUMN passkeys.credential_id IS 'base64url';
COMMENT ON COLUMN passkeys.host IS 'host name of the service at which it works';

CREATE TABLE passkey_challenges (
  hash bytea PRIMARY KEY, purpose text NOT NULL, session_id uuid REFERENCES sessions ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
COMMENT ON COLUMN passkey_challenges.hash IS 'the challenge: SHA-256 of a token that only the page has';
COMMENT ON COLUMN passkey_challenges.session_id IS 'null before a sign-in';
CREATE INDEX ON passkey_challenges (session_id);
