-- Whether the owner of an address has confirmed an account: until then, someone else may have entered it.

ALTER TABLE users ADD COLUMN email_confirmed_at timestamptz;
COMMENT ON COLUMN users.email_confirmed_at IS 'when a link that was sent to the address was last used; null: never';
