import type { DestinationType } from '../destination.ts'
import { quoteClickhouse, quotePostgres } from './window-query.ts'

/** The names to grant privileges on, and the user who gets them; `schema` counts for PostgreSQL alone. */
export type Granted = { database: string; schema: string; table: string; user: string }

/** Returns the statements by which an administrator lets a user write to a table; null for a destination of files. */
export function grantScript(type: DestinationType, granted: Granted): string | null {
  const lines = scripts[type]?.(granted)
  return lines ? `${lines.join('\n')}\n` : null
}

const scripts: Partial<Record<DestinationType, (granted: Granted) => string[]>> = {
  Postgres: postgresScript,
  MySQL: mysqlScript,
  ClickHouse: clickhouseScript,
}

function postgresScript({ database, schema, table, user }: Granted): string[] {
  const quote = quotePostgres
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`
  const body = bodyTag([schema, table, user])
  const existing = [table, '_spool_deliveries'].map((name) => `${quote(schema)}.${quote(name)}`)
  return [
    `-- In the database ${quote(database)}, as its owner. The user needs a password: \\password ${quote(user)}`,
    `GRANT CONNECT, TEMPORARY ON DATABASE ${quote(database)} TO ${quote(user)};`,
    `GRANT USAGE, CREATE ON SCHEMA ${quote(schema)} TO ${quote(user)};`,
    '-- If another user has created the tables:',
    `DO ${body} BEGIN`,
    ...existing.flatMap((name) => [
      `  IF EXISTS (SELECT FROM pg_class WHERE oid = to_regclass(${text(name)}) AND NOT pg_has_role(${text(user)}, relowner, 'USAGE')) THEN`,
      `    GRANT SELECT, INSERT, UPDATE, DELETE ON ${name} TO ${quote(user)};`,
      '  END IF;',
    ]),
    `END ${body};`,
  ]
}

/** Returns a dollar quote that is in none of the names, so that none ends the body. */
function bodyTag(names: readonly string[]): string {
  let tag = '$spool$'
  for (let number = 1; names.some((name) => name.includes(tag)); number += 1) tag = `$spool${number}$`
  return tag
}

function mysqlScript({ database, user }: Granted): string[] {
  // In the name of a database, GRANT takes _ and % for any characters.
  const pattern = `\`${database.replaceAll(/[\\_%]/g, String.raw`\$&`).replaceAll('`', '``')}\``
  const account = `'${user.replaceAll('\\', '\\\\').replaceAll("'", "''")}'@'%'`
  return [
    '-- As an administrator. Replace % if the user may sign in from one address only.',
    `GRANT SELECT, INSERT, DELETE, CREATE, DROP, CREATE TEMPORARY TABLES ON ${pattern}.* TO ${account};`,
    '-- Rows are sent with LOAD DATA LOCAL, which the server must allow. To keep this after a restart, also set it in its configuration.',
    'SET GLOBAL local_infile = 1;',
  ]
}

function clickhouseScript({ database, user }: Granted): string[] {
  const quote = quoteClickhouse
  return [
    '-- As an administrator.',
    `GRANT SHOW, SELECT, INSERT, ALTER DELETE, CREATE TABLE, DROP TABLE ON ${quote(database)}.* TO ${quote(user)};`,
  ]
}
