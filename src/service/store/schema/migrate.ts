import { sql, type Kysely } from 'kysely'
import { StartupError } from '../../startup-error.ts'
import type { Database } from './database.ts'
import { migrations } from './migrations.ts'

/** An arbitrary lock that nothing else in this database uses. */
const migrationLock = sql`pg_advisory_xact_lock(4280, 1)`

/**
 * Applies all pending migrations, of those up to number `last`, in one transaction; a second process waits for the first.
 * @throws StartupError when a newer version has migrated the database.
 */
export async function migrate(database: Kysely<Database>, last = migrations.length): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`SELECT ${migrationLock}`.execute(transaction)
    await sql`CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`.execute(
      transaction,
    )
    const applied = await sql<{ number: number }>`SELECT max(number) AS number FROM migrations`.execute(
      transaction,
    )
    const latest = applied.rows[0]?.number ?? 0
    if (latest > last)
      throw new StartupError(
        `The database was last used by a newer version of Spool (its schema has number ${latest}, this version knows ${last}): start that version or a later one.`,
      )
    for (const [index, statements] of migrations.slice(0, last).entries()) {
      const number = index + 1
      if (number <= latest) continue
      await sql.raw(statements).execute(transaction)
      await sql`INSERT INTO migrations (number) VALUES (${number})`.execute(transaction)
    }
  })
}
