import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { writeDurably } from './durable.ts'

/** Replaces a file by one that the owner alone can read, durably and at once: a reader sees the old text or the new one. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await rename(await writeBeside(path, text), path)
}

/** The random secret (256 bits in hex) kept in a file that the owner alone can read; the first to ask makes it. */
export async function readOrCreateSecret(path: string): Promise<string> {
  const known = await readFile(path, 'utf8').catch(nullWhenMissing)
  if (known !== null) return known
  const made = await writeBeside(path, randomBytes(32).toString('hex'))
  await link(made, path).catch(ignoreExisting)
  await rm(made)
  return await readFile(path, 'utf8')
}

async function writeBeside(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  await writeDurably(temporary, text)
  return temporary
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
