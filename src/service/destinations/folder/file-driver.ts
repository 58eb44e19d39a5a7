import { randomUUID } from 'node:crypto'
import { link, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileConfig } from '../../../contract/destinations/file.ts'
import { partialFolder } from '../../../contract/destinations/object-path.ts'
import { ignoreMissing } from '../../engines/durable.ts'
import { ExportError } from '../../problems/export-error.ts'
import { fileChecksum, fileCrc32 } from '../checksum.ts'
import { layoutOf, type DestinationDriver, type Io } from '../destination-driver.ts'
import { lasting } from '../explain-error.ts'
import type { ObjectReader } from '../file-store.ts'
import { noFolder, openFolder } from './write-folder.ts'

export const fileDriver: DestinationDriver = {
  storeKey: () => 'File',
  open(given) {
    const config = FileConfig.parse(given)
    return {
      holds: 'files',
      ...layoutOf(config),
      prefix: config.path,
      url: () => null,
      explained: { rules, secrets: [] },
      steps: () => ({}),
      openStore: ({ exportsFolder: root }, { id, project_id: projectId }, { run, count }) =>
        openFolder({ root, projectId }, id, run, count),
      isRefusal: () => false,
      openReader: readFolder,
    }
  },
}

/** Opens a reader of the files in a project's folder. */
async function readFolder({ exportsFolder }: Io, projectId: number): Promise<ObjectReader> {
  if (exportsFolder === null) throw new ExportError(noFolder, true)
  const placeOf = (key: string) => join(exportsFolder, String(projectId), key)
  return {
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
      const at = { arguments: '{place: String}', params: { place }, settings: {} }
      return await read({ tableFunction: 'file', ...at }).finally(() => rm(place))
    },
    close() {},
  }
}

const rules = [
  lasting(
    /EACCES|EPERM|EROFS|Permission denied|Read-only file system/i,
    'The service is not allowed to write there: give its user write access to the exports folder.',
  ),
  lasting(
    /ENOTDIR|EISDIR|EEXIST|ELOOP|ENAMETOOLONG|File exists|Not a directory|Is a directory/i,
    "No file can be created at the destination's path: a file is where a folder should be, or the name is too long. Change the path.",
  ),
]
