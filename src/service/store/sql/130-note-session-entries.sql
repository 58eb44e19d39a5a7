-- The table `session_entries` of the warehouse is made directly after this. It lacks the console entries from before, and those of
-- sessions that had begun then, which end within a day. A new database has none: all its migrations are applied at this moment.
INSERT INTO installation (name, value)
SELECT 'session_entries_since', ((extract(epoch FROM now()) + 86400) * 1000)::bigint
WHERE EXISTS (SELECT FROM migrations WHERE applied_at < now());
