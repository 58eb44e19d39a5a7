import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

type Program = {
  path: string
  options: readonly string[]
  /** What a line contains, once the program is ready. */
  readyLine: string
  spawned?: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>
}

/** Starts a program that is not one of ours; resolves when it is ready. @throws Error with what it printed, if it ends before */
export async function startProgram({ path, options, readyLine, spawned }: Program) {
  const child = spawn(path, options, { ...spawned, stdio: ['ignore', 'pipe', 'pipe'] })
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
  return {
    /** The lines that it has printed. */
    lines,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      await exited.catch(() => undefined)
    },
  }
}
