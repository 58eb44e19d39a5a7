import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { dirname, join } from 'node:path'
import { fileKeyProblem } from '../../../contract/destinations/file.ts'
import { partialFolder, plainPath } from '../../../contract/destinations/object-path.ts'
import { flush, ignoreMissing } from '../../engines/durable.ts'
import type { QuerySettings, Row } from '../../engines/clickhouse/clickhouse.ts'
import { fileChecksum, growingFileChecksum, textChecksum } from '../checksum.ts'
import { ExportError } from '../../problems/export-error.ts'
import { splitSettings, writeStatement, type FileContent, type Parts } from '../file-content.ts'
import type { CountStatement, FileStore, RunStatement, StagedFile } from '../file-store.ts'
import { partPlaceholder } from '../file-key.ts'

export const noFolder = 'The File destination needs the embedded engines: choose another destination.'

/**
 * Opens a store that writes in a project's folder below `root`, the exports folder. A file grows under a temporary name of
 * this run and is renamed when it is complete and durable. `count` reads the file back, since the engine does not report the
 * bytes it wrote.
 * @throws ExportError without an exports folder (`root` is null), and for a key that leaves the folder, or whose path
 * contains a file or a symbolic link.
 */
export async function openFolder(
  { root, projectId }: { root: string | null; projectId: number },
  runId: string,
  run: RunStatement,
  count: CountStatement,
): Promise<FileStore> {
  if (root === null) throw new ExportError(noFolder, true)
  // On the same disk as the files' final place, so that a rename publishes a file atomically.
  const partial = join(root, partialFolder)
  await mkdir(partial, { recursive: true, mode: 0o700 })
  // Each attempt uses its own names: an earlier attempt may still be stopping and removes its files when it has.
  const own = `${runId}.${randomUUID()}`
  const temporaryName = (part: number | string) => join(partial, `${own}-${part}`)
  const placeOf = (key: string) => finalPlace({ root, projectId }, key)
  await removePartial(partial, (name) => name.startsWith(`${runId}.`))

  const write = (place: string, content: FileContent, parts: Parts | null = null) =>
    run(...statementOf(place, content, parts))

  return {
    async stageWhole(keyOf, part, { guess, settled }) {
      const key = keyOf(part)
      await placeOf(key)
      const whole = temporaryName('whole')
      let checksum = await writeHashing(whole, () => write(whole, guess))
      const content = await settled
      if (content === null) return null
      if (content !== guess) {
        // Otherwise the old content could be hashed before it is replaced.
        await rm(whole, { force: true })
        checksum = await writeHashing(whole, () => write(whole, content))
      }
      return await staged(count, { key, temporary: whole, content, checksum })
    },
    async stageParts(keyOf, parts, content) {
      // An earlier split into fewer parts used the same numbers.
      const temporaryPart = (part: number | string) => temporaryName(`${parts.count}-${part}`)
      await write(temporaryPart(partPlaceholder), content, parts)
      const files: StagedFile[] = []
      for (let part = parts.first; part < parts.end; part += 1)
        if (await exists(temporaryPart(part))) {
          const [key, temporary] = [keyOf(part), temporaryPart(part)]
          files.push(
            await staged(count, { key, temporary, content, checksum: await fileChecksum(temporary) }),
          )
        }
      return files
    },
    async publish({ key, temporary, checksum }) {
      await putInPlace(temporary, await placeOf(key))
      return checksum ?? (await fileChecksum(await placeOf(key)))
    },
    async writeStream(key, content, signal) {
      const place = await placeOf(key)
      const temporary = temporaryName('stream')
      await pipeline(content, createWriteStream(temporary, { mode: 0o600 }), { signal })
      await flush(temporary)
      const [checksum, { size: bytes }] = await Promise.all([fileChecksum(temporary), stat(temporary)])
      await putInPlace(temporary, place)
      return { key, bytes, checksum }
    },
    async readText(key) {
      const place = await placeOf(key)
      return (await exists(place)) ? await readFile(place, 'utf8') : null
    },
    async writeText(key, text) {
      const place = await placeOf(key)
      await writeFile(temporaryName('text'), text, { mode: 0o600 })
      await flush(temporaryName('text'))
      await putInPlace(temporaryName('text'), place)
      return textChecksum(text)
    },
    async remove(keys) {
      for (const key of keys) await rm(await placeOf(key), { force: true })
    },
    async close() {
      await removePartial(partial, (name) => name.startsWith(own))
      return []
    },
  }
}

/** Returns the statement with which the engine writes content, or parts of it, to a place. */
function statementOf(place: string, content: FileContent, parts: Parts | null): Parameters<RunStatement> {
  const file = 'file({place: String}, {format: String}, {structure: String}, {compression: String})'
  const params = { ...content.params, ...formOf(content), place }
  const settings = parts ? splitSettings(content, parts) : content.settings
  return [writeStatement(file, content, parts), { params, settings }]
}

type WrittenFile = { key: string; temporary: string; content: FileContent; checksum: string }

/** Flushes a complete file, and returns its size, rows and checksum. */
async function staged(count: CountStatement, { key, temporary, content, checksum }: WrittenFile) {
  const flushing = flush(temporary)
  flushing.catch(() => undefined)
  const rows = await count(
    'file({place: String}, {format: String}, {structure: String}, {compression: String})',
    { params: { ...formOf(content), place: temporary }, settings: countSettings },
  ).catch((cause: unknown) => {
    const problem = `The file ${key} cannot be read back after it was written: check the disk.`
    throw new ExportError(problem, false, { cause })
  })
  await flushing
  return { key, temporary, rows, checksum, bytes: (await stat(temporary)).size }
}

/** Reads with one thread and little memory; a cached count would not notice that a file has changed. */
const countSettings: QuerySettings = {
  max_threads: 1,
  input_format_parallel_parsing: 0,
  use_cache_for_count_from_files: 0,
  max_memory_usage: 400_000_000,
}

function formOf({ format, structure, compression }: FileContent): Row {
  return { format, structure, compression }
}

/** Removes the unfinished files of an earlier process; call this while no run is writing. */
export async function removePartialFiles(folder: string): Promise<void> {
  await removePartial(join(folder, partialFolder), () => true)
}

async function removePartial(partial: string, isStale: (name: string) => boolean): Promise<void> {
  if (!(await exists(partial))) return
  const names = (await readdir(partial)).filter(isStale)
  await Promise.all(names.map((name) => rm(join(partial, name), { force: true })))
}

/** Returns the path of a key and creates its folders. Messages show places as below the project's folder, like the export's path. */
async function finalPlace({ root, projectId }: { root: string; projectId: number }, key: string) {
  const names = plainPath(key).split('/')
  const problem = fileKeyProblem(key)
  if (problem !== null) {
    const wrong = names.includes('..') ? 'is not below the exports folder' : `is not valid (${problem})`
    throw new ExportError(`The path "${key}" ${wrong}: change the destination's path.`, true)
  }
  const shownAt = (depth: number) => names.slice(0, depth).join('/')
  const base = join(root, String(projectId))
  await makeFolder(base, String(projectId))
  for (const depth of names.keys())
    if (depth > 0) await makeFolder(join(base, shownAt(depth)), shownAt(depth))
  const place = join(base, ...names)
  const existing = await lstat(place).catch(ignoreMissing)
  if (existing && !existing.isFile())
    throw new ExportError(
      `The file ${key} cannot be created: a folder or link with this name exists. Rename that one, or change the destination's path.`,
      true,
    )
  return place
}

async function makeFolder(path: string, shown: string): Promise<void> {
  await mkdir(path, { mode: 0o755 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const existing = await lstat(path)
  if (existing.isSymbolicLink())
    throw new ExportError(
      `${shown} is a symbolic link, which an export does not follow: replace it with a folder, or change the destination's path.`,
      true,
    )
  if (!existing.isDirectory())
    throw new ExportError(
      `${shown} is a file, so no folder of that name can be created: change the destination's path, or remove that file.`,
      true,
    )
}

/** Writes a file, and meanwhile flushes and hashes it; returns its SHA-256. */
async function writeHashing(place: string, write: () => Promise<void>): Promise<string> {
  const written = new AbortController()
  const checksum = growingFileChecksum(place, written.signal)
  // The system reports a disk error only once, perhaps here; still wait for the write before rethrowing it.
  checksum.catch(() => undefined)
  try {
    await write()
  } finally {
    written.abort()
  }
  return await checksum
}

/** Moves a file that has been flushed to its final place. */
async function putInPlace(temporary: string, place: string): Promise<void> {
  await rename(temporary, place)
  await flush(dirname(place))
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoreMissing)) !== undefined
}
