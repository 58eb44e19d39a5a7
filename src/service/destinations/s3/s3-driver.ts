import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { regionError, S3Config } from '../../../contract/destinations/s3.ts'
import { ExportError } from '../../problems/export-error.ts'
import { streamChecksum } from '../checksum.ts'
import { layoutOf, type DestinationDriver, type Steps, type Trial } from '../destination-driver.ts'
import { lasting, passing } from '../explain-error.ts'
import type { ObjectReader } from '../file-store.ts'
import { respondSteps } from '../reach-steps.ts'
import { checksumOf, connect, nullWhenMissing, refusalOf } from './bucket-objects.ts'
import { endpointUrl, objectUrl } from './s3-location.ts'
import { openBucket } from './write-s3.ts'

export const s3Driver: DestinationDriver = {
  storeKey: (text) => `${storeOf(text('endpoint_url'))}/${text('bucket_name')}`,
  open(given) {
    const config = CompleteConfig.parse(given)
    const { bucket_name: bucket, aws_access_key_id, aws_secret_access_key, endpoint_url, region } = config
    // An invalid region has no endpoint; the error says so.
    const endpoint = endpoint_url || regionError(region) === null ? endpointUrl(config) : undefined
    return {
      holds: 'files',
      ...layoutOf(config),
      prefix: config.prefix ?? '',
      url: () => objectUrl(config, ''),
      explained: { rules, secrets: [aws_secret_access_key, aws_access_key_id], bucket, endpoint },
      steps: (trial) => bucketSteps(config, trial),
      openStore: ({ hosts }, attempt, { run }) => openBucket(config, attempt, run, hosts.lookup),
      isRefusal: (error) => refusalOf(error) !== undefined,
      openReader: ({ hosts }) => readBucket(config, hosts.lookup),
    }
  },
}

/** The complete config of a type of the S3 family: its connection has fields that S3's own config has, too. */
const CompleteConfig = z.object(S3Config.shape)

/** All endpoints of Amazon S3 are one store: its bucket names are unique across regions. Other stores differ by host, port or path. */
function storeOf(endpoint: string): string {
  const amazon = 'amazonaws.com'
  if (!URL.canParse(endpoint)) return amazon
  const { host, pathname } = new URL(endpoint)
  if (/(^|\.)amazonaws\.com(\.cn)?$/.test(host)) return amazon
  return host + pathname.replace(/\/+$/, '')
}

function bucketSteps(config: S3Config, trial: Trial): Steps {
  let probed: Promise<void> | null = null
  const probe = () => (probed ??= probeBucket(config, trial))
  return {
    ...respondSteps(trial, () => ({ url: objectUrl(config, ''), name: endpointUrl(config) })),
    async Credentials() {
      await probe().catch((error: unknown) => {
        if (aboutCredentials.test(nameOf(error))) throw error
      })
      return 'The store accepts the credentials (checked by reading only).'
    },
    async Bucket() {
      await probe()
      return `The bucket "${config.bucket_name}" exists (checked by reading only).`
    },
  }
}

const aboutCredentials =
  /InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|TokenRefreshRequired|InvalidToken/

/**
 * Requests a missing object. Without permission to list, the store reports only "denied"; then the write step decides.
 */
async function probeBucket(config: S3Config, { key: Key, signal: abortSignal, hosts }: Trial): Promise<void> {
  const client = await connect(config, hosts.lookup)
  try {
    await client.getObject({ Bucket: config.bucket_name, Key }, { abortSignal })
  } catch (error) {
    const name = nameOf(error)
    if (name === 'NoSuchKey' || name === 'AccessDenied') return
    const isPlainDenial = refusalOf(error) === 403 && !aboutCredentials.test(name)
    if (!isPlainDenial) throw error
  } finally {
    client.destroy()
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

/** Longest time (ms) without a byte from a store that sends an object. */
const stallMs = 30_000

/** Opens a reader of the objects in a bucket whose host is pinned. */
async function readBucket(config: S3Config, lookup: LookupFunction): Promise<ObjectReader> {
  const client = await connect(config, lookup)
  return {
    async find({ key, bytes, holds }, signal) {
      const target = { Bucket: config.bucket_name, Key: key }
      const stalled = new AbortController()
      const abortSignal = AbortSignal.any([stalled.signal, signal])
      // Attachments can have many gigabytes, so only their ETags are compared.
      const request =
        holds === 'attachment'
          ? client.headObject(target, { abortSignal })
          : client.getObject(target, { abortSignal })
      const found = await request.catch(nullWhenMissing)
      if (!found) return null
      const { ContentLength: size = 0 } = found
      const body = 'Body' in found && found.Body instanceof Readable ? found.Body : null
      if (size !== bytes) body?.destroy()
      const sha256 = body && size === bytes ? await streamChecksum(whileMoving(body, stalled)) : null
      return { bytes: size, checksum: checksumOf(found.ETag), sha256 }
    },
    async read(key, read) {
      if (/[*?{}[\]]/.test(key))
        throw new ExportError(
          'The object key contains one of * ? { } [ ], which ClickHouse reads as a pattern: change the prefix.',
          true,
        )
      return await read({
        tableFunction: 's3',
        arguments: '{place: String}, {key_id: String}, {secret_key: String}',
        params: {
          place: objectUrl(config, key),
          key_id: config.aws_access_key_id,
          secret_key: config.aws_secret_access_key,
        },
        // A user's endpoint has been checked and must not redirect to one that has not.
        settings: config.endpoint_url ? { s3_max_redirects: 0 } : {},
      })
    },
    close() {
      client.destroy()
    },
  }
}

/** Yields the chunks of a stream, and aborts it once none has arrived for `stallMs`. */
async function* whileMoving(stream: Readable, stalled: AbortController): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => stalled.abort(new ExportError('The store stopped sending.', false)), stallMs)
  try {
    for await (const chunk of stream) {
      timer.refresh()
      yield chunk
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Meanings of a store's errors, in order of precedence. */
const rules = [
  lasting(
    /NoSuchBucket|bucket does not exist/i,
    "There is no bucket{name} at {endpoint}: create it, or change the destination's bucket name or region.",
  ),
  lasting(
    /InvalidAccessKeyId|access key id you provided does not exist/i,
    "The store does not know the access key: check the destination's access key id.",
  ),
  lasting(
    /SignatureDoesNotMatch|signature we calculated does not match/i,
    "The store does not accept the secret access key: enter the destination's credentials again.",
  ),
  lasting(
    /ExpiredToken|TokenRefreshRequired|InvalidToken/i,
    'The credentials have expired: enter new ones in the destination.',
  ),
  lasting(
    /AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraint|the region .* is wrong|must be addressed using the specified endpoint/i,
    "The bucket{name} is in another region: change the destination's region.",
  ),
  lasting(
    /TOO_MANY_REDIRECTS/,
    "{endpoint} redirects to another address: enter the store's own endpoint in the destination.",
  ),
  lasting(
    /is not on the public internet/,
    "{endpoint} redirects to a private network: enter the store's own endpoint in the destination.",
  ),
  lasting(
    /KMS\.|KMSInvalid|kms:GenerateDataKey/i,
    "The KMS key cannot be used: check the destination's key id and the permissions of its credentials.",
  ),
  // Some stores deny access when a bucket has reached its quota.
  passing(
    /StorageFull|QuotaExceeded|InsufficientStorage|quota is reached|cap exceeded|S3_ERROR.*no space left/i,
    'The store at {endpoint} is full: raise its quota or remove files.',
  ),
  lasting(
    /ACCESS_DENIED|AccessDenied|Access Denied|AllAccessDisabled|Forbidden|\b403\b/i,
    'Writing to the bucket{name} was denied: allow these credentials to put, get and delete objects there, or enter other credentials.',
  ),
  lasting(
    /InvalidBucketName|Bucket name length|Invalid S3 (URI|key)|Bucket or key name are invalid|\bInvalidURI\b/i,
    "The bucket{name} or the object key is not allowed by S3: change the destination's bucket name or prefix.",
  ),
  lasting(
    /certificate|self.signed|SSL routines|SSL_ERROR|UNABLE_TO_VERIFY|EPROTO|TLS/i,
    'No secure connection to {endpoint} could be established: check that the endpoint supports HTTPS and has a valid certificate.',
  ),
  passing(
    /DNS_ERROR|ENOTFOUND|EAI_AGAIN|Not found address of host|Host not found/i,
    "The host of {endpoint} was not found: check the destination's endpoint and region.",
  ),
  passing(
    /ECONNREFUSED|Connection refused/i,
    "{endpoint} refused the connection: check the destination's endpoint and that the store is running.",
  ),
  passing(
    /SlowDown|TooManyRequests|reduce your request rate/i,
    'The store at {endpoint} receives too many requests at the moment.',
  ),
  // Stores behind a failing gateway respond with a web page, from which the engine reads no code and no message.
  passing(
    /Message: ,|Deserialization error/,
    "{endpoint} responded with an error that is not S3's: check the destination's endpoint, and that the store is running.",
  ),
  passing(
    /ServiceUnavailable|unable to handle request|Internal ?Error|\b50[0234]\b/i,
    'The store at {endpoint} is not available at the moment: check that it works and has free space.',
  ),
  passing(
    /NoSuchKey|NoSuchUpload|\b404\b/i,
    "The object was not found in the bucket{name} right after it was written: check the destination's bucket name.",
  ),
]
