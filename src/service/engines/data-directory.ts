import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing } from './durable.ts'
import { processStart } from './postgres/process-identity.ts'
import { StartupError, startupErrorFrom } from '../startup-error.ts'

export type DataDirectory = {
  /** Absolute path without symbolic links. */
  path: string
  /** Releases the lock, so that another process can open the directory. */
  release(): Promise<void>
}

/**
 * Creates the folder of the embedded engines if necessary, readable by its owner only, and locks it for this process
 * unless it is `shared`.
 * @throws StartupError when the folder is not writable or another process has locked it.
 */
export async function openDataDirectory(path: string, { shared = false } = {}): Promise<DataDirectory> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (shared) return { path: await realpath(path), release: async () => undefined }
    const lock = await acquireLock(path)
    return { path: await realpath(path), release: () => writeFile(lock, '') }
  } catch (cause) {
    throw startupErrorFrom(cause, `The data directory ${path} (SPOOL_DATA_DIR) cannot be written`)
  }
}

/**
 * Acquires the lock: the file `lock.<n>` with the highest n, owned by the process it names while that process runs. To
 * take over, a process creates `lock.<n+1>`, which only one can; the highest is never removed, so no number is used
 * twice.
 * @returns the lock's path.
 */
async function acquireLock(folder: string): Promise<string> {
  const owner = join(folder, `.lock-${randomBytes(6).toString('hex')}`)
  await writeFile(owner, `${process.pid} ${await processStart(process.pid)}`, { flag: 'wx', mode: 0o600 })
  try {
    for (;;) {
      const last = (await locks(folder)).at(-1) ?? 0
      await assertFree(folder, last)
      const mine = last + 1
      const isMine = await link(owner, lockPath(folder, mine)).then(() => true, falseWhenExisting)
      if (!isMine) continue
      const all = await locks(folder)
      // Since `last` was read, other processes may have taken over, so the lock may have a higher number.
      const isLast = all.at(-1) === mine
      const outdated = isLast ? all.slice(0, -1) : [mine]
      for (const number of outdated) await rm(lockPath(folder, number), { force: true })
      if (isLast) return lockPath(folder, mine)
    }
  } finally {
    await rm(owner, { force: true })
  }
}

async function assertFree(folder: string, lock: number): Promise<void> {
  const owner = await readFile(lockPath(folder, lock), 'utf8').catch(ignoreMissing)
  const [pid, start] = owner?.split(' ') ?? []
  if (!pid || (await processStart(Number(pid))) !== start) return
  throw new StartupError(`The data directory ${folder} is in use by another process (pid ${pid}).`)
}

function lockPath(folder: string, number: number): string {
  return join(folder, `lock.${number}`)
}

async function locks(folder: string): Promise<number[]> {
  const numbers = (await readdir(folder)).map((name) => /^lock\.(\d+)$/.exec(name)?.[1])
  return numbers
    .flatMap((number) => number ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

function falseWhenExisting(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'EEXIST') return false
  throw error
}
