import { Readable } from 'node:stream'
import type { LookupFunction } from 'node:net'
import type { S3 } from '@aws-sdk/client-s3'
import type { S3Config } from '../../../contract/destinations/s3.ts'
import { incomplete } from '../incomplete-object.ts'
import { encryptionFields } from './s3-encryption.ts'
import { endpointUrl, usesVirtualStyle } from './s3-location.ts'

/** Creates a client for an S3 destination whose host is pinned; destroy it after use. */
export async function connect(config: S3Config, lookup: LookupFunction): Promise<S3> {
  // Loaded on demand, because the library is large.
  const { S3 } = await import('@aws-sdk/client-s3')
  return new S3({
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

/** Returns the status of a response with which the store refused a request; undefined for any other error. */
export function refusalOf(error: unknown): number | undefined {
  return error instanceof Error && '$fault' in error ? Object(error)['$metadata']?.httpStatusCode : undefined
}

/** For `catch`: returns null for a missing object. */
export function nullWhenMissing(error: unknown): null {
  if (refusalOf(error) === 404) return null
  throw error
}

export type BucketObjects = ReturnType<typeof openObjects>

/** Returns functions that read, write and delete single objects of a bucket. */
export function openObjects(client: S3, config: S3Config) {
  const Bucket = config.bucket_name
  const removeSoon = async (Key: string) => {
    await client.deleteObject({ Bucket, Key }, within(cleanUpTimeoutMs))
  }
  return {
    /** Returns the size in bytes; null for a missing object. */
    async sizeOf(Key: string): Promise<number | null> {
      const head = await client.headObject({ Bucket, Key }).catch(nullWhenMissing)
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
    async readText(Key: string): Promise<string | null> {
      try {
        const object = await client.getObject({ Bucket, Key })
        return (await object.Body?.transformToString()) ?? ''
      } catch (error) {
        // Without permission to list, S3 responds 403 for a missing object.
        if (refusalOf(error) === 403) return null
        return nullWhenMissing(error)
      }
    },
    async writeText(Key: string, Body: string): Promise<string> {
      const ContentType = 'application/json'
      const { ETag } = await client.putObject({ Bucket, Key, Body, ContentType, ...encryptionFields(config) })
      return checksumOf(ETag)
    },
    async remove(keys: readonly string[]): Promise<void> {
      for (const Key of keys) await client.deleteObject({ Bucket, Key })
    },
    /** Removes an object within seconds, or not at all. */
    removeSoon,
    /** The same for all objects whose keys start so; needs permission to list. */
    async removeStartingWith(Prefix: string): Promise<void> {
      const listed = await client.listObjectsV2({ Bucket, Prefix }, within(cleanUpTimeoutMs))
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
async function readEnd(client: S3, Bucket: string, Key: string, expected: number) {
  const last = Math.max(0, expected - 1)
  try {
    const object = await client.getObject({ Bucket, Key, Range: `bytes=${last}-${last}` })
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
    if (refusalOf(error) !== 416) nullWhenMissing(error)
    const head = await client.headObject({ Bucket, Key }).catch(() => null)
    return { bytes: head?.ContentLength ?? 0, checksum: checksumOf(head?.ETag) }
  }
}

/** Returns an ETag without its quotes, as the ledger records it. */
export function checksumOf(etag: string | undefined): string {
  return `etag:${etag?.replaceAll('"', '') ?? ''}`
}
