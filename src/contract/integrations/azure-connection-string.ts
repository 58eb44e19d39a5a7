import { comparableAddress } from '../destinations/comparable-address.ts'
import { endpointError } from '../destinations/s3.ts'

/** `key` signs requests; with a shared access signature, `signature` is the query that is added to each URL instead. */
export type AzureAccount = { account: string; endpoint: string } & (
  | { key: string; signature?: never }
  | { signature: string; key?: never }
)

/**
 * Reads an Azure Storage connection string as Azure's libraries do: names in any case, the last of several values counts. Returns
 * the problem if it has one. The endpoint is a URL without a slash at its end.
 */
export function readConnectionString(text: string): AzureAccount | { problem: string } {
  const settings = new Map<string, string>()
  for (const part of text.trim().replace(/;+$/, '').split(';')) {
    const [, name, value] = /^([A-Za-z]+)=(.*)$/s.exec(part) ?? []
    if (name === undefined || value === undefined)
      return problem('Copy the whole connection string: AccountName=…;AccountKey=…;EndpointSuffix=….')
    settings.set(name.toLowerCase(), value)
  }
  if (settings.get('usedevelopmentstorage'))
    return problem('Enter the names and keys of the emulator: UseDevelopmentStorage is not supported.')
  const scheme = settings.get('defaultendpointsprotocol')?.toLowerCase() ?? 'https'
  const suffix = settings.get('endpointsuffix') ?? 'core.windows.net'
  const given = settings.get('blobendpoint')
  const account = settings.get('accountname') ?? accountOf(given ?? '')
  if (!/^[a-z0-9-]{3,63}$/.test(account)) return problem('It has no AccountName of a storage account.')
  const endpoint = comparableAddress(given ?? `${scheme}://${account}.blob.${suffix}`)
  const invalid = endpointError(endpoint)
  if (invalid !== null || /[\s\\?#]/.test(endpoint))
    return problem('Its BlobEndpoint is not a URL of a store.')
  const key = settings.get('accountkey')
  if (key)
    return /^[A-Za-z0-9+/]+=*$/.test(key)
      ? { account, endpoint, key }
      : problem('Its AccountKey is cut or changed.')
  const signature = settings.get('sharedaccesssignature')?.replace(/^\?/, '')
  if (signature) return { account, endpoint, signature }
  return problem('It has neither an AccountKey nor a SharedAccessSignature.')
}

/** Returns the first part of an endpoint's host, which is the account at Azure. */
function accountOf(endpoint: string): string {
  return /^https?:\/\/([a-z0-9-]+)\./i.exec(endpoint)?.[1]?.toLowerCase() ?? ''
}

function problem(text: string) {
  return { problem: text }
}
