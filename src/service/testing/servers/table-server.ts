import type { DestinationType } from '../../../contract/destinations/destination.ts'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'

type Adapted = {
  type: DestinationType
  /** Where the server is, and as who the service signs in. */
  config: { host: string; port: number; database: string; user: string }
  password: string
  /** A user with the same password that may only read. */
  reader: string
  quote(name: string): string
  /** Types of columns, and what follows the columns of a table. */
  types: { text: string; integer: string; end: string }
  /** What follows a table's name in a SELECT of the newest row of each key. */
  newest: string
  /** Text that the service sends to make rows visible, and one that it sends before. */
  commit: { text: string; armedBy: string }
  /** Whether an interrupted commit leaves the earlier rows of the window. */
  isTransactional: boolean
  /** Runs a statement as an administrator. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Changes or deletes rows of a quoted table. */
  update(table: string, set: string, where: string): Promise<void>
  remove(table: string, where: string): Promise<void>
  close(): Promise<void>
}

/** A database that a destination of tables writes to. */
export type TableServer = ReturnType<typeof adaptedServer>

export function adaptedServer(server: Adapted) {
  const { type, config, password } = server
  return {
    ...server,
    /** Returns the columns of an export's destination in this database. */
    destination(
      { secrets }: Services,
      own: Record<string, unknown> = {},
      connection: Record<string, unknown> = {},
    ): Pick<BatchExportRow, 'destination_type' | 'destination_config' | 'destination_secrets'> {
      const { database, ...address } = config
      const secret = { ...address, password, ...connection }
      return {
        destination_type: type,
        destination_config: { database, ...own },
        destination_secrets: secrets.seal(JSON.stringify(secret)),
      }
    },
    /** Returns the tables that attempts should have dropped. */
    async leftovers(): Promise<unknown[]> {
      const rows = await server.query(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE '!_spool!_%' ESCAPE '!'",
      )
      return rows.map(({ name }) => name).filter((name) => name !== '_spool_deliveries')
    },
    /** Returns the number of rows of each event in a table. */
    async counts(table: string): Promise<Record<string, number>> {
      const rows = await server.query(
        `SELECT event, count(*) AS found FROM ${server.quote(table)} GROUP BY event`,
      )
      return Object.fromEntries(rows.map(({ event, found }) => [String(event), Number(found)]))
    },
  }
}
