import type { Client } from 'pg'
import { z } from 'zod'
import { defaultPort, PostgresConfig } from '../../../contract/destinations/postgres.ts'
import { tableDefaults } from '../../../contract/destinations/tables/table-defaults.ts'
import { quotePostgres as quote } from '../../../contract/destinations/tables/window-query.ts'
import { tlsFields } from '../../../contract/integrations/server.ts'
import { inMicroseconds } from '../../warehouse/table-rows.ts'
import { ExportError } from '../../problems/export-error.ts'
import { databaseErrors } from '../database-errors.ts'
import { connectOnce, databaseSteps } from '../database-steps.ts'
import type { DestinationDriver, Steps, Trial } from '../destination-driver.ts'
import { lasting, passing, unreachable } from '../explain-error.ts'
import { connectPostgres, endPostgres, postgresUrl, type PostgresServer } from './connect-postgres.ts'
import { openPostgresTable } from './postgres-table.ts'

export const postgresDriver: DestinationDriver = {
  open(given) {
    const config = CompleteConfig.parse(given)
    const server: PostgresServer = {
      ...config,
      port: config.port ?? defaultPort,
      ssl_root_cert: config.ssl_root_cert ?? null,
    }
    const [schema, table] = [
      config.schema || tableDefaults.schema,
      config.table_name || tableDefaults.table_name,
    ]
    const endpoint = `${config.host}:${server.port}`
    return {
      holds: 'table',
      appendsOnly: config.append_only === true,
      text: { format: 'TabSeparated', settings: {}, adapt: inMicroseconds },
      url: () => postgresUrl(server),
      explained: { rules, secrets: [config.password], bucket: config.database, endpoint },
      steps: (trial) => trialSteps(server, { schema, table }, trial),
      isRefusal: (error) => error instanceof Error && 'severity' in error,
      openTable: async (io, signal) =>
        openPostgresTable(await connectPostgres(io, server, signal), schema, table),
    }
  },
}

/** The complete config, with or without a connection. */
const CompleteConfig = z.object({ ...PostgresConfig.shape, ...tlsFields })

/** Refusals of a server at sign-in, which later steps report. */
const aboutDatabase = /^(3D|42|55)/

function trialSteps(
  server: PostgresServer,
  { schema, table }: Record<'schema' | 'table', string>,
  trial: Trial,
): Steps {
  const connected = connectOnce(trial, () => connectPostgres(trial, server, trial.signal), endPostgres)
  /** Connects; a refusal is ignored where a later step explains it. */
  const reach = (isLater: (code: string) => boolean) =>
    connected().catch((error: unknown) => {
      if (!(error instanceof Error) || !('code' in error) || !isLater(String(error.code))) throw error
    })
  return {
    ...databaseSteps(trial, {
      url: postgresUrl(server),
      server,
      database: server.database,
      table,
      async encryption() {
        const client = await reach((code) => /^[0-9A-Z]{5}$/.test(code))
        const isPlain = client && !('encrypted' in client.connection.stream)
        return isPlain ? null : `The connection is encrypted (${server.ssl_mode}).`
      },
      signIn: () => reach((code) => aboutDatabase.test(code)),
      useDatabase: connected,
      openTable: async () => openPostgresTable(await connected(), schema, table),
      execute: async (sql) => await (await connected()).query(sql),
      trialTable: `${quote(schema)}.${quote(trial.key)}`,
      definition: '(spool text)',
    }),
    Schema: async () => findSchema(await connected(), schema),
  }
}

/** Says what the user may do in a schema. @throws ExportError if there is none of this name */
async function findSchema(client: Client, schema: string): Promise<string> {
  const { rows } = await client.query<{ found: string | null; creates: 't' | 'f' | null }>(
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
  lasting(/\b42\w{3}\b/, databaseErrors.otherTable),
  lasting(
    /\b22\w{3}\b/,
    'The table cannot store a value of the exported rows: change the type of its column.',
  ),
  lasting(/\b23\w{3}\b/, databaseErrors.brokenConstraint),
  passing(/\b53100\b/, databaseErrors.full),
  passing(/\b53300\b/, databaseErrors.manyConnections),
  passing(/\b(40P01|40001|55P03)\b/, databaseErrors.locked),
  passing(/\b(57P0\d|57014|08\w{3})\b|Connection terminated/, databaseErrors.lost),
  lasting(/does not support SSL/, databaseErrors.withoutTls),
  lasting(/certificate|self.signed|UNABLE_TO_VERIFY|EPROTO|TLS|SSL/i, databaseErrors.insecure),
  ...unreachable(
    'the host of the destination or its connection',
    'the host and port of the destination or its connection, and that the database is running',
  ),
]
