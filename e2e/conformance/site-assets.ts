import { join } from 'node:path'
import { pino } from 'pino'
import { systemClock } from '../../src/service/clock.ts'
import { openObjectsFolder } from '../../src/service/engines/objects/objects-folder.ts'
import { publicHosts } from '../../src/service/recordings/assets/asset-policy.ts'
import { openAssetSearch } from '../../src/service/recordings/assets/search-assets.ts'
import { openVault } from '../../src/service/recordings/assets/vault.ts'
import type { Store } from '../../src/service/store/schema/database.ts'
import type { RunningService } from '../service.ts'
import type { Site } from './site.ts'

export type SiteAssets = { fetchAll(): Promise<void>; stop(): Promise<void> }

/**
 * Fetches the files of recordings from the pages' servers on loopback, to which no configuration lets the service
 * connect. The service must run without the role `work`.
 */
export async function openSiteAssets(
  { dataDirectory }: RunningService,
  store: Store,
  { ports }: Site,
): Promise<SiteAssets> {
  const objects = await openObjectsFolder(join(dataDirectory, 'objects'))
  const services = { store, objects, clock: systemClock, logger: pino({ level: 'error' }) }
  const search = openAssetSearch(services)
  const vault = openVault(services, { policy: { ...publicHosts, privateAddresses: 'loopback', ports } })
  const fetchWaiting = async () => {
    while ((await search.run()) > 0 || (await vault.fetchWaiting(AbortSignal.timeout(30_000))) > 0);
  }
  let fetching = Promise.resolve()
  return {
    async fetchAll() {
      fetching = fetching.then(fetchWaiting)
      await fetching
    },
    stop: () => search.stop(),
  }
}
