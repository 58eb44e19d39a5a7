import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { flush } from '../engines/durable.ts'
import { ExportError } from './export-error.ts'
import { splitSettings, writeStatement, type FileContent, type Parts } from './file-content.ts'
import type { FileStore, RunStatement, WrittenFile } from './file-store.ts'
import { partPlaceholder } from './file-key.ts'

/** Folder of unfinished files, on the same disk as their final place, so that a rename publishes a file atomically. */
const partialFolder = '.partial'
/** Time (ms) between two flushes of a growing file. */
const flushIntervalMs = 100

/**
 * Opens a store that writes below the exports folder. A file grows under a temporary name of this run and is renamed
 * when it is complete and durable.
 * @throws ExportError for a key that leaves the folder, or whose path contains a file or a symbolic link.
 */
export async function openFolder(folder: string, runId: string, run: RunStatement): Promise<FileStore> {
  const partial = join(folder, partialFolder)
  await mkdir(partial, { recursive: true, mode: 0o700 })
  // Each attempt uses its own names: an earlier attempt may still be stopping and removes its files when it has.
  const own = `${runId}.${randomUUID()}`
  const temporary = (part: number | string) => join(partial, `${own}-${part}`)
  await removePartial(partial, (name) => name.startsWith(`${runId}.`))

  const statement = (place: string, content: FileContent, parts: Parts | null) =>
    run(
      writeStatement(
        'file({place: String}, {format: String}, {structure: String}, {compression: String})',
        content,
        parts,
      ),
      {
        params: {
          ...content.params,
          place,
          format: content.format,
          structure: content.structure,
          compression: content.compression,
        },
        settings: parts ? splitSettings(content, parts) : content.settings,
      },
    )

  return {
    async writeWhole(keyOf, part, { guess, settled }) {
      const key = keyOf(part)
      const place = await finalPlace(folder, key)
      const whole = temporary('whole')
      await writeFlushing(whole, () => statement(whole, guess, null))
      const content = await settled
      if (content === null) return null
      if (content !== guess) await writeFlushing(whole, () => statement(whole, content, null))
      return { key, bytes: await putInPlace(whole, place) }
    },
    async writeParts(keyOf, parts, content) {
      await statement(temporary(partPlaceholder), content, parts)
      const files: WrittenFile[] = []
      for (let part = parts.first; part < parts.end; part += 1) {
        const key = keyOf(part)
        const place = await finalPlace(folder, key)
        if (await exists(temporary(part)))
          files.push({ key, bytes: await putInPlace(temporary(part), place) })
      }
      return files
    },
    async readText(key) {
      const place = await finalPlace(folder, key)
      return (await exists(place)) ? await readFile(place, 'utf8') : null
    },
    async writeText(key, text) {
      const place = await finalPlace(folder, key)
      const file = await open(temporary('text'), 'w', 0o600)
      await file.writeFile(text).finally(() => file.close())
      await putInPlace(temporary('text'), place)
    },
    async remove(keys) {
      for (const key of keys) await rm(await finalPlace(folder, key), { force: true })
    },
    close: () => removePartial(partial, (name) => name.startsWith(own)),
  }
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

/** Returns the path of a key and creates its folders. */
async function finalPlace(folder: string, key: string): Promise<string> {
  const names = key.split('/').filter((name) => name !== '')
  const isPlain = names.every(
    (name) => name !== '.' && name !== '..' && !/[\0\\]/.test(name) && Buffer.byteLength(name) < 256,
  )
  if (!isPlain || names.length === 0 || names[0] === partialFolder)
    throw new ExportError(
      `The path "${key}" is not below the exports folder: change the destination's path.`,
      true,
    )
  let path = folder
  for (const name of names.slice(0, -1)) {
    path = join(path, name)
    await makeFolder(path, path.slice(folder.length + sep.length))
  }
  const place = join(path, names.at(-1) ?? '')
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

/** Flushes a file to disk while it grows, so that the final flush is short. */
async function writeFlushing(place: string, write: () => Promise<void>): Promise<void> {
  const written = new AbortController()
  const flushing = flushUntil(written.signal, place)
  // The system reports a disk error only once, perhaps here; still wait for the write before rethrowing it.
  flushing.catch(() => undefined)
  await write().finally(() => written.abort())
  await flushing
}

async function flushUntil(signal: AbortSignal, place: string): Promise<void> {
  for (;;) {
    await setTimeout(flushIntervalMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    await flush(place).catch(ignoreMissing)
  }
}

/** Flushes the file, then moves it to its final place; returns its size in bytes. */
async function putInPlace(temporary: string, place: string): Promise<number> {
  await flush(temporary)
  const { size } = await stat(temporary)
  await rename(temporary, place)
  await flush(dirname(place))
  return size
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoreMissing)) !== undefined
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
