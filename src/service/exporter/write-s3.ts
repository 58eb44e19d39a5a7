import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../contract/destination.ts'
import type { Row } from '../engines/clickhouse.ts'
import { ExportError } from './export-error.ts'
import { splitSettings, writeStatement, type FileContent, type Parts } from './file-content.ts'
import type { FileStore, KeyOf, RunStatement, WrittenFile } from './file-store.ts'
import { partPlaceholder } from './file-key.ts'
import { endpointUrl, objectUrl, usesVirtualStyle } from './s3-location.ts'

/** Opens a store that writes objects with ClickHouse's `s3()`; sizes, copies, manifests and removals use the SDK. */
export async function openBucket(config: S3Config, run: RunStatement): Promise<FileStore> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = connect(sdk, config)
  const Bucket = config.bucket_name

  const plainKey = (key: string) => {
    const named = key.replaceAll(partPlaceholder, '\0')
    if (!/[{}*?]/.test(named) && !usesOwnKey(config)) return key
    // The copy source is sent in a header, which stores decode differently: use only plain characters.
    return `${named.replace(/[^\0\w./-]/g, '_').replaceAll('\0', partPlaceholder)}.partial`
  }

  const statement = (key: string, content: FileContent, parts: Parts | null) => {
    const encryption = encryptionHeaders(config)
    return run(writeStatement(`s3(${placeAndForm}${encryption.sql})`, content, parts), {
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
        // A user's endpoint has been checked and must not redirect to one that has not.
        ...(config.endpoint_url && { s3_max_redirects: 0 }),
      },
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

  const remove = async (keys: readonly string[]) => {
    for (const Key of keys) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }))
  }

  /**
   * Moves an object from its plain key, if it has one, to its final key; returns null if the object is missing.
   * ClickHouse reads `{`, `*` and `?` as patterns, and also sends a KMS key's name with upload parts, which S3 rejects:
   * such an object is first written under a plain key, encrypted with the store's own KMS key.
   */
  const settle = async (key: string): Promise<WrittenFile | null> => {
    const written = plainKey(key)
    const bytes = await sizeOf(written)
    if (bytes === null || written === key) return bytes === null ? null : { key, bytes }
    const CopySource = `${Bucket}/${written.split('/').map(encodeURIComponent).join('/')}`
    await client.send(
      new sdk.CopyObjectCommand({ Bucket, Key: key, CopySource, ...encryptionFields(config) }),
    )
    await remove([written])
    return { key, bytes }
  }

  return {
    async writeWhole(keyOf, part, { settled }) {
      const key = validKey(keyOf(part))
      // An object is visible as soon as it is written, so nothing is written ahead.
      const content = await settled
      if (content === null) return null
      await statement(plainKey(key), content, null)
      const file = await settle(key)
      if (!file)
        throw new ExportError(
          `The object ${key} was written but no longer exists: another client may have removed it.`,
          false,
        )
      return file
    },
    async writeParts(keyOf, parts, content) {
      const keys = partKeys(keyOf, parts)
      // A part without rows writes nothing, so an older object would be mistaken for it.
      await remove(keys.map(plainKey))
      await statement(plainKey(validKey(keyOf(partPlaceholder))), content, parts)
      const files: WrittenFile[] = []
      for (const key of keys) {
        const file = await settle(key)
        if (file) files.push(file)
      }
      return files
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
      await client.send(
        new sdk.PutObjectCommand({
          Bucket,
          Key: key,
          Body: text,
          ContentType: 'application/json',
          ...encryptionFields(config),
        }),
      )
    },
    remove,
    async close() {
      client.destroy()
    },
  }
}

const placeAndForm =
  '{place: String}, {key_id: String}, {secret_key: String}, {format: String}, {structure: String}, {compression: String}'

/** Creates a client for an S3 destination; destroy it after use. */
export function connect(sdk: typeof import('@aws-sdk/client-s3'), config: S3Config): S3Client {
  return new sdk.S3Client({
    region: config.region,
    endpoint: endpointUrl(config),
    forcePathStyle: !usesVirtualStyle(config),
    credentials: { accessKeyId: config.aws_access_key_id, secretAccessKey: config.aws_secret_access_key },
    // Many S3-compatible stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 5000, requestTimeout: 30_000 },
  })
}

function partKeys(keyOf: KeyOf, { first, end }: Parts): string[] {
  return Array.from({ length: end - first }, (_, index) => validKey(keyOf(first + index)))
}

function validKey(key: string): string {
  if (key.length > 0 && !key.includes('//') && Buffer.byteLength(key) <= 1024) return key
  throw new ExportError(
    `The object key "${key.slice(0, 200)}" is not valid: change the destination's prefix so that it has no empty part and is not too long.`,
    true,
  )
}

function usesOwnKey({ encryption, kms_key_id }: S3Config): boolean {
  return encryption === 'aws:kms' && Boolean(kms_key_id)
}

function encryptionHeaders({ encryption }: S3Config): { sql: string; params: Row } {
  if (!encryption) return { sql: '', params: {} }
  return { sql: `, headers('x-amz-server-side-encryption' = {encryption: String})`, params: { encryption } }
}

function encryptionFields({ encryption, kms_key_id }: S3Config) {
  if (!encryption) return {}
  return {
    ServerSideEncryption: encryption,
    ...(encryption === 'aws:kms' && kms_key_id && { SSEKMSKeyId: kms_key_id }),
  }
}
