import { z } from 'zod'
import { ClickhouseConfig } from '../../../contract/destinations/clickhouse.ts'
import { ClickhouseConnection } from '../../../contract/integrations/clickhouse.ts'
import { ExportError } from '../../problems/export-error.ts'
import { tableDefaults } from '../../../contract/destinations/tables/table-defaults.ts'
import { quoteClickhouse as quote } from '../../../contract/destinations/tables/window-query.ts'
import { databaseErrors } from '../database-errors.ts'
import { connectOnce, databaseSteps } from '../database-steps.ts'
import type { DestinationDriver, Steps, Trial } from '../destination-driver.ts'
import { lasting, passing, unreachable } from '../explain-error.ts'
import { clickhouseUrl, connectClickhouse, isRefusal, type ClickhouseServer } from './clickhouse-http.ts'
import { openClickhouseTable } from './clickhouse-table.ts'

/** The complete config. */
const CompleteConfig = z.strictObject({ ...ClickhouseConnection.shape, ...ClickhouseConfig.shape })

export const clickhouseDriver: DestinationDriver = {
  open(given) {
    const config = CompleteConfig.parse(given)
    const table = config.table_name || tableDefaults.table_name
    const { host, port, database, password } = config
    return {
      holds: 'table',
      appendsOnly: config.append_only === true,
      text: {
        format: 'TabSeparated',
        // Times say that they are in UTC, whatever the zone of the column there.
        settings: { date_time_output_format: 'iso' },
        adapt: (column) => column,
      },
      url: () => clickhouseUrl(config),
      explained: { rules, secrets: [password], bucket: database, endpoint: `${host}:${port}` },
      steps: (trial) => trialSteps(config, { database, table }, trial),
      isRefusal,
      openTable: async (io, signal) =>
        openClickhouseTable(await connectClickhouse(io, config, signal), database, table),
    }
  },
}

function trialSteps(
  server: ClickhouseServer,
  { database, table }: Record<'database' | 'table', string>,
  trial: Trial,
): Steps {
  const connected = connectOnce(trial, () => connectClickhouse(trial, server, trial.signal))
  return databaseSteps(trial, {
    url: clickhouseUrl(server),
    server,
    database,
    table,
    encryption: async () =>
      (await connected()).isSecure
        ? `The connection is encrypted${server.verify ? ', and the certificate is valid' : ''}.`
        : null,
    signIn: async () => await (await connected()).query('SELECT 1'),
    async useDatabase() {
      const http = await connected()
      const found = await http.query('SELECT name FROM system.databases WHERE name = {database: String}', {
        database,
      })
      if (found.length === 0)
        throw new ExportError(
          `There is no database "${database}" that the user may use: create it, or grant the user privileges on it.`,
          true,
        )
    },
    openTable: async () => openClickhouseTable(await connected(), database, table),
    execute: async (sql) => await (await connected()).command(sql),
    trialTable: `${quote(database)}.${quote(trial.key)}`,
    definition: '(spool String) ENGINE = MergeTree ORDER BY spool',
  })
}

/** Meanings of a server's errors, in order of precedence. */
const rules = [
  lasting(
    /Unknown setting|REMOTE_UNKNOWN_SETTING/,
    'The server {endpoint} lacks what an export needs: update it to ClickHouse 24.4 or later.',
  ),
  lasting(
    /REMOTE_(AUTHENTICATION_FAILED|WRONG_PASSWORD|REQUIRED_PASSWORD|UNKNOWN_USER|IP_ADDRESS_NOT_ALLOWED)/,
    databaseErrors.refusedUser,
  ),
  lasting(/REMOTE_(DATABASE_ACCESS_DENIED|UNKNOWN_DATABASE)/, databaseErrors.noDatabase),
  lasting(
    /REMOTE_(ACCESS_DENIED|READONLY)/,
    'Writing to the table was denied: grant the user SELECT, INSERT, ALTER DELETE, CREATE TABLE and DROP TABLE on the database.',
  ),
  // A full disk has many errors, such as CANNOT_WRITE_TO_FILE_DESCRIPTOR and STD_EXCEPTION.
  passing(/REMOTE_.*(NOT_ENOUGH_SPACE|No space left on device|Disk quota exceeded)/s, databaseErrors.full),
  passing(
    /REMOTE_(TOO_MANY_PARTS|TOO_MANY_MUTATIONS|MEMORY_LIMIT_EXCEEDED|QUOTA_EXCEEDED|TOO_MANY_SIMULTANEOUS_QUERIES)/,
    'The database has too much work or has reached a quota at the moment: check its merges, its memory and the quota of the user.',
  ),
  lasting(
    /REMOTE_(CANNOT_|TYPE_MISMATCH|INCORRECT_DATA|VALUE_IS_OUT_OF|VIOLATED_CONSTRAINT|DECIMAL_OVERFLOW)/,
    databaseErrors.refusedValue,
  ),
  lasting(
    /REMOTE_(UNKNOWN_TABLE|BAD_ARGUMENTS|NOT_IMPLEMENTED|NO_SUCH_COLUMN\w*|UNKNOWN_IDENTIFIER|ILLEGAL_\w+|TABLES_HAVE_\w+|DATA_TYPE_CANNOT_\w+)/,
    databaseErrors.otherTable,
  ),
  lasting(
    /REMOTE_HTTP_[134]/,
    '{endpoint} is not the HTTP interface of ClickHouse, or redirects: check the host and port of the connection.',
  ),
  passing(/REMOTE_HTTP_5/, 'The database at {endpoint} is not available at the moment.'),
  lasting(
    /certificate|self.signed|UNABLE_TO_VERIFY|ERR_TLS|EPROTO|SSL routines/i,
    "No secure connection to {endpoint} could be established: check the port, the server's certificate, and that TLS is on. Only a database on this machine may do without.",
  ),
  ...unreachable(
    'the host of the connection',
    'the host and port of the connection, and that the database is running',
  ),
  passing(/ECONNRESET|EPIPE|socket hang up|aborted|premature close/i, databaseErrors.lost),
]
