import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

export type TestProcess = {
  pid: number
  /** Resolves to the next line of standard output; rejects with the error output if the process ends first. */
  line(): Promise<string>
  /** Kills the process, as a power failure would; resolves when it has ended. */
  kill(): Promise<void>
}

/** Runs a program in a separate process. `program` is the source of a module, with imports relative to the URL `base`. */
export function testProcess(base: string, program: string, options: { uid?: number } = {}): TestProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', absoluteImports(base, program)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    cwd: '/',
    ...options,
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const exit = exited(child)
  if (child.pid === undefined) throw new Error('the process did not start')
  return {
    pid: child.pid,
    async line() {
      const next = await lines.next()
      if (!next.done) return next.value
      await exit
      throw new Error(errors)
    },
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
  }
}

function absoluteImports(base: string, program: string): string {
  return program.replaceAll(/'(\.\.?\/[\w/-]+\.ts)'/g, (_, path: string) =>
    JSON.stringify(new URL(path, base).href),
  )
}

function exited(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  child.once('close', () => resolve())
  return promise
}
