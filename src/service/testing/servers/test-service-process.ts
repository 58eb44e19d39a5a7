import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { postmaster } from './postgres-processes.ts'

const root = resolve(import.meta.dirname, '../../../..')

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>

/** Starts the real service as a separate process on a data directory, without sample data. */
export async function startServiceProcess(folder: string, env: NodeJS.ProcessEnv, args: string[] = []) {
  const child = spawn(process.execPath, ['src/service/main.ts', ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      SPOOL_PORT: '0',
      SPOOL_DATA_DIR: folder,
      SPOOL_SAMPLE_DATA: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
  const exited = once(child, 'close')
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  return {
    ...(await printedAddress(child)),
    pid: child.pid ?? 0,
    /** Returns what the process has written to standard error so far. */
    errors: () => errors,
    /** Returns whether the process is still running. */
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Kills the service and its child processes. PostgreSQL, a separate process group, can be left running. */
    async kill(withPostgres: boolean): Promise<void> {
      const postgres = await postmaster(join(folder, 'postgres'))
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
      if (withPostgres) process.kill(-postgres, 'SIGKILL')
      await exited
    },
    /** Sends SIGTERM. */
    terminate: () => void child.kill('SIGTERM'),
    /** Sends SIGTERM; resolves to the exit code. */
    async stop(): Promise<number | null> {
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
  }
}

type Address = {
  origin: string
  /** The printed key; null if only the address was printed. */
  key: string | null
  printed: string
}

function printedAddress(child: ChildProcess): Promise<Address> {
  return new Promise((resolveAddress, reject) => {
    let printed = ''
    const read = (text: string) => {
      printed += text
      const [, origin, key] = /^ *(http:\/\/[^\s/]+)\/(?:#key=(\S+)|#link=\S+)?\n/m.exec(printed) ?? []
      if (origin)
        resolveAddress({ origin: origin.replace('localhost', '127.0.0.1'), key: key ?? null, printed })
    }
    child.stdout?.setEncoding('utf8').on('data', read)
    child.stderr?.setEncoding('utf8').on('data', read)
    child.once('exit', () => reject(new Error(`the service did not start: ${printed}`)))
  })
}
