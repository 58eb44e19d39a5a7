import { randomBytes } from 'node:crypto'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '..')
/** Where Node keeps the compiled sources, so that a start need not strip their types and compile them again. */
const compileCache = join(root, 'node_modules/.cache/node')

export type RunningService = {
  /** A URL that signs in with all scopes. */
  signInUrl: string
  origin: string
  /** Origin of the player's frame. */
  contentOrigin: string
  pid: number
  dataDirectory: string
  /** Runs an admin command with --json against this service and returns the parsed output. */
  admin<Output>(...args: string[]): Promise<Output>
  stop(): Promise<void>
}

type Options = {
  env?: Record<string, string>
  dataDirectory?: string
  /** Arguments of the service. */
  args?: readonly string[]
}

/** Starts the real service like a newcomer's `npm start`, on a free port and, by default, in a new data directory. */
export async function startService({
  env = {},
  dataDirectory,
  args = [],
}: Options = {}): Promise<RunningService> {
  const folder = dataDirectory ?? (await mkdtemp(join(tmpdir(), 'spool-e2e-')))
  const environment = {
    ...process.env,
    NODE_COMPILE_CACHE: compileCache,
    SPOOL_PORT: '0',
    SPOOL_DATA_DIR: folder,
    SPOOL_SAMPLE_DATA: 'off',
    SPOOL_BOOTSTRAP_API_KEY: `phx_${randomBytes(20).toString('hex')}`,
    ...env,
  }
  const child = spawn(process.execPath, ['src/service/main.ts', ...args], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await new Promise<string>((found, reject) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const [, printedOrigin] = /^ *(http:\/\/[^\s/]+)\//m.exec(printed) ?? []
      if (printedOrigin) found(printedOrigin)
    })
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${printed}`)))
  })
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  return {
    signInUrl: `${origin}/#key=${environment.SPOOL_BOOTSTRAP_API_KEY}`,
    origin,
    contentOrigin: origin.replace('127.0.0.1', 'localhost'),
    pid: child.pid ?? 0,
    dataDirectory: folder,
    async admin<Output>(...args: string[]) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['src/service/admin.ts', ...args, '--json'],
        { cwd: root, env: environment },
      )
      return JSON.parse(stdout) as Output
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
      if (!dataDirectory) await rm(folder, { recursive: true, force: true })
    },
  }
}
