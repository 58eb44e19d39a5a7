import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { flush, ignoreMissing, writeDurably } from '../durable.ts'
import type { Objects } from './objects.ts'

/** Opens a folder that stores each object as a file; names of unfinished files start with a dot and are never listed. */
export async function openObjectsFolder(folder: string): Promise<Objects> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const pathOf = (key: string) => join(folder, key)
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const parent = dirname(path)
      await mkdir(parent, { recursive: true, mode: 0o700 })
      const temporary = join(parent, `.${randomBytes(9).toString('hex')}`)
      await writeDurably(temporary, bytes)
      await rename(temporary, path)
      await flush(parent)
    },
    async get(key) {
      return (await readFile(pathOf(key)).catch(ignoreMissing)) ?? null
    },
    async delete(key) {
      await rm(pathOf(key), { force: true })
    },
    async list(prefix) {
      const start = dirname(`${prefix}x`)
      const entries = await readdir(join(folder, start), { recursive: true, withFileTypes: true }).catch(
        ignoreMissing,
      )
      return (entries ?? [])
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .filter((key) => key.startsWith(prefix))
        .sort()
    },
    async ping() {
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    },
  }
}
