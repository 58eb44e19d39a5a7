-- An address that an organization's provider asserts, or that a former member leaves behind, keeps nobody else from using it.

ALTER TABLE users ADD COLUMN organization_id uuid REFERENCES organizations;
COMMENT ON COLUMN users.organization_id IS 'the only organization in which the address means this user; null: in the whole installation';

CREATE TABLE removed_members (
  organization_id uuid NOT NULL REFERENCES organizations, user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (organization_id, user_id)
);
COMMENT ON TABLE removed_members IS 'who does not become a member again by groups, until an invite is accepted';
INSERT INTO removed_members SELECT DISTINCT audit_entries.organization_id, users.id FROM audit_entries
  JOIN users ON users.id::text = object_id WHERE action = 'member.removed'
  AND NOT EXISTS (SELECT FROM members WHERE user_id = users.id AND members.organization_id = audit_entries.organization_id);

UPDATE users SET organization_id = (SELECT min(user_identities.organization_id::text)::uuid FROM user_identities WHERE user_id = users.id)
  WHERE password_hash IS NULL AND EXISTS (SELECT FROM user_identities WHERE user_id = users.id)
  AND (SELECT count(*) FROM members WHERE user_id = users.id) = 1;
UPDATE users SET organization_id = (SELECT min(removed_members.organization_id::text)::uuid FROM removed_members WHERE user_id = users.id)
  WHERE NOT EXISTS (SELECT FROM members WHERE user_id = users.id);

DROP INDEX users_lower_idx;
CREATE UNIQUE INDEX users_of_addresses ON users (lower(email)) WHERE organization_id IS NULL AND email <> 'admin@localhost';
CREATE INDEX ON users (lower(email));
