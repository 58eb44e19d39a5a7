import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { ignoreMissing, writeDurably } from './durable.ts'

/** Writes a file that only its owner can read, durably and atomically: readers see either the old text or the new. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await rename(await writeBeside(path, text), path)
}

/** Returns the random secret (256 bits, hex) in a file that only its owner can read; creates the file on first use. */
export async function readOrCreateSecret(path: string): Promise<string> {
  const known = await readFile(path, 'utf8').catch(ignoreMissing)
  if (known !== undefined) return known
  const temporary = await writeBeside(path, randomBytes(32).toString('hex'))
  await link(temporary, path).catch(ignoreExisting)
  await rm(temporary)
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
