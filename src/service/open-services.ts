import { Refusals } from './auth/refusals.ts'
import type { Engines } from './engines/engines.ts'
import type { Services } from './services.ts'
import { openStore } from './store/schema/database.ts'
import { prepareEngines } from './warehouse/prepare-engines.ts'

/** Creates or migrates the tables of these engines and opens the services on them. */
export async function openServices(
  engines: Omit<Engines, 'dataDirectory' | 'stop'>,
  given: Pick<Services, 'config' | 'clock' | 'logger'>,
): Promise<Services> {
  const { postgres, warehouse, objects, secrets, hosts, exportsFolder } = engines
  await prepareEngines(engines)
  const prepares = given.config.databaseUrl === null
  const store = openStore(postgres.pool, { prepares })
  const refusals = new Refusals({ ...given, store })
  return { ...given, store, warehouse, objects, secrets, hosts, refusals, exportsFolder }
}
