-- A person who belongs to several organizations begins in the one that they chose last.

ALTER TABLE members ADD COLUMN chosen_at timestamptz;
COMMENT ON COLUMN members.chosen_at IS 'when the user last chose to work in the organization; null: never';
