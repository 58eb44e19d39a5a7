import type { Client } from 'pg'
import { z } from 'zod'
import { PostgresConfig } from '../../../contract/destinations/postgres.ts'
import { quotePostgres as quote } from '../../../contract/destinations/tables/window-query.ts'
import { tlsFields } from '../../../contract/integrations/server.ts'
import { inMicroseconds } from '../../warehouse/table-rows.ts'
import { ExportError } from '../../problems/export-error.ts'
import type { DestinationDriver, Steps, Trial } from '../destination-driver.ts'
import { lasting, passing } from '../explain-error.ts'
import { reachSteps } from '../reach-steps.ts'
import { tableSteps } from '../table-steps.ts'
import { connectPostgres, endPostgres, postgresUrl, type PostgresAddress } from './connect-postgres.ts'
import { openPostgresTable } from './postgres-table.ts'

export const postgresDriver: DestinationDriver = {
  open(given) {
    const config = OpenedConfig.parse(given)
    const address: PostgresAddress = {
      ...config,
      port: config.port ?? 5432,
      ssl_root_cert: config.ssl_root_cert ?? null,
    }
    const [schema, table] = [config.schema || 'public', config.table_name || 'events']
    const endpoint = `${config.host}:${address.port}`
    return {
      holds: 'table',
      appendsOnly: config.append_only === true,
      text: { format: 'TabSeparated', settings: {}, adapt: inMicroseconds },
      url: () => postgresUrl(address),
      explained: { rules, secrets: [config.password], bucket: config.database, endpoint },
      steps: (trial) => trialSteps(address, { schema, table }, trial),
      isRefusal: (error) => error instanceof Error && 'severity' in error,
      openTable: async (io, signal) =>
        openPostgresTable(await connectPostgres(io, address, signal), schema, table),
    }
  },
}

/** The config with that of a connection. */
const OpenedConfig = z.object({ ...PostgresConfig.shape, ...tlsFields })

/** Refusals of a server at sign-in, which later steps report. */
const aboutDatabase = /^(3D|42|55)/

function trialSteps(
  address: PostgresAddress,
  { schema, table }: Record<'schema' | 'table', string>,
  trial: Trial,
): Steps {
  let connecting: Promise<Client> | null = null
  const client = () => {
    if (!connecting) {
      connecting = connectPostgres(trial, address, trial.signal)
      trial.atEnd(async () => connecting && (await endPostgres(await connecting)))
    }
    return connecting
  }
  /** Connects; a refusal is ignored where a later step explains it. */
  const reach = (isLater: (code: string) => boolean) =>
    client().catch((error: unknown) => {
      if (!(error instanceof Error) || !('code' in error) || !isLater(String(error.code))) throw error
    })
  return {
    ...reachSteps(trial, postgresUrl(address), address),
    async TLS() {
      const connected = await reach((code) => /^[0-9A-Z]{5}$/.test(code))
      const isPlain = connected && !('encrypted' in connected.connection.stream)
      return isPlain
        ? 'Not needed: the server is on this machine.'
        : `The connection is encrypted (${address.ssl_mode}).`
    },
    async Credentials() {
      await reach((code) => aboutDatabase.test(code))
      return `The server accepts the user "${address.user}".`
    },
    async Database() {
      await client()
      return `The database "${address.database}" can be used.`
    },
    async Schema() {
      const { rows } = await (
        await client()
      ).query<{ found: string | null; creates: 't' | 'f' | null }>(
        `SELECT to_regnamespace($1) AS found, has_schema_privilege(to_regnamespace($1), 'CREATE') AS creates`,
        [quote(schema)],
      )
      if (!rows[0]?.found)
        throw new ExportError(
          `There is no schema "${schema}": create it, or change the destination's schema.`,
          true,
        )
      return rows[0].creates === 't'
        ? `The schema "${schema}" exists, and tables can be created.`
        : `The schema "${schema}" exists.`
    },
    ...tableSteps(trial, {
      table,
      open: async () => openPostgresTable(await client(), schema, table),
      execute: async (sql) => await (await client()).query(sql),
      trialTable: `${quote(schema)}.${quote(trial.key)}`,
      definition: '(spool text)',
    }),
  }
}

/** Meanings of a server's errors, in order of precedence. */
const rules = [
  lasting(
    /\b(28P01|28000)\b|password authentication failed/,
    'The database does not accept the user and password: enter the credentials of the destination or its connection again.',
  ),
  lasting(
    /\b3D000\b/,
    "There is no database{name} at {endpoint}: create it, or change the destination's database.",
  ),
  lasting(/\b3F000\b/, "The schema does not exist: create it, or change the destination's schema."),
  lasting(
    /\b42P10\b/,
    'The table has no unique index on its key: add one on team_id and distinct_id, or change the destination.',
  ),
  lasting(
    /\b42501\b|permission denied/,
    'Writing to the table was denied: grant the user TEMPORARY on the database, USAGE and CREATE on the schema, and SELECT, INSERT, UPDATE and DELETE on its tables.',
  ),
  lasting(/\b42\w{3}\b/, "The table does not fit the exported rows: change the destination's table."),
  lasting(
    /\b22\w{3}\b/,
    'The table cannot store a value of the exported rows: change the type of its column.',
  ),
  lasting(
    /\b23\w{3}\b/,
    "A constraint of the table refuses a row: remove the constraint, or change the destination's table.",
  ),
  passing(/\b53100\b/, 'The disk of the database is full: free some space there.'),
  passing(/\b53300\b/, 'The database has too many connections at the moment.'),
  passing(/\b(40P01|40001|55P03)\b/, 'Another session holds the table at the moment.'),
  passing(
    /\b(57P0\d|57014|08\w{3})\b|Connection terminated/,
    'The connection to {endpoint} was lost: check that the database is running.',
  ),
  lasting(
    /does not support SSL/,
    'The database at {endpoint} does not support TLS: turn it on there. Only a database on this machine may do without.',
  ),
  lasting(
    /certificate|self.signed|UNABLE_TO_VERIFY|EPROTO|TLS|SSL/i,
    "No secure connection to {endpoint} could be established: check the server's certificate and the connection's root certificate.",
  ),
  passing(
    /ENOTFOUND|EAI_AGAIN/,
    'The host of {endpoint} was not found: check the host of the destination or its connection.',
  ),
  passing(
    /ECONNREFUSED/,
    '{endpoint} refused the connection: check the host and port of the destination or its connection, and that the database is running.',
  ),
]
