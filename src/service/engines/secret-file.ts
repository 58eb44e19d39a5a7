import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'

/** Replaces a file by one that the owner alone can read, durably and at once: a reader sees the old text or the new one. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}

/** The random secret (256 bits in hex) kept in a file that the owner alone can read; made when there is none. */
export async function readOrCreateSecret(path: string): Promise<string> {
  const known = await readFile(path, 'utf8').catch(nullWhenMissing)
  if (known) return known
  const secret = randomBytes(32).toString('hex')
  await writePrivateFile(path, secret)
  return secret
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
