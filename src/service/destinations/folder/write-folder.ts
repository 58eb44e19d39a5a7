import { createWriteStream } from 'node:fs'
import { lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { dirname, join } from 'node:path'
import { fileKeyProblem } from '../../../contract/destinations/file.ts'
import { partialFolder, plainPath } from '../../../contract/destinations/object-path.ts'
import { flush, ignoreMissing } from '../../engines/durable.ts'
import { fileChecksum, textChecksum } from '../checksum.ts'
import { ExportError } from '../../problems/export-error.ts'
import type { CountStatement, FileStore, RunStatement } from '../file-store.ts'
import { exists, openEngineFiles, removeFiles } from '../uploads/engine-files.ts'

export const noFolder = 'The File destination needs the embedded engines: choose another destination.'

/**
 * Opens a store that writes in a project's folder below `root`, the exports folder. A file grows under a temporary name of
 * this run and is renamed when it is complete and durable.
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
  const files = await openEngineFiles(partial, runId, run, count)
  const placeOf = (key: string) => finalPlace({ root, projectId }, key)

  return {
    async stageWhole(keyOf, part, draft) {
      await placeOf(keyOf(part))
      return await files.stageWhole(keyOf, part, draft)
    },
    stageParts: files.stageParts,
    async publish({ key, temporary, checksum }) {
      await putInPlace(temporary, await placeOf(key))
      return checksum ?? (await fileChecksum(await placeOf(key)))
    },
    async writeStream(key, content, signal) {
      const place = await placeOf(key)
      const temporary = files.temporaryName('stream')
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
      const temporary = files.temporaryName('text')
      await writeFile(temporary, text, { mode: 0o600 })
      await flush(temporary)
      await putInPlace(temporary, place)
      return textChecksum(text)
    },
    async remove(keys) {
      for (const key of keys) await rm(await placeOf(key), { force: true })
    },
    async close() {
      await files.close()
      return []
    },
  }
}

/** Removes the unfinished files of an earlier process; call this while no run is writing. */
export async function removePartialFiles(folder: string): Promise<void> {
  await removeFiles(join(folder, partialFolder), () => true)
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

/** Moves a file that has been flushed to its final place. */
async function putInPlace(temporary: string, place: string): Promise<void> {
  await rename(temporary, place)
  await flush(dirname(place))
}
