import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export type TestProcess = ReturnType<typeof testProcess>

/** Runs a program in a separate process. `program` is the source of a module, with imports relative to the URL `base`. */
export function testProcess(base: string, program: string, options: { uid?: number } = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', absoluteImports(base, program)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    cwd: '/',
    ...options,
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const exit = once(child, 'close')
  if (child.pid === undefined) throw new Error('the process did not start')
  return {
    pid: child.pid,
    /** Resolves to the next line of standard output; rejects with the error output if the process ends first. */
    async line(): Promise<string> {
      const next = await lines.next()
      if (!next.done) return next.value
      await exit
      throw new Error(errors)
    },
    /** Kills the process, as a power failure would; resolves when it has ended. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await exit
    },
  }
}

function absoluteImports(base: string, program: string): string {
  return program.replaceAll(/'(\.\.?\/[\w./-]+\.ts)'/g, (_, path: string) =>
    JSON.stringify(new URL(path, base).href),
  )
}
