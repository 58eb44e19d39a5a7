-- E-mails on their way to people, and members who are mentioned in notes.

CREATE TABLE mails (
  id uuid PRIMARY KEY, kind text NOT NULL, recipient text NOT NULL, user_id uuid REFERENCES users ON DELETE CASCADE,
  organization_id uuid REFERENCES organizations, invite_id uuid REFERENCES invites ON DELETE SET NULL,
  note_id uuid REFERENCES recording_notes ON DELETE CASCADE, created_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0, next_attempt_at timestamptz, sent_at timestamptz, error text
);
COMMENT ON TABLE mails IS 'what an e-mail is about; its text, and a link that works once, are made when it is sent';
COMMENT ON COLUMN mails.user_id IS 'whose account it is about; null if nobody may learn whether there is one';
COMMENT ON COLUMN mails.next_attempt_at IS 'null: it was sent, or has failed for good';
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX mails_by_recipient ON mails (lower(recipient), created_at);
CREATE INDEX ON mails (user_id);
CREATE INDEX ON mails (invite_id) WHERE invite_id IS NOT NULL;
CREATE INDEX ON mails (note_id) WHERE note_id IS NOT NULL;
CREATE INDEX ON mails (organization_id, created_at) WHERE kind = 'invite';

CREATE TABLE note_mentions (
  note_id uuid NOT NULL REFERENCES recording_notes ON DELETE CASCADE, user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  project_id integer NOT NULL, created_at timestamptz NOT NULL, read_at timestamptz,
  PRIMARY KEY (note_id, user_id)
);
COMMENT ON TABLE note_mentions IS 'whom a note mentions; its text has @[user_id] there';
CREATE INDEX note_mentions_unread ON note_mentions (user_id, project_id, created_at) WHERE read_at IS NULL;
