import { randomUUID } from 'node:crypto'
import { link, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { LedgerObject } from '../../contract/runs/ledger.ts'
import { partialFolder } from '../../contract/destinations/object-path.ts'
import { ignoreMissing } from '../engines/durable.ts'
import type { QuerySettings, Row } from '../engines/clickhouse/clickhouse.ts'
import type { Services } from '../services.ts'
import type { LedgerRow } from '../store/windows/ledger.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { fileChecksum, fileCrc32, streamChecksum } from './checksum.ts'
import { pinEndpoint } from './destination-check.ts'
import { openDestination, type OpenDestination } from './destination-config.ts'
import { ExportError } from '../problems/export-error.ts'
import { objectUrl } from './s3/s3-location.ts'
import { checksumOf, connect, nullWhenMissing } from './s3/bucket-objects.ts'

/** `checksum` is comparable with that of the ledger; `sha256` is null if only the store's own ETag was read. */
export type FoundObject = { bytes: number; checksum: string; sha256: string | null }

/** Reads the objects of a destination; close it after use. */
export type ObjectReader = {
  destination: OpenDestination
  /** Reads an object and returns its size and checksums; null if it does not exist. @throws when the destination does not say. */
  find(object: LedgerObject, signal: AbortSignal): Promise<FoundObject | null>
  /** Calls `read` with the table function that reads an object, and its first arguments. */
  read<Result>(key: string, read: (place: ReadPlace) => Promise<Result>): Promise<Result>
  close(): void
}

export type ReadPlace = {
  tableFunction: 'file' | 's3'
  arguments: string
  params: Row
  settings: QuerySettings
}
/** Longest time (ms) without a byte from a store that sends an object. */
const stallMs = 30_000

type ReadServices = Pick<Services, 'config' | 'secrets' | 'hosts' | 'exportsFolder'>

/**
 * Opens the destination to which a recorded run wrote, with the export's current credentials.
 * @throws ExportError if the export has another destination now: its credentials are not for the earlier one.
 */
export async function openReader(
  services: ReadServices,
  row: BatchExportRow,
  { settings }: Pick<LedgerRow, 'settings'>,
): Promise<ObjectReader> {
  const current = openDestination(row, services.secrets)
  if (current.type !== settings.destination_type) throw otherDestination()
  const destination = openDestination({ ...row, ...settings }, services.secrets)
  if (destination.type === 'File' || current.type === 'File')
    return folderReader(services, destination, row.project_id)
  if (objectUrl(destination.config, '') !== objectUrl(current.config, '')) throw otherDestination()
  return await bucketReader(services, destination)
}

function otherDestination(): ExportError {
  return new ExportError(
    'The export has another destination now, whose credentials are not for the earlier one: check the earlier files yourself, or export the window again.',
    true,
  )
}

function folderReader(
  { exportsFolder }: ReadServices,
  destination: OpenDestination,
  projectId: number,
): ObjectReader {
  if (exportsFolder === null)
    throw new ExportError('The File destination needs the embedded ClickHouse: change the destination.', true)
  const placeOf = (key: string) => join(exportsFolder, String(projectId), key)
  return {
    destination,
    async find({ key, checksum }) {
      const place = placeOf(key)
      const found = await stat(place).catch((error: NodeJS.ErrnoException) =>
        error.code === 'ENOTDIR' ? undefined : ignoreMissing(error),
      )
      if (!found) return null
      const sha256 = await fileChecksum(place)
      const isCrc32 = checksum.startsWith('crc32:')
      return { bytes: found.size, sha256, checksum: isCrc32 ? await fileCrc32(place) : sha256 }
    },
    async read(key, read) {
      // A name of our own: ClickHouse would read some characters of the key as a pattern, and a run could replace the file.
      const folder = join(exportsFolder, partialFolder)
      const place = join(folder, `read-${randomUUID()}`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await link(placeOf(key), place)
      return await read({
        tableFunction: 'file',
        arguments: '{place: String}',
        params: { place },
        settings: {},
      }).finally(() => rm(place))
    },
    close() {},
  }
}

async function bucketReader(
  services: ReadServices,
  destination: Extract<OpenDestination, { type: 'S3' }>,
): Promise<ObjectReader> {
  const { config } = destination
  const release = await pinEndpoint(services, objectUrl(config, ''))
  const client = await connect(config, services.hosts.lookup)
  return {
    destination,
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
      release()
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
