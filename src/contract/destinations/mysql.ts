import { z } from 'zod'
import { databaseSteps } from './destination-test.ts'
import type { DestinationKind, Granted } from './destination-kind.ts'
import { tableDefaults } from './tables/table-defaults.ts'
import { ownNameProblem, tableFields } from './tables/table-fields.ts'
import { quoteMysql } from './tables/window-query.ts'

export const MysqlConfig = z.strictObject(tableFields)

/** Most characters of a MySQL identifier. */
const nameMax = 64

/** A table in a MySQL or MariaDB database. */
export const mysql: DestinationKind<typeof MysqlConfig> = {
  config: MysqlConfig,
  secrets: [],
  lengthsMax: { database: nameMax, table_name: nameMax },
  rules: (_, text) => [
    ['database', 'error', nameProblem(text('database'))],
    ['table_name', 'error', ownNameProblem(text('table_name')) ?? nameProblem(text('table_name'))],
  ],
  holds: 'table',
  isOnDisk: false,
  integration: { kind: 'mysql', replaces: [] },
  container: { noun: 'table', field: 'table_name' },
  folderField: 'table_name',
  table: (text) => ({
    names: [text('database'), text('table_name') || tableDefaults.table_name],
    quote: quoteMysql,
  }),
  grantScript,
  steps: databaseSteps,
  placeOf(text) {
    const table = text('table_name') || tableDefaults.table_name
    return {
      store: `MySQL at ${text('host')}`,
      bucket: `${text('database')}.${table} at ${text('host')}`,
    }
  },
  // Its secrets are those of the connection.
  addressOf: () => '',
}

function nameProblem(name: string): string | null {
  if (/[\u{10000}-\u{10ffff}]/u.test(name)) return 'MySQL’s names have no characters beyond U+FFFF.'
  return name.endsWith(' ') ? 'MySQL’s names do not end with a space.' : null
}

function grantScript({ database, user }: Granted): string[] {
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
