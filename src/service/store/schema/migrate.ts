import { sql, type Kysely } from 'kysely'
import { StartupError } from '../../startup-error.ts'
import type { Database } from './database.ts'
import { readMigrations } from './migrations.ts'

/** An arbitrary lock that nothing else in this database uses. */
const migrationLock = sql`pg_advisory_xact_lock(4280, 1)`

/**
 * Applies the pending migrations in one transaction: to an empty database, the base schema and all after it. A second
 * process waits for the first.
 * @throws StartupError when a newer version has migrated the database, or one from before the base schema.
 */
export async function migrate(database: Kysely<Database>, migrations = readMigrations()): Promise<void> {
  const known = new Set(migrations.map(({ number }) => number))
  const first = Math.min(...known)
  await database.transaction().execute(async (transaction) => {
    await sql`SELECT ${migrationLock}`.execute(transaction)
    await sql`CREATE TABLE IF NOT EXISTS migrations
      (number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`.execute(transaction)
    const { rows } = await sql<{ number: number }>`SELECT number FROM migrations`.execute(transaction)
    const applied = new Set(rows.map(({ number }) => number))
    const latest = Math.max(...applied)
    // A newer version may have added a lower number than this version's last one.
    const unknown = [...applied.difference(known)].find((number) => number >= first)
    if (unknown !== undefined)
      throw new StartupError(
        `The database was last used by a newer version of Spool (its schema includes migration ${unknown}, which this version does not know): start that version or a later one.`,
      )
    if (applied.size > 0 && latest < first)
      throw new StartupError(
        `The database was last used by a version of Spool whose data this version cannot read (its schema has number ${latest}, this version reads those from ${first} on): start that version again, or start this one with a new data directory (SPOOL_DATA_DIR) and, if you set them, a new DATABASE_URL, CLICKHOUSE_URL and SPOOL_OBJECTS_URL.`,
      )
    for (const { number, statements } of migrations) {
      // Also below the latest number: a branch that is merged later may have a lower one.
      if (applied.has(number)) continue
      await sql.raw(statements).execute(transaction)
      await sql`INSERT INTO migrations (number) VALUES (${number})`.execute(transaction)
    }
  })
}
