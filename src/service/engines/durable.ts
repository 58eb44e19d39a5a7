import { open } from 'node:fs/promises'

/** Calls fsync on a file or a folder; a rename is durable only after its folder is flushed. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}

/** Creates a file that only its owner can read; resolves after fsync. @throws EEXIST when the file exists. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** For `catch`: a missing file yields undefined; another error is thrown again. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
