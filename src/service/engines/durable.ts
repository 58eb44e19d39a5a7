import { open } from 'node:fs/promises'

/** Puts a file on the disk, or the names in a folder: a rename is durable only when its folder is. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}

/** Writes a new file that this account alone can read; resolves when it is on the disk. @throws EEXIST when it is there. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}
