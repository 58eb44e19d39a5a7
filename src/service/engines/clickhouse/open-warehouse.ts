import type { Config } from '../../config.ts'
import { openEmbeddedWarehouse } from './chdb.ts'
import { openRemoteWarehouse } from './clickhouse-server.ts'
import type { DataDirectory } from '../data-directory.ts'

/**
 * Connects to the ClickHouse server at CLICKHOUSE_URL, or else opens the embedded engine in the data directory, which
 * reaches stores only through the proxy.
 * @throws StartupError when ClickHouse cannot be reached or opened.
 */
export function openWarehouse(config: Config, dataDirectory: DataDirectory | null, proxyUrl?: string) {
  if (config.clickhouseUrl) return openRemoteWarehouse(config.clickhouseUrl, config.workers)
  if (!dataDirectory) throw new Error('the embedded ClickHouse needs a data directory')
  return openEmbeddedWarehouse(dataDirectory.path, proxyUrl, config)
}
