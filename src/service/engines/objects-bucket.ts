import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { assertObjectKey, assertObjectPrefix } from './object-key.ts'
import type { Objects } from './objects.ts'
import { startupErrorFrom } from '../startup-error.ts'

/**
 * Opens a bucket given as `s3://key:secret@bucket/prefix?region=…&endpoint=…`. Without a key in the URL, the AWS SDK
 * looks up the credentials (environment, profile, instance role).
 * @throws StartupError when the bucket cannot be listed.
 */
export async function openObjectsBucket(url: string): Promise<Objects> {
  const { client, bucket, prefix } = connect(new URL(url))
  const nameOf = (key: string) => {
    assertObjectKey(key)
    return prefix + key
  }
  const objects: Objects = {
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: nameOf(key), Body: bytes }))
    },
    async get(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: nameOf(key) }))
        return Body ? Buffer.from(await Body.transformToByteArray()) : Buffer.alloc(0)
      } catch (error) {
        if (error instanceof NoSuchKey) return null
        throw error
      }
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: nameOf(key) }))
    },
    async list(keyPrefix) {
      assertObjectPrefix(keyPrefix)
      const keys: string[] = []
      for await (const page of paginateListObjectsV2(
        { client },
        { Bucket: bucket, Prefix: prefix + keyPrefix },
      )) {
        for (const { Key } of page.Contents ?? []) if (Key) keys.push(Key.slice(prefix.length))
      }
      return keys.sort()
    },
  }
  await objects.list('spool-reachable').catch((cause: unknown) => {
    throw startupErrorFrom(cause, `The bucket "${bucket}" (SPOOL_OBJECTS_URL) cannot be used`)
  })
  return objects
}

function connect(url: URL): { client: S3Client; bucket: string; prefix: string } {
  const endpoint = url.searchParams.get('endpoint')
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  const client = new S3Client({
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
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 5000, requestTimeout: 30_000 },
  })
  return { client, bucket: url.hostname, prefix: path && `${path}/` }
}
