import { endpointError } from '../../contract/destinations/s3.ts'
import { RefusedHost } from '../engines/hosts.ts'
import type { Services } from '../services.ts'
import { ExportError } from '../problems/export-error.ts'

type CheckServices = Pick<Services, 'hosts'> & { config: Pick<Services['config'], 'privateDestinations'> }

/**
 * Checks whether exports may be written to this URL; returns null, or the reason why not. A host that cannot be resolved
 * passes, since nothing can be reached there.
 */
export async function checkEndpoint(services: CheckServices, url: string): Promise<string | null> {
  try {
    const release = await pinEndpoint(services, url)
    release()
    return null
  } catch (error) {
    return error instanceof ExportError ? error.message : null
  }
}

/**
 * Checks this URL, if there is one, as `checkEndpoint` does; until the returned function is called, all connections to its host use the
 * addresses that were checked. Call this before each use, since the addresses of a name can change.
 * @throws ExportError if exports may not be written there, or the resolver's error.
 */
export async function pinEndpoint({ hosts, config }: CheckServices, url: string | null): Promise<() => void> {
  if (url === null) return () => {}
  const invalid = endpointError(url)
  if (invalid !== null) throw new ExportError(invalid, true)
  try {
    return await hosts.pin(url, config.privateDestinations)
  } catch (error) {
    if (!(error instanceof RefusedHost)) throw error
    throw new ExportError(
      `The endpoint ${new URL(url).hostname} is not on the public internet: destinations in a private network require SPOOL_ALLOW_PRIVATE_DESTINATIONS=true.`,
      true,
    )
  }
}
