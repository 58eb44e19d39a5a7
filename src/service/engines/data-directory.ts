import { mkdir } from 'node:fs/promises'

export type DataDirectory = { path: string; release(): Promise<void> }

export async function openDataDirectory(path: string): Promise<DataDirectory> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  return { path, async release() {} }
}
