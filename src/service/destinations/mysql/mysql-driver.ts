import { z } from 'zod'
import { MysqlConfig } from '../../../contract/destinations/mysql.ts'
import { quoteMysql as quote } from '../../../contract/destinations/tables/window-query.ts'
import { MysqlConnection } from '../../../contract/integrations/mysql.ts'
import type { DestinationDriver, Steps, Trial } from '../destination-driver.ts'
import { lasting, passing, unreachableDatabase } from '../explain-error.ts'
import { reachSteps } from '../reach-steps.ts'
import { tableSteps } from '../table-steps.ts'
import { connectMysql, mysqlUrl, type MysqlAddress, type MysqlSession } from './connect-mysql.ts'
import { openMysqlTable } from './mysql-table.ts'
import { adapt } from './mysql-types.ts'

const ConnectedConfig = z.strictObject({ ...MysqlConnection.shape, ...MysqlConfig.shape })

export const mysqlDriver: DestinationDriver = {
  open(given) {
    const config = ConnectedConfig.parse(given)
    const table = config.table_name || 'events'
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

function trialSteps(address: MysqlAddress, table: string, trial: Trial): Steps {
  const { host, port, database, user, ssl_mode } = address
  let connecting: Promise<MysqlSession> | null = null
  const connected = () => {
    if (!connecting) {
      // Without the database, whose absence is another step's result.
      connecting = connectMysql(trial, { ...address, database: '' }, trial.signal)
      trial.atEnd(async () => (await connecting)?.destroy())
    }
    return connecting
  }
  const query = async (sql: string) => await (await connected()).promise().query(sql)
  const steps = tableSteps(trial, {
    table,
    open: async () => openMysqlTable(await connected(), database, table),
    execute: query,
    trialTable: `${quote(database)}.${quote(trial.key)}`,
    definition: '(spool TEXT) ENGINE = InnoDB',
  })
  return {
    ...reachSteps(trial, mysqlUrl(address), { host, port }),
    async TLS() {
      const found = await connected().catch((error: unknown) => {
        // The server refuses credentials only after TLS has been established.
        if (sqlState(error) === null) throw error
        return null
      })
      return found && !found.config.ssl
        ? 'Not needed: the server is on this machine.'
        : `The connection is encrypted (${ssl_mode}).`
    },
    async Credentials() {
      await connected()
      return `The server accepts the user "${user}".`
    },
    async Database() {
      await query(`USE ${quote(database)}`)
      return `The database "${database}" can be used.`
    },
    ...steps,
    async Write() {
      const written = await steps.Write()
      const [rows] = await (await connected()).promise().query('SELECT @@local_infile AS allowed')
      if (!JSON.stringify(rows).includes('1')) throw new Error('ER_CLIENT_LOCAL_FILES_DISABLED')
      return written
    },
  }
}

/** Meanings of a server's errors, in order of precedence. */
const rules = [
  lasting(
    /ER_ACCESS_DENIED_ERROR|ER_ACCESS_DENIED_NO_PASSWORD_ERROR|ER_HOST_NOT_PRIVILEGED|ER_NOT_SUPPORTED_AUTH_MODE/,
    'The database does not accept the user and password from this address: enter the credentials of the connection again.',
  ),
  lasting(
    /ER_BAD_DB_ERROR|ER_DBACCESS_DENIED_ERROR/,
    'There is no database{name} at {endpoint} that the user may use: create it, or grant the user privileges on it.',
  ),
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
    'The table cannot store a value of the exported rows: change the type of its column, or remove the constraint.',
  ),
  lasting(
    /ER_(DUP_ENTRY|CONSTRAINT_FAILED|CHECK_CONSTRAINT_VIOLATED|NO_REFERENCED_ROW\w*)/,
    "A constraint of the table refuses a row: remove the constraint, or change the destination's table.",
  ),
  passing(
    /ER_(DISK_FULL|RECORD_FILE_FULL|TEMP_FILE_WRITE_FAILURE)/,
    'The disk of the database is full: free some space there.',
  ),
  passing(
    /ER_(CON_COUNT_ERROR|TOO_MANY_USER_CONNECTIONS|USER_LIMIT_REACHED)/,
    'The database has too many connections at the moment.',
  ),
  passing(/ER_LOCK_(WAIT_TIMEOUT|DEADLOCK)/, 'Another session holds the table at the moment.'),
  passing(
    /PROTOCOL_CONNECTION_LOST|ER_(SERVER_SHUTDOWN|NEW_ABORTING_CONNECTION|NET_\w+|QUERY_INTERRUPTED|CONNECTION_KILLED)|closed state/,
    'The connection to {endpoint} was lost: check that the database is running.',
  ),
  lasting(
    /ER_(BAD_FIELD_ERROR|NO_SUCH_TABLE|PARSE_ERROR|DUP_FIELDNAME|TOO_BIG_\w+|TOO_MANY_FIELDS|WRONG_\w+|TOO_LONG_IDENT)/,
    "The table does not fit the exported rows: change the destination's table.",
  ),
  lasting(
    /HANDSHAKE_NO_SSL_SUPPORT/,
    'The database at {endpoint} does not support TLS: turn it on there. Only a database on this machine may do without.',
  ),
  lasting(
    /HANDSHAKE_SSL_ERROR|certificate|self.signed|UNABLE_TO_VERIFY|EPROTO|TLS|SSL/i,
    "No secure connection to {endpoint} could be established: check the server's certificate and the connection's root certificate.",
  ),
  ...unreachableDatabase,
]
