import type { Config } from '../config.ts'
import { RefusedHost, type Hosts } from '../engines/hosts.ts'
import { invalidInput } from '../problems/api-error.ts'

/** Follows the message of a `RefusedHost`. */
export const privateHostHint = 'Hosts in a private network require SPOOL_ALLOW_PRIVATE_DESTINATIONS=true.'

/** @throws ApiError 400 about `path` if no request may be sent to a URL's host. A host that cannot be resolved now passes. */
export async function assertAllowedHost(
  { hosts, config }: { hosts: Hosts; config: Pick<Config, 'privateDestinations'> },
  url: string,
  path: string[],
): Promise<void> {
  try {
    const release = await hosts.pin(url, config.privateDestinations)
    release()
  } catch (error) {
    if (error instanceof RefusedHost) throw invalidInput(`${error.message} ${privateHostHint}`, path)
  }
}
