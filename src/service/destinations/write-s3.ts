import { randomBytes } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../contract/destinations/destination.ts'
import { keyProblem } from '../../contract/destinations/object-path.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { copyObject, s3CopyLimits } from './copy-object.ts'
import { ExportError } from '../problems/export-error.ts'
import { splitSettings, writeStatement, type FileContent, type Parts } from './file-content.ts'
import type { FileStore, KeyOf, RunStatement, StagedFile } from './file-store.ts'
import { partPlaceholder } from './file-key.ts'
import { uploadObject } from './upload-object.ts'
import { encryptionFields, encryptionHeaders } from './s3-encryption.ts'
import { endpointUrl, objectUrl, usesVirtualStyle } from './s3-location.ts'

/**
 * Opens a store in which ClickHouse's `s3()` writes a temporary object and compares its size with the bytes it sent. The
 * SDK does the rest: a copy within the store publishes the object atomically.
 */
export async function openBucket(
  config: S3Config,
  attempt: Pick<RunRow, 'id' | 'attempt'>,
  run: RunStatement,
  lookup: LookupFunction,
  copyLimits = s3CopyLimits,
): Promise<FileStore> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = connect(sdk, config, lookup)
  const Bucket = config.bucket_name
  const ofRun = `.spool-${attempt.id}`
  const own = `${ofRun}-${randomBytes(6).toString('hex')}`
  /** Temporary objects that may exist. */
  const temporaries = new Set<string>()

  // Tools that read the whole prefix skip names that start with a dot.
  const temporaryKey = (key: string, part: number | string) => `${plainFolder(key)}${own}-${part}.partial`

  /** `shown` is the key in error messages. */
  const statement = async (key: string, shown: string, content: FileContent, parts: Parts | null) => {
    const encryption = encryptionHeaders(config)
    await run(writeStatement(`s3(${placeAndForm}${encryption.sql})`, content, parts), {
      params: {
        ...content.params,
        ...encryption.params,
        place: objectUrl(config, key),
        key_id: config.aws_access_key_id,
        secret_key: config.aws_secret_access_key,
        format: content.format,
        structure: content.structure,
        compression: content.compression,
      },
      settings: {
        ...(parts ? splitSettings(content, parts) : content.settings),
        s3_check_objects_after_upload: 1,
        // A user's endpoint has been checked and must not redirect to one that has not.
        ...(config.endpoint_url && { s3_max_redirects: 0 }),
      },
    }).catch((error: unknown) => {
      throw sizeMismatch(error, shown) ?? error
    })
  }

  const sizeOf = async (key: string): Promise<number | null> => {
    const head = await client
      .send(new sdk.HeadObjectCommand({ Bucket, Key: key }))
      .catch((error: unknown) => {
        if (error instanceof sdk.S3ServiceException && error.$metadata.httpStatusCode === 404) return null
        throw error
      })
    return head === null ? null : (head.ContentLength ?? 0)
  }

  const staged = async (key: string, temporary: string): Promise<StagedFile | null> => {
    const bytes = await sizeOf(temporary)
    return bytes === null ? null : { key, temporary, bytes, rows: null, checksum: null }
  }

  const checkedSum = async (key: string, bytes: number): Promise<string> => {
    const found = await readEnd(client, Bucket, key, bytes)
    if (found.bytes !== bytes) throw incomplete(key, found.bytes, bytes)
    return found.checksum
  }

  const remove = async (keys: readonly string[]) => {
    for (const Key of keys) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }))
  }

  /** Removes the temporary objects of a crashed attempt of this run; needs permission to list. */
  const removeLeftovers = async (folder: string) => {
    if (attempt.attempt === 1) return
    const listed = await client.send(
      new sdk.ListObjectsV2Command({ Bucket, Prefix: folder + ofRun }),
      within(cleanUpTimeoutMs),
    )
    for (const { Key } of listed.Contents ?? [])
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), within(cleanUpTimeoutMs))
  }

  return {
    async stageWhole(keyOf, part, { settled }) {
      const key = validKey(keyOf(part))
      // An object costs money as soon as it is written, so nothing is written ahead.
      const content = await settled
      if (content === null) return null
      await removeLeftovers(plainFolder(key)).catch(() => undefined)
      const temporary = validKey(temporaryKey(key, 'whole'))
      temporaries.add(temporary)
      await statement(temporary, key, content, null)
      const file = await staged(key, temporary)
      if (!file)
        throw new ExportError(
          `The object ${temporary} was written but no longer exists: another client may have removed it.`,
          false,
        )
      return file
    },
    async stageParts(keyOf, parts, content) {
      // An earlier split into fewer parts used the same numbers.
      const temporaryPart = (key: string, part: number | string) =>
        temporaryKey(key, `${parts.count}-${part}`)
      const keys = partKeys(keyOf, parts).map((key, index) => ({
        key,
        temporary: temporaryPart(key, parts.first + index),
      }))
      for (const { temporary } of keys) temporaries.add(temporary)
      const all = keyOf(partPlaceholder)
      await statement(temporaryPart(all, partPlaceholder), all.replace(partPlaceholder, '…'), content, parts)
      const files: StagedFile[] = []
      for (const { key, temporary } of keys) {
        const file = await staged(key, temporary)
        if (file) files.push(file)
      }
      return files
    },
    async publish({ key, temporary, bytes }) {
      const encryption = encryptionFields(config)
      await copyObject(client, { Bucket, from: temporary, to: key, bytes, encryption }, copyLimits)
      return await checkedSum(key, bytes)
    },
    async writeStream(key, content, signal) {
      const target = { Bucket, Key: validKey(key), ...encryptionFields(config) }
      const bytes = await uploadObject(client, target, content, signal)
      return { key, bytes, checksum: await checkedSum(key, bytes) }
    },
    async readText(key) {
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
    async writeText(key, text) {
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
    remove,
    async close() {
      const left: string[] = []
      for (const Key of temporaries)
        await client
          .send(new sdk.DeleteObjectCommand({ Bucket, Key }), within(cleanUpTimeoutMs))
          .catch(() => left.push(Key))
      client.destroy()
      return left
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

/** Converts ClickHouse's error about an object whose size differs from the bytes it sent. */
function sizeMismatch(error: unknown, key: string): ExportError | null {
  const text = error instanceof Error ? error.message : ''
  const [, found, sent] = /has unexpected size (\d+) after upload, expected size (\d+)/.exec(text) ?? []
  if (found === undefined || sent === undefined) return null
  return incomplete(key, Number(found), Number(sent), error)
}

function incomplete(key: string, found: number, sent: number, cause?: unknown): ExportError {
  return new ExportError(
    `The store kept ${found.toLocaleString('en')} of the ${sent.toLocaleString('en')} bytes that were sent for ${key}: check the store for errors and free space.`,
    false,
    { cause },
  )
}

/** Replaces special characters in a key's folder: ClickHouse reads some as patterns, and URLs encode others. */
function plainFolder(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1).replace(/[^\w./-]/g, '_')
}

const placeAndForm =
  '{place: String}, {key_id: String}, {secret_key: String}, {format: String}, {structure: String}, {compression: String}'

/** Creates a client for an S3 destination whose host is pinned; destroy it after use. */
export function connect(
  sdk: typeof import('@aws-sdk/client-s3'),
  config: S3Config,
  lookup: LookupFunction,
): S3Client {
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

function partKeys(keyOf: KeyOf, { first, end }: Parts): string[] {
  return Array.from({ length: end - first }, (_, index) => validKey(keyOf(first + index)))
}

function validKey(key: string): string {
  const problem = keyProblem('S3', key)
  if (problem === null) return key
  throw new ExportError(
    `The object key "${key.slice(0, 200)}" is not valid (${problem}): change the destination's prefix.`,
    true,
  )
}
