import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Engines } from './engines/engines.ts'
import type { Services } from './services.ts'
import { openStore } from './store/schema/database.ts'
import { LatestRunsText } from './store/runs/latest-runs-text.ts'
import { prepareEngines } from './warehouse/prepare-engines.ts'

/** Creates or migrates the tables of these engines and opens the services on them. */
export async function openServices(
  engines: Omit<Engines, 'dataDirectory' | 'stop'>,
  { config, clock, logger }: { config: Config; clock: Clock; logger: Logger },
): Promise<Services> {
  const { postgres, warehouse, objects, secrets, hosts, exportsFolder } = engines
  await prepareEngines(engines)
  const store = openStore(postgres.pool)
  const latestRuns = new LatestRunsText()
  return {
    config,
    clock,
    logger,
    store,
    warehouse,
    objects,
    secrets,
    hosts,
    latestRuns,
    exportsFolder,
  }
}
