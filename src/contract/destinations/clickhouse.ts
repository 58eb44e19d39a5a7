import { z } from 'zod'
import { PlainText } from '../plain-text.ts'
import { databaseSteps } from './destination-test.ts'
import type { DestinationKind, Granted } from './destination-kind.ts'
import { tableDefaults } from './tables/table-defaults.ts'
import { ownNameProblem, tableFields } from './tables/table-fields.ts'
import { quoteClickhouse } from './tables/window-query.ts'

export const ClickhouseConfig = z.strictObject({ ...tableFields, cluster: PlainText.optional() })

/** A table of a ClickHouse server. */
export const clickhouse: DestinationKind<typeof ClickhouseConfig> = {
  config: ClickhouseConfig,
  secrets: [],
  lengthsMax: { database: 64, table_name: 64, cluster: 64 },
  rules: (_, text) => [
    ['table_name', 'error', ownNameProblem(text('table_name'))],
    [
      'cluster',
      'error',
      'Clusters are not supported yet: leave this out, and export to a table of one server with the engine MergeTree.',
    ],
  ],
  holds: 'table',
  isOnDisk: false,
  integration: { kind: 'clickhouse', replaces: [] },
  container: { noun: 'table', field: 'table_name' },
  folderField: 'table_name',
  table: (text) => ({
    names: [text('database'), text('table_name') || tableDefaults.table_name],
    quote: quoteClickhouse,
  }),
  grantScript,
  steps: databaseSteps,
  placeOf(text) {
    const table = text('table_name') || tableDefaults.table_name
    return {
      store: `ClickHouse at ${text('host')}`,
      bucket: `${text('database')}.${table} at ${text('host')}`,
    }
  },
  // Its secrets are those of the connection.
  addressOf: () => '',
}

function grantScript({ database, user }: Granted): string[] {
  const quote = quoteClickhouse
  return [
    '-- As an administrator.',
    `GRANT SHOW, SELECT, INSERT, ALTER DELETE, CREATE TABLE, DROP TABLE ON ${quote(database)}.* TO ${quote(user)};`,
  ]
}
