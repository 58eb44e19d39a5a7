import { z } from 'zod'
import { plainPath } from '../../contract/destinations/object-path.ts'
import { fileContent, partsAtOnceMax, type FileContent } from '../destinations/file-content.ts'
import { ExportError } from '../problems/export-error.ts'
import type { Draft, FileStore, KeyOf, PublishedFile, StagedFile } from '../destinations/file-store.ts'
import { manifestKey, fileKey, partPlaceholder, type FileKeyParts } from '../destinations/file-key.ts'
import type { RunRows } from '../warehouse/run-rows.ts'

/** Rows to write ahead; then the final rows and their number, or null for an empty window. See `Draft`. */
export type RowsDraft = { guess: RunRows; settled: Promise<{ rows: RunRows; count: number } | null> }

/** The files of a run: those with rows, and the manifest of a split export. */
export type WrittenRun = { files: PublishedFile[]; manifest: PublishedFile | null }

/** Calls `publish` if the attempt is current; until `publish` ends, no other run can publish the same files. */
export type WhileCurrent = (publish: (signal: AbortSignal) => Promise<void>) => Promise<void>

/** Safety factor below the size limit: rows, and so parts, differ in size. */
const sizeMargin = 1.15
/** Limits the splits, since the part of a row larger than the limit never becomes small enough. */
const splitsMax = 6

/**
 * Writes the rows as one file or, with a size limit (bytes), as numbered files and, last, a manifest. If a file is still
 * too large, all rows are split again into more files. Files appear under their keys only when all are complete; unneeded
 * files of an earlier attempt are removed.
 */
export async function writeFiles(
  store: FileStore,
  rows: RowsDraft,
  parts: FileKeyParts,
  fileBytesMax: number | null,
  whileCurrent: WhileCurrent,
): Promise<WrittenRun> {
  const draft = draftOf(rows, parts)
  const keyOf: KeyOf = (part) => fileKey(parts, part)
  const whole = await store.stageWhole(keyOf, fileBytesMax === null ? null : 0, draft)
  const [content, settled] = await Promise.all([draft.settled, rows.settled])
  if (!whole || !content || !settled) return { files: [], manifest: null }
  assertComplete([whole], settled.count)
  const files = fileBytesMax === null ? [whole] : await splitFile(store, whole, content, keyOf, fileBytesMax)
  assertComplete(files, settled.count)
  await store.send?.(files)
  const written: WrittenRun = { files: [], manifest: null }
  await whileCurrent(async (signal) => {
    const listed = fileBytesMax === null ? [] : await listedFiles(store, manifestKey(parts), keyOf)
    for (const file of files) {
      signal.throwIfAborted()
      const { key, bytes } = file
      written.files.push({ key, bytes, checksum: await store.publish(file) })
    }
    if (fileBytesMax === null) return
    signal.throwIfAborted()
    const keys = files.map(({ key }) => key)
    const needed = new Set(keys)
    await store.remove(listed.filter((key) => !needed.has(key)))
    written.manifest = await writeManifest(store, manifestKey(parts), keys)
  })
  return written
}

/** Compares the rows in the files with those that were sent, where the engine has not compared the bytes. */
function assertComplete(files: readonly StagedFile[], sent: number): void {
  const found = files.reduce((sum, { rows }) => sum + (rows ?? NaN), 0)
  if (Number.isNaN(found) || found === sent) return
  const [first] = files
  const name = files.length === 1 ? `The file ${first?.key ?? ''} has` : `The ${files.length} files have`
  throw new ExportError(
    `${name} ${found.toLocaleString('en')} of the ${sent.toLocaleString('en')} rows that were written: check the disk, and that no other program changes files there.`,
    false,
  )
}

/** Writes the manifest and reads it back. */
async function writeManifest(store: FileStore, key: string, files: readonly string[]) {
  const text = JSON.stringify({ files })
  const checksum = await store.writeText(key, text)
  const found = await store.readText(key)
  if (found === text) return { key, bytes: Buffer.byteLength(text), checksum }
  throw new ExportError(
    `The store kept ${Buffer.byteLength(found ?? '').toLocaleString('en')} of the ${Buffer.byteLength(text).toLocaleString('en')} bytes of the manifest ${key}, or changed them: check the store.`,
    false,
  )
}

function draftOf({ guess, settled }: RowsDraft, { format, compression }: FileKeyParts): Draft {
  const ahead = fileContent(guess, format, compression)
  const contentOf = (rows: RunRows) => (rows === guess ? ahead : fileContent(rows, format, compression))
  const content = settled.then((final) => final && contentOf(final.rows))
  content.catch(() => undefined)
  return { guess: ahead, settled: content }
}

async function splitFile(
  store: FileStore,
  whole: StagedFile,
  content: FileContent,
  keyOf: KeyOf,
  fileBytesMax: number,
): Promise<StagedFile[]> {
  let files = [whole]
  let count = 1
  for (let split = 0; split < splitsMax; split += 1) {
    const largest = Math.max(...files.map(({ bytes }) => bytes))
    if (largest <= fileBytesMax) break
    count = Math.max(count + 1, Math.ceil(((count * largest) / fileBytesMax) * sizeMargin))
    files = []
    for (let first = 0; first < count; first += partsAtOnceMax) {
      const end = Math.min(count, first + partsAtOnceMax)
      files.push(...(await store.stageParts(keyOf, { first, end, count }, content)))
    }
  }
  return files
}

const Manifest = z.object({ files: z.array(z.string()) })

/** Returns the files listed in an earlier attempt's manifest, ignoring names that are not parts of this run. */
async function listedFiles(store: FileStore, key: string, keyOf: KeyOf): Promise<string[]> {
  const text = await store.readText(key)
  const manifest = Manifest.safeParse(text === null ? null : parseJson(text))
  if (!manifest.success) return []
  const placeholder = keyOf(partPlaceholder)
  const at = placeholder.lastIndexOf(partPlaceholder)
  const [head, tail] = [placeholder.slice(0, at), placeholder.slice(at + partPlaceholder.length)]
  return manifest.data.files
    .map(plainPath)
    .filter(
      (file) =>
        file.startsWith(head) &&
        file.endsWith(tail) &&
        /^\d+$/.test(file.slice(head.length, file.length - tail.length)),
    )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
