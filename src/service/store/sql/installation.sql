-- What the processes of one installation share.

CREATE TABLE installation (name text PRIMARY KEY, value text NOT NULL);

CREATE UNLOGGED TABLE rate_counts (
  minute integer NOT NULL, name text NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (minute, name)
);
COMMENT ON TABLE rate_counts IS 'requests of the current minutes, by the processes together';
COMMENT ON COLUMN rate_counts.minute IS 'minutes since the epoch';

CREATE TABLE worker_heartbeat (at timestamptz NOT NULL);
COMMENT ON TABLE worker_heartbeat IS 'one row: when a process that runs exports was last alive';
INSERT INTO worker_heartbeat VALUES ('epoch');
