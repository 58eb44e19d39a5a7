import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { DataDirectory } from './data-directory.ts'
import { openObjectsFolder } from './objects-folder.ts'

/**
 * Named bytes. A key is a relative path of parts separated by `/`, each of letters, digits and `. _ - = +`,
 * beginning with no dot; any other key is an error.
 */
export type Objects = {
  /** Replaces the object; resolves when it is durable. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Null when there is no such object. */
  get(key: string): Promise<Buffer | null>
  /** Does nothing when there is no such object. */
  delete(key: string): Promise<void>
  /** The keys that begin with this text, sorted. */
  list(prefix: string): Promise<string[]>
}

/**
 * Opens the store at SPOOL_OBJECTS_URL, else the folder `objects` in the data directory.
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
