import { NoSuchKey, paginateListObjectsV2, S3 } from '@aws-sdk/client-s3'
import type { Objects } from './objects.ts'
import { startupErrorFrom } from '../../startup-error.ts'

/** Longest time (ms) of an operation with its retries. */
const limitMs = 10_000
const writeLimitMs = 30_000
const pingLimitMs = 5000
/** Longest time (ms) without data from the bucket. */
const silenceLimitMs = 5000

/**
 * Opens a bucket given as `s3://key:secret@bucket/prefix?region=…&endpoint=…`. Without a key in the URL, the AWS SDK
 * looks up the credentials (environment, profile, instance role).
 * @throws StartupError when the bucket cannot be listed.
 */
export async function openObjectsBucket(url: string): Promise<Objects> {
  const { client, bucket: Bucket, prefix } = connect(new URL(url))
  const nameOf = (key: string) => prefix + key
  const objects: Objects = {
    async put(key, Body) {
      await client.putObject({ Bucket, Key: nameOf(key), Body }, within(writeLimitMs))
    },
    async get(key) {
      try {
        const { Body } = await client.getObject({ Bucket, Key: nameOf(key) }, within(limitMs))
        return Body ? Buffer.from(await Body.transformToByteArray()) : Buffer.alloc(0)
      } catch (error) {
        if (error instanceof NoSuchKey) return null
        throw error
      }
    },
    async delete(key) {
      await client.deleteObject({ Bucket, Key: nameOf(key) }, within(limitMs))
    },
    async list(keyPrefix) {
      const keys: string[] = []
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: nameOf(keyPrefix) }))
        for (const { Key } of page.Contents ?? []) if (Key) keys.push(Key.slice(prefix.length))
      return keys.sort()
    },
    async ping() {
      await client.listObjectsV2({ Bucket, Prefix: prefix, MaxKeys: 1 }, within(pingLimitMs))
    },
  }
  await objects.ping().catch((cause: unknown) => {
    throw startupErrorFrom(cause, `The bucket "${Bucket}" (SPOOL_OBJECTS_URL) cannot be used`)
  })
  return objects
}

function within(milliseconds: number) {
  return { abortSignal: AbortSignal.timeout(milliseconds) }
}

function connect(url: URL): { client: S3; bucket: string; prefix: string } {
  const endpoint = url.searchParams.get('endpoint')
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  const client = new S3({
    region: url.searchParams.get('region') ?? 'us-east-1',
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(url.username && {
      credentials: {
        accessKeyId: decodeURIComponent(url.username),
        secretAccessKey: decodeURIComponent(url.password),
      },
    }),
    // Many S3-compatible stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3000, socketTimeout: silenceLimitMs },
  })
  return { client, bucket: url.hostname, prefix: path && `${path}/` }
}
