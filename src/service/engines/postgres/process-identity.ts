import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Returns a process's start time, which distinguishes it from later ones with the same pid; null if not running. */
export async function processStart(pid: number): Promise<string | null> {
  if (!isRunning(pid)) return null
  if (process.platform !== 'linux') return (await ps(pid, 'lstart')) || null
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // The second field is the name in parentheses, which may contain any character.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTime] = [fields?.[0], fields?.[19]]
  return state === undefined || state === 'Z' || startTime === undefined ? null : startTime
}

/** Returns a process's command line, its arguments separated by spaces; empty when it cannot be read. */
export async function processCommand(pid: number): Promise<string> {
  if (process.platform !== 'linux') return await ps(pid, 'args')
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return text.replaceAll('\0', ' ').trim()
}

/** Returns the processes whose working directory is the folder (an absolute path without links); none except on Linux. */
export async function processesIn(folder: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => null)))
  return pids.filter((_, index) => folders[index] === folder)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function ps(pid: number, column: string): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-o', `${column}=`, '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout.trim()
}
