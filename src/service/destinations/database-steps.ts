import type { Steps, Trial } from './destination-driver.ts'
import { reachSteps } from './reach-steps.ts'
import type { TableStore } from './table-store.ts'

type TrialDatabase = {
  url: string
  server: { host: string; port: number; user: string }
  /** Names of the database and of the destination's table. */
  database: string
  table: string
  /** Says how the connection is encrypted; null if it is not, to a server on this machine. */
  encryption(): Promise<string | null>
  /** Resolves when the server has accepted the user. */
  signIn(): Promise<unknown>
  /** Resolves if the database can be used. */
  useDatabase(): Promise<unknown>
  openTable(): Promise<TableStore>
  /** Runs a statement as an export does. */
  execute(sql: string): Promise<unknown>
  /** Name of the trial table as statements have it, and what follows it in the one that creates it. */
  trialTable: string
  definition: string
}

/**
 * Returns the steps that connect to a database, look at the destination's table, write a row to a trial table beside it, and
 * remove that.
 */
export function databaseSteps(trial: Trial, tested: TrialDatabase) {
  const { url, server, database, table, execute, trialTable, definition } = tested
  return {
    ...reachSteps(trial, url, server),
    async TLS() {
      return (await tested.encryption()) ?? 'Not needed: the server is on this machine.'
    },
    async Credentials() {
      await tested.signIn()
      return `The server accepts the user "${server.user}".`
    },
    async Database() {
      await tested.useDatabase()
      return `The database "${database}" can be used.`
    },
    async Table() {
      const plan = await (await tested.openTable()).plan([], null)
      if (!plan.exists) return `The first run creates the table "${table}".`
      return plan.hasWindows
        ? `The table "${table}" exists.`
        : `The table "${table}" exists, without the column "_spool_window".`
    },
    async Write() {
      await execute(`CREATE TABLE ${trialTable} ${definition}`)
      trial.atEnd(() => execute(`DROP TABLE IF EXISTS ${trialTable}`))
      await execute(`INSERT INTO ${trialTable} SELECT 'written by a connection test'`)
      return `Wrote a row to the trial table "${trial.key}".`
    },
    async Remove() {
      await execute(`DROP TABLE ${trialTable}`)
      return 'Removed the trial table.'
    },
  } satisfies Steps
}

/** Returns a function that connects when it is called first; the test ends the connection. */
export function connectOnce<Connection>(
  trial: Trial,
  connect: () => Promise<Connection>,
  end: (connection: Connection) => unknown = () => undefined,
): () => Promise<Connection> {
  let connecting: Promise<Connection> | null = null
  return () => {
    if (!connecting) {
      const opened = (connecting = connect())
      trial.atEnd(async () => end(await opened))
    }
    return connecting
  }
}
