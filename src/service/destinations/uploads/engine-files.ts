import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { flush, ignoreMissing } from '../../engines/durable.ts'
import type { QuerySettings, Row } from '../../engines/clickhouse/clickhouse.ts'
import { ExportError } from '../../problems/export-error.ts'
import { fileChecksum, flushGrowing, growingFileChecksum } from '../checksum.ts'
import { splitSettings, writeStatement, type FileContent, type Parts } from '../file-content.ts'
import { partPlaceholder } from '../file-key.ts'
import type { CountStatement, FileStore, RunStatement, StagedFile } from '../file-store.ts'

/** Complete files in a local folder, under names of one attempt. */
export type LocalFiles = Pick<FileStore, 'stageWhole' | 'stageParts'> & {
  /** Returns a path in the folder that `close` removes. */
  temporaryName(name: string): string
  close(): Promise<void>
}

/**
 * Opens files that the embedded engine writes into a folder; each grows under a name of this attempt. `count` reads a file
 * back, since the engine does not report the bytes it wrote.
 * @param flushes whether a file must outlast a power failure
 */
export async function openEngineFiles(
  folder: string,
  runId: string,
  run: RunStatement,
  count: CountStatement,
  flushes = true,
): Promise<LocalFiles> {
  const { temporaryName, close } = await openNames(folder, runId)
  const write = (place: string, content: FileContent, parts: Parts | null = null) =>
    run(...statementOf(place, content, parts))
  return {
    temporaryName,
    close,
    async stageWhole(keyOf, part, { guess, settled }) {
      const key = keyOf(part)
      const whole = temporaryName('whole')
      let written = await writeHashing(whole, flushes, () => write(whole, guess))
      const content = await settled
      if (content === null) return null
      if (content !== guess) {
        // Otherwise the old content could be hashed before it is replaced.
        await rm(whole, { force: true })
        written = await writeHashing(whole, flushes, () => write(whole, content))
      }
      return await staged(count, { key, temporary: whole, content, ...written }, flushes)
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
            await staged(count, { key, temporary, content, checksum: fileChecksum(temporary) }, flushes),
          )
        }
      return files
    },
  }
}

/** Removes what earlier attempts of a run have left in a folder, and returns names for this one. */
export async function openNames(folder: string, runId: string) {
  // Each attempt uses its own names: an earlier attempt may still be stopping and removes its files when it has.
  const own = `${runId}.${randomUUID()}`
  await removeFiles(folder, (name) => name.startsWith(`${runId}.`))
  return {
    temporaryName: (name: string) => join(folder, `${own}-${name}`),
    close: () => removeFiles(folder, (name) => name.startsWith(own)),
  }
}

/** Returns the statement with which the engine writes content, or parts of it, to a place. */
function statementOf(place: string, content: FileContent, parts: Parts | null): Parameters<RunStatement> {
  const file = 'file({place: String}, {format: String}, {structure: String}, {compression: String})'
  const params = { ...content.params, ...formOf(content), place }
  const settings = parts ? splitSettings(content, parts) : content.settings
  return [writeStatement(file, content, parts), { params, settings }]
}

type WrittenFile = { key: string; temporary: string; content: FileContent; checksum: Promise<string> }

/** Flushes a complete file if required, and returns its size, rows and checksum, which are all found at the same time. */
async function staged(
  count: CountStatement,
  { key, temporary, content, checksum }: WrittenFile,
  flushes: boolean,
) {
  const counting = count(
    'file({place: String}, {format: String}, {structure: String}, {compression: String})',
    { params: { ...formOf(content), place: temporary }, settings: countSettings },
  ).catch((cause: unknown) => {
    const problem = `The file ${key} cannot be read back after it was written: check the disk.`
    throw new ExportError(problem, false, { cause })
  })
  const [rows, sum] = await Promise.all([counting, checksum, flushes ? flush(temporary) : null])
  return { key, temporary, rows, checksum: sum, bytes: (await stat(temporary)).size }
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

/** Removes files of a folder, if the folder exists. */
export async function removeFiles(folder: string, isStale: (name: string) => boolean): Promise<void> {
  const names = ((await readdir(folder).catch(ignoreMissing)) ?? []).filter(isStale)
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })))
}

/** Writes a file, and meanwhile flushes and hashes it. Returns before the rest is hashed: `checksum` resolves to its SHA-256. */
async function writeHashing(
  place: string,
  flushes: boolean,
  write: () => Promise<void>,
): Promise<{ checksum: Promise<string> }> {
  const written = new AbortController()
  const { signal } = written
  const flushing = flushes ? flushGrowing(place, signal) : null
  const checksum = Promise.all([growingFileChecksum(place, signal), flushing]).then(([sum]) => sum)
  // The system reports a disk error only once, perhaps here; still wait for the write before rethrowing it.
  checksum.catch(() => undefined)
  try {
    await write()
  } finally {
    written.abort()
  }
  return { checksum }
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoreMissing)) !== undefined
}
