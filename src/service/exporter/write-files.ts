import { z } from 'zod'
import { fileContent, partsAtOnceMax, type FileContent } from './file-content.ts'
import type { Draft, FileStore, KeyOf, WrittenFile } from './file-store.ts'
import { manifestKey, fileKey, partPlaceholder, type FileKeyParts } from './file-key.ts'
import type { RunRows } from './run-rows.ts'

/** Rows to write ahead, and the final rows, or null if there are none; see `Draft`. */
export type RowsDraft = { guess: RunRows; settled: Promise<RunRows | null> }

/** Safety factor below the size limit: rows, and so parts, differ in size. */
const sizeMargin = 1.15
/** Limits the splits, since the part of a row larger than the limit never becomes small enough. */
const splitsMax = 6

/**
 * Writes the rows as one file or, with a size limit (bytes), as numbered files and a manifest, which is written last. If
 * a file is still too large, all rows are split again into more files. Unneeded files of an earlier attempt are removed.
 */
export async function writeFiles(
  store: FileStore,
  rows: RowsDraft,
  parts: FileKeyParts,
  fileBytesMax: number | null,
): Promise<WrittenFile[]> {
  const draft = draftOf(rows, parts)
  const keyOf: KeyOf = (part) => fileKey(parts, part)
  if (fileBytesMax === null) {
    const file = await store.writeWhole(keyOf, null, draft)
    return file ? [file] : []
  }
  const listed = await listedFiles(store, manifestKey(parts), keyOf)
  const whole = await store.writeWhole(keyOf, 0, draft)
  const content = await draft.settled
  if (!whole || !content) return []
  const { files, written } = await splitFile(store, whole, content, keyOf, fileBytesMax)
  const keys = files.map(({ key }) => key)
  const needed = new Set(keys)
  await store.remove([...new Set([...listed, ...written])].filter((key) => !needed.has(key)))
  await store.writeText(manifestKey(parts), JSON.stringify({ files: keys }))
  return files
}

function draftOf({ guess, settled }: RowsDraft, { format, compression }: FileKeyParts): Draft {
  const ahead = fileContent(guess, format, compression)
  const contentOf = (rows: RunRows) => (rows === guess ? ahead : fileContent(rows, format, compression))
  const content = settled.then((rows) => rows && contentOf(rows))
  content.catch(() => undefined)
  return { guess: ahead, settled: content }
}

async function splitFile(
  store: FileStore,
  whole: WrittenFile,
  content: FileContent,
  keyOf: KeyOf,
  fileBytesMax: number,
): Promise<{ files: WrittenFile[]; written: string[] }> {
  let files = [whole]
  const written: string[] = []
  let count = 1
  for (let split = 0; split < splitsMax; split += 1) {
    const largest = Math.max(...files.map(({ bytes }) => bytes))
    if (largest <= fileBytesMax) break
    count = Math.max(count + 1, Math.ceil(((count * largest) / fileBytesMax) * sizeMargin))
    files = []
    for (let first = 0; first < count; first += partsAtOnceMax) {
      const end = Math.min(count, first + partsAtOnceMax)
      files.push(...(await store.writeParts(keyOf, { first, end, count }, content)))
    }
    written.push(...files.map(({ key }) => key))
  }
  return { files, written: [whole.key, ...written] }
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
  return manifest.data.files.filter(
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
