import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { ignoreMissing } from '../../engines/durable.ts'
import { ExportError } from '../../problems/export-error.ts'

/** Bytes of the disk that files on their way to a destination leave free. */
const reservedBytes = 256 * 1024 ** 2
/** Age (ms) at which a file belongs to no process any more. */
const staleMs = 86_400_000

type UploadConfig = Pick<Config, 'dataDirectory'>

/** Returns the folder for files that are complete before they are sent, which only the service's user can read. @throws ExportError */
export async function uploadFolder({ dataDirectory }: UploadConfig): Promise<string> {
  const folder = join(dataDirectory, 'uploads')
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    const problem = `The service cannot write to its data directory ${dataDirectory} (SPOOL_DATA_DIR), where files are kept until they are sent: give its user write access.`
    throw new ExportError(problem, false, { cause })
  })
  return folder
}

/** @throws ExportError if a file of this size does not fit on the disk of the folder. */
export async function assertSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes + reservedBytes) return
  const needed = bytes > 0 ? `a file of ${megabytes(bytes)}` : 'a file'
  throw new ExportError(
    `The disk of the service's data directory has only ${megabytes(free)} free, and ${needed} has to be kept there for a while: free some space.`,
    false,
  )
}

/** Returns a size in whole megabytes, as text. */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en')} MB`
}

/** Removes the files of earlier processes; with the external engines, whose other processes may use the folder, only old ones. */
export async function removeUploads(config: UploadConfig, isOnlyProcess: boolean): Promise<void> {
  const folder = join(config.dataDirectory, 'uploads')
  const names = (await readdir(folder).catch(ignoreMissing)) ?? []
  for (const name of names) {
    const path = join(folder, name)
    const found = isOnlyProcess ? null : await stat(path).catch(ignoreMissing)
    if (found === null || (found && Date.now() - found.mtimeMs > staleMs)) await rm(path, { force: true })
  }
}
