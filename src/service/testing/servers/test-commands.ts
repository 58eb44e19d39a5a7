import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServiceProcess, type ServiceProcess } from './test-service-process.ts'

export const service = join(import.meta.dirname, '../../main.ts')
export const command = join(import.meta.dirname, '../../admin.ts')
export const apiKey = 'phx_of_the_first_start'
/** The data directory of the processes. */
export let folder: string
export let environment: NodeJS.ProcessEnv

export async function createFolder(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'spool-main-'))
  environment = {
    ...process.env,
    SPOOL_DATA_DIR: folder,
    SPOOL_PORT: '0',
    SPOOL_SAMPLE_DATA: 'off',
    SPOOL_BOOTSTRAP_API_KEY: apiKey,
  }
}

export function removeFolder(): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Starts the service; resolves once it has printed its address. */
export function start(env: NodeJS.ProcessEnv = {}, ...args: string[]): Promise<ServiceProcess> {
  return startServiceProcess(folder, { SPOOL_BOOTSTRAP_API_KEY: apiKey, ...env }, args)
}

/** Runs the admin command; resolves to its output. */
export async function admin(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...args], { env: environment })
  return stdout
}

/** Runs a process; resolves to its exit code, output and error output (`text`). */
export async function finished(script: string, env: NodeJS.ProcessEnv, ...args: string[]) {
  const child = spawn(process.execPath, [script, ...args], { env: { ...environment, ...env } })
  let [output, text] = ['', '']
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (text += String(chunk)))
  const [code] = await once(child, 'close')
  return { code, output, text }
}

/** Requests the user of a key. */
export function me(origin: string, key: string): Promise<Response> {
  return fetch(`${origin}/api/users/@me/`, { headers: { authorization: `Bearer ${key}` } })
}
