import { z } from 'zod'
import { PlainText } from '../plain-text.ts'
import { ColumnChanges } from './tables/column-changes.ts'
import { tableSteps } from './destination-test.ts'
import type { DestinationKind, Granted } from './destination-kind.ts'
import { eventFields } from './destination.ts'
import { tableDefaults } from './tables/table-defaults.ts'
import { quotePostgres } from './tables/window-query.ts'

export const PostgresConfig = z.strictObject({
  database: PlainText.min(1),
  schema: PlainText.optional(),
  table_name: PlainText.optional(),
  /** Accepted from PostHog's clients, without effect: only a connection can have a certificate checked. */
  has_self_signed_cert: z.boolean().optional(),
  append_only: z.boolean().optional(),
  columns: ColumnChanges.nullable().optional(),
  host: PlainText.min(1),
  port: z.int().min(1).max(65_535).nullable().optional(),
  user: PlainText.min(1),
  password: z.string().min(1),
  ...eventFields,
})
export type PostgresConfig = z.infer<typeof PostgresConfig>

export const defaultPort = 5432
/** Most bytes of a PostgreSQL identifier. */
const nameBytesMax = 63

/** A table in a PostgreSQL database. */
export const postgres: DestinationKind<typeof PostgresConfig> = {
  config: PostgresConfig,
  secrets: ['user', 'password'],
  lengthsMax: { database: 63, schema: 63, table_name: 63, host: 255, user: 63, password: 1000 },
  rules: (_, text) => [
    ['host', 'error', hostProblem(text('host'))],
    ['database', 'error', identifierProblem(text('database'))],
    ['schema', 'error', identifierProblem(text('schema'))],
    ['table_name', 'error', tableProblem(text('table_name'))],
  ],
  holds: 'table',
  isOnDisk: false,
  container: { noun: 'table', field: 'table_name' },
  folderField: 'table_name',
  integration: { kind: 'postgresql', replaces: ['host', 'port', 'user', 'password'] },
  table: (text) => ({
    names: [text('schema') || tableDefaults.schema, text('table_name') || tableDefaults.table_name],
    quote: quotePostgres,
  }),
  grantScript,
  steps: tableSteps,
  placeOf(text) {
    const store = `PostgreSQL at ${text('host')}`
    const table = `${text('schema') || tableDefaults.schema}.${text('table_name') || tableDefaults.table_name}`
    return { store, bucket: `${table} in ${text('database')} at ${text('host')}` }
  },
  addressOf: ({ host, port }) => `${String(host).toLowerCase()}:${Number(port ?? defaultPort)}`,
}

/** Returns why a text is not the host of a database, or null. */
export function hostProblem(host: string): string | null {
  if (host.includes('://') || /[/@?#\s\\]/.test(host))
    return 'Enter only the host’s name or IP address, without a scheme, user, port and path.'
  return URL.canParse(`http://${host.includes(':') ? `[${host}]` : host}`)
    ? null
    : 'This is not the name of a host.'
}

function identifierProblem(name: string): string | null {
  return new TextEncoder().encode(name).length > nameBytesMax
    ? `PostgreSQL’s names have at most ${nameBytesMax} bytes.`
    : null
}

function tableProblem(name: string): string | null {
  return name.startsWith('_spool_')
    ? 'Names that begin with “_spool_” are the service’s own.'
    : identifierProblem(name)
}

function grantScript({ database, schema, table, user }: Granted): string[] {
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
