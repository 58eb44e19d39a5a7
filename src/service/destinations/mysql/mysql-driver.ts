import { z } from 'zod'
import { MysqlConfig } from '../../../contract/destinations/mysql.ts'
import { tableDefaults } from '../../../contract/destinations/tables/table-defaults.ts'
import { quoteMysql as quote } from '../../../contract/destinations/tables/window-query.ts'
import { MysqlConnection } from '../../../contract/integrations/mysql.ts'
import { databaseErrors } from '../database-errors.ts'
import { connectOnce, databaseSteps } from '../database-steps.ts'
import type { DestinationDriver, Steps, Trial } from '../destination-driver.ts'
import { lasting, passing, unreachable } from '../explain-error.ts'
import { connectMysql, mysqlUrl, type MysqlServer } from './connect-mysql.ts'
import { openMysqlTable } from './mysql-table.ts'
import { adapt } from './mysql-types.ts'

/** The complete config. */
const CompleteConfig = z.strictObject({ ...MysqlConnection.shape, ...MysqlConfig.shape })

export const mysqlDriver: DestinationDriver = {
  open(given) {
    const config = CompleteConfig.parse(given)
    const table = config.table_name || tableDefaults.table_name
    const { host, port, database, password } = config
    return {
      holds: 'table',
      appendsOnly: config.append_only === true,
      text: {
        // The text is not escaped: MySQL does not know all escapes of the engine's tab-separated text.
        format: 'CSV',
        settings: {
          format_csv_null_representation: 'NULL',
          bool_true_representation: '1',
          bool_false_representation: '0',
        },
        adapt,
      },
      url: () => mysqlUrl(config),
      explained: { rules, secrets: [password], bucket: database, endpoint: `${host}:${port}` },
      steps: (trial) => trialSteps(config, table, trial),
      isRefusal: (error) => sqlState(error) !== null,
      openTable: async (io, signal) =>
        openMysqlTable(await connectMysql(io, config, signal), database, table),
    }
  },
}

/** Returns the SQLSTATE of a server's error; null for any other error. */
function sqlState(error: unknown): string | null {
  return error instanceof Error && 'sqlState' in error ? String(error.sqlState) : null
}

function trialSteps(server: MysqlServer, table: string, trial: Trial): Steps {
  const { database, ssl_mode } = server
  const connected = connectOnce(
    trial,
    // Without the database, whose absence is another step's result.
    () => connectMysql(trial, { ...server, database: '' }, trial.signal),
    (session) => session.destroy(),
  )
  const query = async (sql: string) => await (await connected()).promise().query(sql)
  const steps = databaseSteps(trial, {
    url: mysqlUrl(server),
    server,
    database,
    table,
    async encryption() {
      const found = await connected().catch((error: unknown) => {
        // The server refuses credentials only after TLS has been established.
        if (sqlState(error) === null) throw error
        return null
      })
      return found && !found.config.ssl ? null : `The connection is encrypted (${ssl_mode}).`
    },
    signIn: connected,
    useDatabase: () => query(`USE ${quote(database)}`),
    openTable: async () => openMysqlTable(await connected(), database, table),
    execute: query,
    trialTable: `${quote(database)}.${quote(trial.key)}`,
    definition: '(spool TEXT) ENGINE = InnoDB',
  })
  return {
    ...steps,
    async Write() {
      const written = await steps.Write()
      const [rows] = await query('SELECT @@local_infile AS allowed')
      if (!JSON.stringify(rows).includes('1')) throw new Error('ER_CLIENT_LOCAL_FILES_DISABLED')
      return written
    },
  }
}

/** Meanings of a server's errors, in order of precedence. */
const rules = [
  lasting(
    /ER_ACCESS_DENIED_ERROR|ER_ACCESS_DENIED_NO_PASSWORD_ERROR|ER_HOST_NOT_PRIVILEGED|ER_NOT_SUPPORTED_AUTH_MODE/,
    databaseErrors.refusedUser,
  ),
  lasting(/ER_BAD_DB_ERROR|ER_DBACCESS_DENIED_ERROR/, databaseErrors.noDatabase),
  lasting(
    /ER_(CLIENT_LOCAL_FILES_DISABLED|NOT_ALLOWED_COMMAND|LOAD_INFILE_CAPABILITY_DISABLED)|local infile|[Ll]oading local data/,
    'The server does not accept rows from its clients: set local_infile = ON there, for example with SET PERSIST local_infile = 1.',
  ),
  lasting(
    /ER_\w*ACCESS_DENIED|command denied/,
    'Writing to the table was denied: grant the user SELECT, INSERT, DELETE, CREATE, DROP and CREATE TEMPORARY TABLES on the database.',
  ),
  lasting(
    /ER_LOADED_WITH_WARNINGS|ER_DATA_TOO_LONG|ER_WARN_DATA_OUT_OF_RANGE|ER_TRUNCATED_WRONG_VALUE|ER_BAD_NULL_ERROR/,
    databaseErrors.refusedValue,
  ),
  lasting(
    /ER_(DUP_ENTRY|CONSTRAINT_FAILED|CHECK_CONSTRAINT_VIOLATED|NO_REFERENCED_ROW\w*)/,
    databaseErrors.brokenConstraint,
  ),
  passing(/ER_(DISK_FULL|RECORD_FILE_FULL|TEMP_FILE_WRITE_FAILURE)/, databaseErrors.full),
  passing(
    /ER_(CON_COUNT_ERROR|TOO_MANY_USER_CONNECTIONS|USER_LIMIT_REACHED)/,
    databaseErrors.manyConnections,
  ),
  passing(/ER_LOCK_(WAIT_TIMEOUT|DEADLOCK)/, databaseErrors.locked),
  passing(
    /PROTOCOL_CONNECTION_LOST|ER_(SERVER_SHUTDOWN|NEW_ABORTING_CONNECTION|NET_\w+|QUERY_INTERRUPTED|CONNECTION_KILLED)|closed state/,
    databaseErrors.lost,
  ),
  lasting(
    /ER_(BAD_FIELD_ERROR|NO_SUCH_TABLE|PARSE_ERROR|DUP_FIELDNAME|TOO_BIG_\w+|TOO_MANY_FIELDS|WRONG_\w+|TOO_LONG_IDENT)/,
    databaseErrors.otherTable,
  ),
  lasting(/HANDSHAKE_NO_SSL_SUPPORT/, databaseErrors.withoutTls),
  lasting(
    /HANDSHAKE_SSL_ERROR|certificate|self.signed|UNABLE_TO_VERIFY|EPROTO|TLS|SSL/i,
    databaseErrors.insecure,
  ),
  ...unreachable(
    'the host of the connection',
    'the host and port of the connection, and that the database is running',
  ),
]
