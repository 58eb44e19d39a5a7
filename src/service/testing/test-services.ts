import { pino } from 'pino'
import type { Clock } from '../clock.ts'
import { readConfig, type Config } from '../config.ts'
import { testEngines } from './test-engines.ts'
import { openServices } from '../open-services.ts'

/** Opens all services on new real engines, with their tables; nothing runs in the background. */
export async function testServices(clock: Clock, config: Partial<Config> = {}) {
  const { cleanup, ...engines } = await testEngines()
  const { postgres, dataDirectory } = engines
  const services = await openServices(engines, {
    config: { ...readConfig({ DATABASE_URL: postgres.url, SPOOL_DATA_DIR: dataDirectory.path }), ...config },
    clock,
    logger: pino({ level: 'silent' }),
  })
  return { services, pool: postgres.pool, stop: cleanup }
}
