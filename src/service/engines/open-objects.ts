import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { DataDirectory } from './data-directory.ts'
import { openObjectsFolder } from './objects-folder.ts'
import type { Objects } from './objects.ts'

/**
 * Opens the bucket at SPOOL_OBJECTS_URL, or else the folder `objects` in the data directory.
 * @throws StartupError when the bucket cannot be used.
 */
export async function openObjects(config: Config, dataDirectory: DataDirectory | null): Promise<Objects> {
  if (config.objectsUrl) {
    const { openObjectsBucket } = await import('./objects-bucket.ts')
    return await openObjectsBucket(config.objectsUrl)
  }
  if (!dataDirectory) throw new Error('objects need a data directory or SPOOL_OBJECTS_URL')
  return await openObjectsFolder(join(dataDirectory.path, 'objects'))
}
