import { randomBytes } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { s3KeyProblem, type S3Config } from '../../../contract/destinations/s3.ts'
import type { RunRow } from '../../store/runs/runs-list.ts'
import { connect, openObjects, type BucketObjects } from './bucket-objects.ts'
import { copyObject, s3CopyLimits } from './copy-object.ts'
import { ExportError } from '../../problems/export-error.ts'
import { incomplete } from '../incomplete-object.ts'
import { splitSettings, writeStatement, type FileContent, type Parts } from '../file-content.ts'
import type { FileStore, KeyOf, RunStatement, StagedFile } from '../file-store.ts'
import { partPlaceholder } from '../file-key.ts'
import { uploadObject } from './upload-object.ts'
import { encryptionFields, encryptionHeaders } from './s3-encryption.ts'
import { objectUrl } from './s3-location.ts'

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
  const client = await connect(config, lookup)
  const objects = openObjects(client, config)
  const Bucket = config.bucket_name
  const ofRun = `.spool-${attempt.id}`
  const own = `${ofRun}-${randomBytes(6).toString('hex')}`
  /** Temporary objects that may exist. */
  const temporaries = new Set<string>()

  // Tools that read the whole prefix skip names that start with a dot.
  const temporaryKey = (key: string, part: number | string) => `${plainFolder(key)}${own}-${part}.partial`

  return {
    async stageWhole(keyOf, part, { settled }) {
      const key = validKey(keyOf(part))
      // An object costs money as soon as it is written, so nothing is written ahead.
      const content = await settled
      if (content === null) return null
      if (attempt.attempt > 1)
        await objects.removeStartingWith(plainFolder(key) + ofRun).catch(() => undefined)
      const temporary = validKey(temporaryKey(key, 'whole'))
      temporaries.add(temporary)
      await writeObject(config, run, { key: temporary, shown: key, content, parts: null })
      const file = await stagedObject(objects, key, temporary)
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
      const place = { key: temporaryPart(all, partPlaceholder), shown: all.replace(partPlaceholder, '…') }
      await writeObject(config, run, { ...place, content, parts })
      const files: StagedFile[] = []
      for (const { key, temporary } of keys) {
        const file = await stagedObject(objects, key, temporary)
        if (file) files.push(file)
      }
      return files
    },
    async publish({ key, temporary, bytes }) {
      const encryption = encryptionFields(config)
      await copyObject(client, { Bucket, from: temporary, to: key, bytes, encryption }, copyLimits)
      return await objects.checkedSum(key, bytes)
    },
    async writeStream(key, content, signal) {
      const target = { Bucket, Key: validKey(key), ...encryptionFields(config) }
      const bytes = await uploadObject(client, target, content, signal)
      return { key, bytes, checksum: await objects.checkedSum(key, bytes) }
    },
    readText: objects.readText,
    writeText: objects.writeText,
    remove: objects.remove,
    async close() {
      const left: string[] = []
      for (const Key of temporaries) await objects.removeSoon(Key).catch(() => left.push(Key))
      client.destroy()
      return left
    },
  }
}

/** Returns a temporary object that was written for a key; null if there is none. */
async function stagedObject(
  { sizeOf }: BucketObjects,
  key: string,
  temporary: string,
): Promise<StagedFile | null> {
  const bytes = await sizeOf(temporary)
  return bytes === null ? null : { key, temporary, bytes, rows: null, checksum: null }
}

type WrittenObject = {
  key: string
  /** The key in error messages. */
  shown: string
  content: FileContent
  parts: Parts | null
}

/** Lets ClickHouse write an object, or one for each part. */
async function writeObject(
  config: S3Config,
  run: RunStatement,
  { key, shown, content, parts }: WrittenObject,
): Promise<void> {
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

/** Converts ClickHouse's error about an object whose size differs from the bytes it sent. */
function sizeMismatch(error: unknown, key: string): ExportError | null {
  const text = error instanceof Error ? error.message : ''
  const [, found, sent] = /has unexpected size (\d+) after upload, expected size (\d+)/.exec(text) ?? []
  if (found === undefined || sent === undefined) return null
  return incomplete(key, Number(found), Number(sent), error)
}

/** Replaces special characters in a key's folder: ClickHouse reads some as patterns, and URLs encode others. */
function plainFolder(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1).replace(/[^\w./-]/g, '_')
}

const placeAndForm =
  '{place: String}, {key_id: String}, {secret_key: String}, {format: String}, {structure: String}, {compression: String}'

function partKeys(keyOf: KeyOf, { first, end }: Parts): string[] {
  return Array.from({ length: end - first }, (_, index) => validKey(keyOf(first + index)))
}

function validKey(key: string): string {
  const problem = s3KeyProblem(key)
  if (problem === null) return key
  throw new ExportError(
    `The object key "${key.slice(0, 200)}" is not valid (${problem}): change the destination's prefix.`,
    true,
  )
}
