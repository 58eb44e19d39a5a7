import { pino } from 'pino'
import type { Clock } from './clock.ts'
import { readConfig, type Config } from './config.ts'
import { testEngines } from './engines/test-engines.ts'
import { LatestRunsText } from './handlers/latest-runs-text.ts'
import { openRunQueue } from './jobs/queue.ts'
import type { Services } from './services.ts'
import { openStore } from './store/database.ts'
import { migrate } from './store/migrations.ts'
import { createTables } from './warehouse/tables.ts'

/** All services on real engines of a test's own, their tables made; nothing runs in the background. */
export async function testServices(clock: Clock, config: Partial<Config> = {}) {
  const { postgres, warehouse, objects, secrets, exportsFolder, cleanup } = await testEngines()
  const store = openStore(postgres.pool)
  await Promise.all([migrate(store), createTables(warehouse)])
  const queue = await openRunQueue(postgres.pool)
  const services: Services = {
    config: { ...readConfig({ DATABASE_URL: postgres.url }), ...config },
    clock,
    logger: pino({ level: 'silent' }),
    store,
    warehouse,
    objects,
    secrets,
    queue,
    latestRuns: new LatestRunsText(),
    exportsFolder,
  }
  const stop = async () => {
    await queue.stop()
    await cleanup()
  }
  return { services, pool: postgres.pool, stop }
}
