import { createHash } from 'node:crypto'
import type { Model } from '../../contract/exports/batch-export.ts'
import type { Compression, FileFormat } from '../../contract/destinations/destination.ts'
import { formatOffsetInstant } from '../../contract/instant.ts'
import type { Window } from '../../contract/interval.ts'
import {
  fillVariables,
  plainPath,
  recordingNameBytesMax,
  type longestValues,
} from '../../contract/destinations/object-path.ts'

export type FileKeyParts = {
  /** May contain variables like `{year}`, which refer to the end of the interval. */
  prefix: string
  model: Model
  interval: Window
  format: FileFormat
  compression: Compression | null
}

const lineExtensions: Record<Compression, string> = {
  gzip: '.gz',
  brotli: '.br',
  zstd: '.zst',
  lz4: '.lz4',
  snappy: '.sz',
}

/** Placeholder for a part's number in the key of a statement that writes several parts. */
export const partPlaceholder = '{_partition_id}'

/**
 * Returns the key of a run's file, which depends only on the window; `part` counts from 0, null if the file is not
 * split.
 */
export function fileKey(parts: FileKeyParts, part: number | typeof partPlaceholder | null): string {
  const number = part === null ? '' : `-${part}`
  return join(
    parts,
    `${intervalName(parts.interval)}${number}${fileExtension(parts.format, parts.compression)}`,
  )
}

/** Returns the key of the manifest, which lists the files of a split export and is written last. */
export function manifestKey(parts: FileKeyParts): string {
  return join(parts, `${intervalName(parts.interval)}_manifest.json`)
}

/** Returns the key of a session's recording in an export with blocks. */
export function recordingKey(parts: FileKeyParts, sessionId: string): string {
  return join(parts, `${intervalName(parts.interval)}_recordings/${recordingName(sessionId)}.json.zst`)
}

/** Returns a name of its own for each session id. A long one ends in a hash after `=`, which no short one contains. */
function recordingName(sessionId: string): string {
  const encoded = encodeURIComponent(sessionId)
  if (encoded.length <= recordingNameBytesMax) return encoded
  const hash = `=${createHash('sha256').update(sessionId).digest('hex')}`
  return encoded.slice(0, recordingNameBytesMax - hash.length).replace(/%.?$/, '') + hash
}

function intervalName({ start, end }: Window): string {
  return `${formatOffsetInstant(start)}-${formatOffsetInstant(end)}`
}

export function fileExtension(format: FileFormat, compression: Compression | null): string {
  if (format === 'Parquet') return '.parquet'
  return `.jsonl${compression ? lineExtensions[compression] : ''}`
}

function join({ prefix, model, interval }: FileKeyParts, name: string): string {
  const end = new Date(interval.end).toISOString()
  const values: typeof longestValues = {
    year: end.slice(0, 4),
    month: end.slice(5, 7),
    day: end.slice(8, 10),
    hour: end.slice(11, 13),
    minute: end.slice(14, 16),
    second: end.slice(17, 19),
    data_interval_start: formatOffsetInstant(interval.start),
    data_interval_end: formatOffsetInstant(interval.end),
    table: model,
  }
  return plainPath(`${fillVariables(prefix, values)}/${name}`)
}
