import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { DataDirectory } from '../data-directory.ts'
import { EngineDown } from '../../problems/down-engine.ts'
import { openObjectsFolder } from './objects-folder.ts'
import type { Objects } from './objects.ts'

/**
 * Opens the bucket at SPOOL_OBJECTS_URL, or else the folder `objects` in the data directory.
 * @throws StartupError when the bucket cannot be used.
 */
export async function openObjects(config: Config, dataDirectory: DataDirectory | null): Promise<Objects> {
  if (config.objectsUrl) {
    const { openObjectsBucket } = await import('./objects-bucket.ts')
    return checked(await openObjectsBucket(config.objectsUrl))
  }
  if (!dataDirectory) throw new Error('objects need a data directory or SPOOL_OBJECTS_URL')
  return checked(await openObjectsFolder(join(dataDirectory.path, 'objects')))
}

/** Rejects impossible keys, and reports every failure of the storage as EngineDown. */
function checked(objects: Objects): Objects {
  const reported = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw new EngineDown('The object storage', error)
    })
  const at = async <T>(key: string, work: () => Promise<T>) => {
    assertObjectKey(key)
    return await reported(work())
  }
  return {
    put: (key, bytes) => at(key, () => objects.put(key, bytes)),
    get: (key) => at(key, () => objects.get(key)),
    delete: (key) => at(key, () => objects.delete(key)),
    // A key can start with this text.
    list: (prefix) => at(`${prefix}x`, () => objects.list(prefix)),
    ping: () => reported(objects.ping()),
  }
}

/** Throws unless every part of the key is a plain file name, so that no key can leave its folder or prefix. */
function assertObjectKey(key: string): void {
  const isPlain = key.length <= 1000 && key.split('/').every((part) => /^[\w=+-][\w.=+-]{0,199}$/.test(part))
  if (!isPlain) throw new Error(`"${key}" cannot be the key of an object`)
}
