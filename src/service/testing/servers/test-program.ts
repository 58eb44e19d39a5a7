import { execFileSync, spawn, spawnSync, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

type Program = {
  path: string
  options: readonly string[]
  /** What a line contains, once the program is ready. */
  readyLine: string
  spawned?: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>
}

/** Why the files of a program cannot be limited here; null if they can. */
export const limitUnavailable = spawnSync('prlimit', ['--version']).error ? 'there is no prlimit' : null

/** Lets a program get an error when a file may not grow, instead of a signal that ends it. */
const withErrors = `trap '' XFSZ; exec "$0" "$@"`

/** Starts a program that is not one of ours; resolves when it is ready. @throws Error with what it printed, if it ends before */
export async function startProgram({ path, options, readyLine, spawned = {} }: Program) {
  const child = spawn('sh', ['-c', withErrors, path, ...options], {
    ...spawned,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ready = Promise.withResolvers<void>()
  const lines: string[] = []
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      lines.push(line)
      if (line.includes(readyLine)) ready.resolve()
    })
  child.on('error', ready.reject)
  const exited = once(child, 'close').then(() => ready.reject(new Error(lines.join('\n'))))
  await ready.promise
  let isStopped = false
  child.on('close', (code, signal) => {
    // Tests that use the program would report only a lost connection.
    if (!isStopped) console.error(`${path} has ended (${code ?? signal}):`, lines.slice(-100).join('\n'))
  })
  return {
    /** The lines that it has printed. */
    lines,
    /** Limits the size (bytes) of the files that it, and the processes that it starts from now on, may write. */
    limitFiles(bytes: number | 'unlimited') {
      const { uid, gid } = spawned
      execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`], { uid, gid })
    },
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      isStopped = true
      child.kill(signal)
      await exited.catch(() => undefined)
    },
  }
}
