import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { RecordingSettings } from '../../../contract/recordings/recording-settings.ts'
import type { PrivateDestinations } from '../../config.ts'
import { checkedAddresses, hostOf, RefusedHost, type Resolve } from '../../engines/hosts.ts'
import { MissingAsset, UnavailableAsset } from './missing-asset.ts'

/** Where the vault may connect. Anyone who knows a project's token can name URLs; tests inject a wider policy. */
export type AssetPolicy = {
  resolve: Resolve
  /** Private addresses are never allowed, whatever the configuration allows destinations. */
  privateAddresses: PrivateDestinations
  ports: readonly string[]
  /** Names that are never looked up. */
  reserved: RegExp
}

/** Names of no public host: reserved names, names of private networks, and names without a dot. */
const reservedNames =
  /(?:^|\.)(?:example|test|invalid|localhost|local|internal|lan|onion|home\.arpa|example\.(?:com|net|org))$|^[^.]*$/

export const publicHosts: AssetPolicy = {
  resolve: resolveName,
  privateAddresses: 'none',
  ports: ['80', '443'],
  reserved: reservedNames,
}

/**
 * Returns the addresses at which to fetch a URL; connect to no others. `origin` is that of the demo shop, whose files are
 * the only ones that the vault fetches from the service itself.
 * @throws MissingAsset when the policy or the project's settings do not allow the URL, or its host is unknown.
 */
export async function allowedAddresses(
  url: URL,
  { assets, asset_hosts }: Pick<RecordingSettings, 'assets' | 'asset_hosts'>,
  { policy, origin }: { policy: AssetPolicy; origin: string | null },
): Promise<readonly LookupAddress[]> {
  const host = hostOf(url.href).replace(/\.$/, '')
  if (assets === 'off') throw new MissingAsset('The project does not fetch the files of recordings.')
  if (assets === 'listed' && !asset_hosts.includes(host))
    throw new MissingAsset(`The project does not list the host ${host}.`)
  if (!/^https?:$/.test(url.protocol)) throw new MissingAsset('The URL is not an HTTP address.')
  if (isOwnDemo(url, origin)) return [{ address: '127.0.0.1', family: 4 }]
  if (!policy.ports.includes(url.port || (url.protocol === 'https:' ? '443' : '80')))
    throw new MissingAsset(`Files are not fetched from port ${url.port}.`)
  if (isIP(host) === 0 && policy.reserved.test(host))
    throw new MissingAsset(`${host} is not the name of a public host.`)
  try {
    return await checkedAddresses(policy.resolve, host, policy.privateAddresses)
  } catch (error) {
    if (error instanceof RefusedHost) throw new MissingAsset(error.message, { cause: error })
    const Failure = isUnknownHost(error) ? MissingAsset : UnavailableAsset
    throw new Failure(`The host ${host} cannot be found.`, { cause: error })
  }
}

/** Whether the name servers answered that a host does not exist; otherwise they did not answer. */
function isUnknownHost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:ENOTFOUND|ENODATA)$/.test(String(error.code))
}

/** Whether a URL is a file of the demo shop at the address where this service was started. */
function isOwnDemo(url: URL, origin: string | null): boolean {
  const local = new URL(url)
  if (local.hostname === 'localhost') local.hostname = '127.0.0.1'
  return local.hostname === '127.0.0.1' && local.origin === origin && local.pathname.startsWith('/demo/')
}

const resolver = new Resolver({ timeout: 2000, tries: 2 })

/** Queries the name servers: the system's look-up also resolves names of the local network, and blocks a thread if it hangs. */
async function resolveName(name: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason
  return addresses
}
