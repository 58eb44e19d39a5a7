import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { AzureBlobConfig } from '../../../contract/destinations/azure-blob.ts'
import {
  readConnectionString,
  type AzureAccount,
} from '../../../contract/integrations/azure-connection-string.ts'
import { ExportError } from '../../problems/export-error.ts'
import { streamChecksum } from '../checksum.ts'
import { layoutOf, type DestinationDriver, type Io, type Steps, type Trial } from '../destination-driver.ts'
import { lasting, passing, unreachable } from '../explain-error.ts'
import { respondSteps } from '../reach-steps.ts'
import type { ObjectReader } from '../file-store.ts'
import { openUploads } from '../uploads/open-uploads.ts'
import { readByEngine, type RemoteFile } from '../uploads/read-upload.ts'
import { counted } from '../uploads/received-bytes.ts'
import { AzureError, connectAzure, nullWhenMissing } from './azure-client.ts'
import { etagOf, openBlobs } from './azure-files.ts'

/** The complete config. */
const CompleteConfig = z.object({
  ...AzureBlobConfig.shape,
  connection_string: z.string(),
  /** The address in the connection string when the destination was saved, or when the recorded run wrote. */
  account_endpoint: z.string().optional(),
})

export const azureDriver: DestinationDriver = {
  storeKey: (text) => `${text('account_endpoint')}/${text('container_name')}`,
  open(given) {
    const config = CompleteConfig.parse(given)
    const { container_name: container, connection_string } = config
    const account = readConnectionString(connection_string)
    const endpoint = config.account_endpoint ?? ('problem' in account ? '' : account.endpoint)
    const valid = (): AzureAccount => {
      if ('problem' in account)
        throw new ExportError(`The connection string is not valid: ${account.problem}`, true)
      if (account.endpoint === endpoint) return account
      throw new ExportError(
        'The connection names another storage account now: save the destination again.',
        true,
      )
    }
    const secrets = 'problem' in account ? [] : [account.key ?? account.signature ?? '']
    return {
      holds: 'files',
      ...layoutOf(config),
      prefix: config.prefix ?? '',
      url: () => `${endpoint}/${container}/`,
      explained: { rules, secrets: [connection_string, ...secrets], bucket: container, endpoint },
      steps: (trial) => trialSteps(valid, container, trial),
      openStore: (io, attempt, writing) =>
        openUploads(io, attempt, writing, async () =>
          openBlobs(connectAzure(valid(), container, io.hosts.lookup), writing.upload),
        ),
      isRefusal: (error) => error instanceof AzureError,
      openReader: async (io) => readContainer(valid(), container, io),
    }
  },
}

/** @param valid returns the account, or throws an ExportError */
function trialSteps(valid: () => AzureAccount, container: string, trial: Trial): Steps {
  let probing: Promise<void> | null = null
  const probe = () => (probing ??= probeContainer(valid(), container, trial))
  return {
    ...respondSteps(trial, () => {
      const { endpoint } = valid()
      return { url: endpoint, name: new URL(endpoint).origin }
    }),
    async Credentials() {
      await probe().catch((error: unknown) => {
        if (!(error instanceof AzureError) || error.name !== 'ContainerNotFound') throw error
      })
      return 'The store accepts the credentials (checked by reading only).'
    },
    async Container() {
      await probe()
      return `The container "${container}" exists (checked by reading only).`
    },
  }
}

/** Requests a missing blob, which needs no more rights than the export. */
async function probeContainer(account: AzureAccount, container: string, { key, signal, hosts }: Trial) {
  const client = connectAzure(account, container, hosts.lookup)
  try {
    await client.send({ method: 'HEAD', key, signal })
  } catch (error) {
    if (!(error instanceof AzureError) || error.name !== 'BlobNotFound') throw error
  } finally {
    client.close()
  }
}

/** Opens a reader of the blobs in a container whose host is pinned. */
function readContainer(account: AzureAccount, container: string, io: Io): ObjectReader {
  const client = connectAzure(account, container, io.hosts.lookup)
  const closed = new AbortController()
  return {
    async find({ key, bytes, holds }, given) {
      const signal = AbortSignal.any([given, closed.signal])
      // Attachments can have many gigabytes, so only their ETags are compared.
      if (holds === 'attachment') {
        const head = await client.send({ method: 'HEAD', key, signal }).catch(nullWhenMissing)
        return head && { bytes: Number(head['content-length']), checksum: etagOf(head), sha256: null }
      }
      const found = await client.open({ method: 'GET', key, signal }).catch(nullWhenMissing)
      if (found === null) return null
      const size = Number(found.headers['content-length'])
      if (size !== bytes) found.destroy()
      const sha256 = size === bytes ? await streamChecksum(found) : null
      return { bytes: size, checksum: sha256 ?? etagOf(found.headers), sha256 }
    },
    async read(key, read) {
      const { signal } = closed
      const head = await client.send({ method: 'HEAD', key, signal })
      const download: RemoteFile['download'] = async (place, count) => {
        const content = await client.open({ method: 'GET', key, signal })
        await pipeline(counted(content, count), createWriteStream(place, { mode: 0o600 }))
      }
      return await readByEngine(io, { bytes: Number(head['content-length']), download }, read)
    },
    close() {
      closed.abort()
      client.close()
    },
  }
}

/** Meanings of Azure's errors, in order of precedence: https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes */
const rules = [
  lasting(
    /ContainerNotFound|ContainerBeingDeleted|ContainerDisabled/,
    "There is no container{name} at {endpoint}: create it, or change the destination's container.",
  ),
  lasting(
    /time frame|expiry|AuthenticationFailed.*Signed/i,
    'The shared access signature has expired or is not valid yet: enter a connection string with a new one in the connection.',
  ),
  lasting(
    /AuthorizationPermissionMismatch|AuthorizationResourceTypeMismatch|AuthorizationServiceMismatch|InsufficientAccountPermissions|AuthorizationProtocolMismatch/,
    'The credentials may not read, write and delete blobs in the container{name}: give the shared access signature the permissions r, w, c and d, or use an access key.',
  ),
  lasting(
    /AuthorizationSourceIPMismatch|AuthorizationFailure.*network|IPAuthorization/i,
    "The storage account refuses this service's network address: allow it in the account's network settings.",
  ),
  lasting(
    /AuthenticationFailed|AuthorizationFailure|InvalidAuthenticationInfo|NoAuthenticationInformation/,
    'The store does not accept the credentials: copy the connection string again from the access keys of the storage account, and check the clock of this computer.',
  ),
  lasting(
    /KeyBasedAuthenticationNotPermitted/,
    'The storage account does not allow access keys: allow them, or use a shared access signature.',
  ),
  lasting(
    /AccountIsDisabled|AccountBeingCreated|InvalidResourceName|OutOfRangeInput/,
    'The storage account or the name of the container{name} is not valid: check both in the connection and the destination.',
  ),
  lasting(
    /BlobImmutableDueToPolicy|BlobImmutable|LeaseIdMissing|LeaseAlreadyPresent|SnapshotsPresent|InvalidBlobType|PublicAccessNotPermitted/,
    "Azure does not allow a file to be replaced: remove the container's immutability policy, leases and snapshots, or change the destination's prefix.",
  ),
  lasting(
    /Status3\d\d|\b30[1278]\b/,
    '{endpoint} redirects to another address: enter the endpoint of the storage account itself.',
  ),
  lasting(
    /certificate|self.signed|SSL routines|UNABLE_TO_VERIFY|EPROTO|TLS/i,
    'No secure connection to {endpoint} could be established: check that the endpoint supports HTTPS and has a valid certificate.',
  ),
  ...unreachable(
    'the name of the account in the connection',
    'the connection, and that the store is running',
  ),
  passing(
    /AccountLimitExceeded|QuotaExceeded|InsufficientStorage|RequestBodyTooLarge|\b507\b/i,
    'The store at {endpoint} is full: raise its quota or remove files.',
  ),
  passing(/InvalidBlockList|InvalidBlobOrBlock/, 'Another attempt wrote the same file at the same time.'),
  passing(
    /ServerBusy|OperationTimedOut|InternalError|\b(429|50[0234])\b/,
    'The store at {endpoint} is not available at the moment: check that it works and has free space.',
  ),
]
