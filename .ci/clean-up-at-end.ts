import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { processCommand } from '../src/service/engines/postgres/process-identity.ts'
import { signal } from '../src/service/testing/servers/postgres-processes.ts'

const variable = 'SPOOL_TOOL_FOLDER'
const pollIntervalMs = 20

/**
 * Puts the temporary files of this process and its descendants into one folder. When this process ends in any way, even by
 * SIGKILL, another one ends its descendants and their PostgreSQL servers, and removes the folder. Only on Linux does it find
 * the processes.
 */
export function cleanUpAtEnd(): void {
  // The process that set the variable cleans up for its descendants.
  if (process.env[variable]) return
  const folder = mkdtempSync(join(tmpdir(), 'spool-tool-'))
  process.env[variable] = folder
  process.env['TMPDIR'] = folder
  // Only this process holds the other end of the pipe; `cat` ends with it. In a session of its own, Ctrl-C does not end it.
  const wait = ['-c', 'cat > /dev/null; exec "$0" "$@"', process.execPath, import.meta.filename, folder]
  const child = spawn('sh', wait, {
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { PATH: process.env['PATH'] },
  })
  child.unref()
  // A pipe to a process is a socket, which keeps this process running unless it is unreferenced.
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
}

/** Ends the processes that belong to the folder, until none is left. */
async function endProcesses(folder: string): Promise<void> {
  for (;;) {
    const own = await processesOf(folder)
    if (own.length === 0) return
    // SIGQUIT makes PostgreSQL end its processes and release its memory at once.
    for (const { pid, isServer } of own) signal(pid, isServer ? 'SIGQUIT' : 'SIGKILL')
    await delay(pollIntervalMs)
  }
}

async function processesOf(folder: string): Promise<{ pid: number; isServer: boolean }[]> {
  const names = process.platform === 'linux' ? await readdir('/proc') : []
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      const command = await processCommand(pid)
      const isServer = /\/(?:postgres|initdb) /.test(command) && command.includes(`${folder}/`)
      return { pid, isServer, isOwn: isServer || environment.includes(`${variable}=${folder}`) }
    }),
  )
  return found.filter(({ isOwn }) => isOwn)
}

const [, , folder] = process.argv
if (import.meta.main && folder !== undefined) {
  await endProcesses(folder)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
