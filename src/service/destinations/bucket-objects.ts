import { Readable } from 'node:stream'
import type { LookupFunction } from 'node:net'
import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../contract/destinations/destination.ts'
import { ExportError } from '../problems/export-error.ts'
import { encryptionFields } from './s3-encryption.ts'
import { endpointUrl, usesVirtualStyle } from './s3-location.ts'

type Sdk = typeof import('@aws-sdk/client-s3')

/** Creates a client for an S3 destination whose host is pinned; destroy it after use. */
export function connect(sdk: Sdk, config: S3Config, lookup: LookupFunction): S3Client {
  return new sdk.S3Client({
    region: config.region,
    endpoint: endpointUrl(config),
    forcePathStyle: !usesVirtualStyle(config),
    credentials: { accessKeyId: config.aws_access_key_id, secretAccessKey: config.aws_secret_access_key },
    // Many S3-compatible stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: 5000,
      requestTimeout: 10_000,
      // Otherwise the SDK would only log that the time is over.
      throwOnRequestTimeout: true,
      httpAgent: { lookup },
      httpsAgent: { lookup },
    },
  })
}

/** Returns functions that read, write and delete single objects of a bucket. */
export function openObjects(sdk: Sdk, client: S3Client, config: S3Config) {
  const Bucket = config.bucket_name
  const removeSoon = async (Key: string) => {
    await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), within(cleanUpTimeoutMs))
  }
  return {
    /** Returns the size in bytes; null for a missing object. */
    async sizeOf(key: string): Promise<number | null> {
      const head = await client
        .send(new sdk.HeadObjectCommand({ Bucket, Key: key }))
        .catch((error: unknown) => {
          if (error instanceof sdk.S3ServiceException && error.$metadata.httpStatusCode === 404) return null
          throw error
        })
      return head === null ? null : (head.ContentLength ?? 0)
    },
    /**
     * Returns the checksum of an object of `bytes` bytes.
     * @throws ExportError if its size differs.
     */
    async checkedSum(key: string, bytes: number): Promise<string> {
      const found = await readEnd(client, Bucket, key, bytes)
      if (found.bytes !== bytes) throw incomplete(key, found.bytes, bytes)
      return found.checksum
    },
    async readText(key: string): Promise<string | null> {
      try {
        const object = await client.send(new sdk.GetObjectCommand({ Bucket, Key: key }))
        return (await object.Body?.transformToString()) ?? ''
      } catch (error) {
        // Without permission to list, S3 responds 403 for a missing object.
        const status = error instanceof sdk.S3ServiceException ? error.$metadata.httpStatusCode : undefined
        if (status === 404 || status === 403) return null
        throw error
      }
    },
    async writeText(key: string, text: string): Promise<string> {
      const { ETag } = await client.send(
        new sdk.PutObjectCommand({
          Bucket,
          Key: key,
          Body: text,
          ContentType: 'application/json',
          ...encryptionFields(config),
        }),
      )
      return checksumOf(ETag)
    },
    async remove(keys: readonly string[]): Promise<void> {
      for (const Key of keys) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }))
    },
    /** Removes an object within seconds, or not at all. */
    removeSoon,
    /** The same for all objects whose keys start so; needs permission to list. */
    async removeStartingWith(Prefix: string): Promise<void> {
      const listing = new sdk.ListObjectsV2Command({ Bucket, Prefix })
      const listed = await client.send(listing, within(cleanUpTimeoutMs))
      for (const { Key } of listed.Contents ?? []) if (Key !== undefined) await removeSoon(Key)
    },
  }
}

/** Time (ms) for removing a temporary object: a store that has stopped responding must not delay the end of the attempt. */
const cleanUpTimeoutMs = 3000

function within(limitMs: number) {
  return { abortSignal: AbortSignal.timeout(limitMs) }
}

/**
 * Returns the size and checksum of an object by reading its last byte, which a store that has lost the end cannot send.
 * @param expected bytes that the object should have
 */
async function readEnd(
  client: S3Client,
  Bucket: string,
  Key: string,
  expected: number,
): Promise<{ bytes: number; checksum: string }> {
  const sdk = await import('@aws-sdk/client-s3')
  const last = Math.max(0, expected - 1)
  try {
    const Range = `bytes=${last}-${last}`
    const object = await client.send(new sdk.GetObjectCommand({ Bucket, Key, Range }))
    const checksum = checksumOf(object.ETag)
    const [, size] = /\/(\d+)$/.exec(object.ContentRange ?? '') ?? []
    if (size !== undefined) {
      const end = await object.Body?.transformToByteArray()
      return { bytes: end?.length === 1 ? Number(size) : 0, checksum }
    }
    // The store ignores ranges and sends the whole object.
    if (object.Body instanceof Readable) object.Body.destroy()
    return { bytes: object.ContentLength ?? 0, checksum }
  } catch (error) {
    // The object ends before the range, or is missing.
    const status = error instanceof sdk.S3ServiceException ? error.$metadata.httpStatusCode : undefined
    if (status !== 416 && status !== 404) throw error
    const head = await client.send(new sdk.HeadObjectCommand({ Bucket, Key })).catch(() => null)
    return { bytes: head?.ContentLength ?? 0, checksum: checksumOf(head?.ETag) }
  }
}

/** Returns an ETag without its quotes, as the ledger records it. */
export function checksumOf(etag: string | undefined): string {
  return `etag:${etag?.replaceAll('"', '') ?? ''}`
}

/** The error of an object of which the store kept fewer bytes than were sent. */
export function incomplete(key: string, found: number, sent: number, cause?: unknown): ExportError {
  return new ExportError(
    `The store kept ${found.toLocaleString('en')} of the ${sent.toLocaleString('en')} bytes that were sent for ${key}: check the store for errors and free space.`,
    false,
    { cause },
  )
}
