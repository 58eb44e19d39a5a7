import type { Logger } from 'pino'
import type { Refusals } from './auth/refusals.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Hosts } from './engines/hosts.ts'
import type { SecretBox } from './engines/secret-box.ts'
import type { Objects } from './engines/objects/objects.ts'
import type { Warehouse } from './engines/clickhouse/clickhouse.ts'
import type { Store } from './store/schema/database.ts'

/** Dependencies of all service functions; `main.ts` opens them, tests open their own. */
export type Services = {
  config: Config
  clock: Clock
  logger: Logger
  store: Store
  warehouse: Warehouse
  objects: Objects
  secrets: SecretBox
  hosts: Hosts
  refusals: Refusals
  /** Folder of the File destination; null when ClickHouse runs on another machine. */
  exportsFolder: string | null
}
