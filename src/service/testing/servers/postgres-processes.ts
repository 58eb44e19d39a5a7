import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processCommand, processesIn } from '../../engines/postgres/process-identity.ts'

/** Returns the pid of the PostgreSQL server of a cluster (the folder with its data). */
export async function postmaster(cluster: string): Promise<number> {
  return Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), 10)
}

/** Returns the backends that serve the service's connections. */
export async function serviceBackends(cluster: string): Promise<number[]> {
  const pids = await processesIn(cluster)
  const commands = await Promise.all(pids.map(processCommand))
  return pids.filter((_, index) => commands[index]?.startsWith('postgres: spool '))
}

/** Sends a signal, unless the process has already ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
