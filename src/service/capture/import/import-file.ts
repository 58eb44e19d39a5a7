import { systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { ownEngines } from '../../engines/engines.ts'
import { withAdminStore } from '../../store/accounts/admin-store.ts'
import { openStore } from '../../store/schema/database.ts'
import { prepareEngines } from '../../warehouse/prepare-engines.ts'
import { importEvents, type Import } from './import-events.ts'
import { requestImport } from './import-job.ts'

/**
 * Imports a file into an installation from a process other than its service. Opens the engines directly, or asks the
 * running service to import if that service has exclusive use of the engines.
 * @throws ImportError or StartupError with one sentence for the user of the command.
 */
export async function importEventsFile(config: Config, given: Import): Promise<{ events: number }> {
  const engines = await ownEngines(config)
  if (!engines) return withAdminStore(config, (store) => requestImport(store, given))
  try {
    await prepareEngines(engines)
    const store = openStore(engines.postgres.pool)
    return await importEvents({ store, warehouse: engines.warehouse, config, clock: systemClock }, given)
  } finally {
    await engines.stop()
  }
}
