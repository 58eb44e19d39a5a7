import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { processCommand, processesIn, processStart } from './process-identity.ts'
import { postgresAccount, postgresBinaries, type Account } from './postgres-binaries.ts'
import { freePort } from '../loopback.ts'
import { readOrCreateSecret, writePrivateFile } from '../secret-file.ts'
import { StartupError, startupErrorFrom } from '../../startup-error.ts'

export type EmbeddedPostgres = Awaited<ReturnType<typeof openCluster>>

const user = 'spool'
const database = 'spool'
const startLimitMs = 60_000
const pollIntervalMs = 10
/** Failures worth a retry: a killed server's children are still exiting, or another process has just taken the port. */
const transientFailure = /shared memory block|TCP\/IP sockets|lock file/

const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  max_connections: '80',
  max_wal_size: '256MB',
  min_wal_size: '64MB',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  jit: 'off',
  // Ends the statements of a killed service, and those that exceeded the service's time limit.
  client_connection_check_interval: '2s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The caller reports a failed statement, whose text may be private.
  log_min_messages: 'log',
}

/**
 * Starts PostgreSQL in the data directory, or takes over the server that a killed service left running there.
 * The server listens on a loopback port, if possible always the same; `postgres.json` in the data directory contains its URL.
 * @param memoryMb cache of the server (`shared_buffers`)
 * @throws StartupError when the server cannot be started; `postgres.log` says why.
 */
export async function startEmbeddedPostgres(
  dataDirectory: string,
  memoryMb = 128,
): Promise<EmbeddedPostgres> {
  try {
    return await openCluster(dataDirectory, memoryMb)
  } catch (cause) {
    throw startupErrorFrom(cause, 'The embedded PostgreSQL cannot start')
  }
}

async function openCluster(dataDirectory: string, memoryMb: number) {
  const cluster = join(dataDirectory, 'postgres')
  const account = await postgresAccount()
  const password = await readOrCreateSecret(join(dataDirectory, 'postgres-password'))
  const connectionFile = join(dataDirectory, 'postgres.json')
  await createCluster(dataDirectory, cluster, account)
  const urlOf = ({ port }: Server) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  const start = async (port?: number) => {
    const preferredPort = port ?? (await lastPort(cluster))
    const server = await startServer(dataDirectory, cluster, account, { memoryMb, preferredPort })
    return { ...server, start: await processStart(server.pid) }
  }
  let server = await start()
  try {
    await createDatabase(urlOf(server))
  } catch (error) {
    // A server that has just been killed still appears to be running for a moment.
    if (!(await hasEnded(server.pid, server.start, 2000))) throw error
    server = await start()
    await createDatabase(urlOf(server))
  }
  await writePrivateFile(connectionFile, JSON.stringify({ url: urlOf(server) }))
  return {
    /** Connection URL with the password. `restart` changes it if the port is taken. */
    get url() {
      return urlOf(server)
    },
    get pid() {
      return server.pid
    },
    /** Resolves to whether the server has ended without `stop`. */
    hasEnded: async () => (await processStart(server.pid)) !== server.start,
    /** Starts the server again after it has ended. @throws StartupError when it cannot be started. */
    async restart() {
      server = await start(server.port)
      await writePrivateFile(connectionFile, JSON.stringify({ url: urlOf(server) }))
    },
    async stop() {
      await stopServer(server.pid)
      await rm(connectionFile, { force: true })
    },
  }
}

/** Creates the cluster under a temporary name, so that an interrupted creation is never mistaken for a complete one. */
async function createCluster(dataDirectory: string, cluster: string, account: Account): Promise<void> {
  const entries = await readdir(dataDirectory)
  for (const entry of entries.filter((entry) => entry.startsWith('postgres.new-')))
    await rm(join(dataDirectory, entry), { recursive: true, force: true, maxRetries: 5 })
  if (entries.includes('postgres')) return
  const unfinished = `${cluster}.new-${randomBytes(6).toString('hex')}`
  await mkdir(unfinished, { mode: 0o700 })
  if (account) await chown(unfinished, account.uid, account.gid)
  const { initdb } = await postgresBinaries()
  const options = [
    `--pgdata=${unfinished}`,
    `--username=${user}`,
    `--pwfile=${join(dataDirectory, 'postgres-password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]
  const { exited } = await spawnAs(account, initdb, options, dataDirectory)
  if ((await exited) !== 0) throw await startFailure(dataDirectory)
  await rename(unfinished, cluster)
}

type Server = { pid: number; port: number }

/** Returns the port of the cluster's last server: its users may have connections that name it. */
async function lastPort(cluster: string): Promise<number | undefined> {
  const options = await readFile(join(cluster, 'postmaster.opts'), 'utf8').catch(() => '')
  const [, port] = /"port=(\d+)"/.exec(options) ?? []
  return port === undefined ? undefined : Number(port)
}

/** Starts the server on the preferred port, or on a free one if that is taken. */
async function startServer(
  dataDirectory: string,
  cluster: string,
  account: Account,
  { memoryMb, preferredPort }: { memoryMb: number; preferredPort: number | undefined },
) {
  const { postgres } = await postgresBinaries()
  const retryUntil = Date.now() + 10_000
  for (let wanted = preferredPort; ; wanted = undefined) {
    const running = await runningServer(cluster)
    if (running) return running
    await killBackends(cluster)
    await rm(join(cluster, 'postmaster.pid'), { force: true })
    const port = wanted ?? (await freePort())
    const settings = { ...serverSettings, shared_buffers: `${memoryMb}MB`, port }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { child, exited } = await spawnAs(account, postgres, ['-D', cluster, ...options], dataDirectory)
    let hasExited = false
    const setExited = () => (hasExited = true)
    exited.then(setExited, setExited)
    const server = await readyServer(cluster, async () => hasExited)
    child.unref()
    if (server) return server
    const failure = await startFailure(dataDirectory)
    if (!transientFailure.test(failure.message) || Date.now() > retryUntil) throw failure
    await delay(100)
  }
}

/** Waits until the server reports that it is ready; returns null if it exits first. */
async function readyServer(cluster: string, hasExited: () => Promise<boolean>): Promise<Server | null> {
  const deadline = Date.now() + startLimitMs
  while (!(await hasExited())) {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    const [pid, , , port, , , , status] = lines
    if (status?.trim() === 'ready') return { pid: Number(pid), port: Number(port) }
    if (Date.now() > deadline)
      throw new StartupError(
        `The embedded PostgreSQL (pid ${pid}) is not ready after ${startLimitMs / 1000} seconds.`,
      )
    await delay(pollIntervalMs)
  }
  return null
}

/** Returns the server that an earlier process started on this cluster, once it is ready; null without one. */
async function runningServer(cluster: string): Promise<Server | null> {
  const pid = Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
  const start = Number.isInteger(pid) ? await processStart(pid) : null
  // Another process may have the pid by now.
  if (start === null || !(await processCommand(pid)).includes(` -D ${cluster} `)) return null
  return await readyServer(cluster, async () => (await processStart(pid)) !== start)
}

/**
 * Kills the processes that a killed server has left behind. They end by themselves unless they are frozen or busy; until
 * then, no other server can use the cluster.
 */
async function killBackends(cluster: string): Promise<void> {
  for (const pid of await processesIn(cluster)) {
    const start = await processStart(pid)
    if (start === null || !(await processCommand(pid)).startsWith('postgres: ')) continue
    process.kill(pid, 'SIGKILL')
    await hasEnded(pid, start, 2000)
  }
}

async function stopServer(pid: number): Promise<void> {
  const start = await processStart(pid)
  if (start === null) return
  process.kill(pid, 'SIGINT')
  if (await hasEnded(pid, start, 8000)) return
  process.kill(pid, 'SIGQUIT')
  await hasEnded(pid, start, 2000)
}

/** Waits at most `limitMs` for the process that started at `start` to end; returns whether it has ended. */
async function hasEnded(pid: number, start: string | null, limitMs: number): Promise<boolean> {
  if (start === null) return true
  const deadline = Date.now() + limitMs
  while ((await processStart(pid)) === start) {
    if (Date.now() > deadline) return false
    await delay(pollIntervalMs)
  }
  return true
}

async function createDatabase(url: string): Promise<void> {
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const client = new Client({ connectionString: admin.href, connectionTimeoutMillis: 10_000 })
  // A connection that breaks between statements fails the next one; without a listener, it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
    if (known.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`)
  } finally {
    await client.end()
  }
}

/**
 * Starts a program that writes to the log, in its own session: Ctrl-C reaches only the service, which then stops the server
 * cleanly. `exited` is the exit code: the program may exit before the caller can listen for that.
 */
async function spawnAs(account: Account, program: string, options: readonly string[], dataDirectory: string) {
  const [file, args] = account
    ? [account.command, [...account.options, program, ...options]]
    : [program, options]
  const log = await open(join(dataDirectory, 'postgres.log'), 'a', 0o600)
  try {
    const env = { PATH: process.env.PATH, LC_ALL: 'C' }
    const child = spawn(file, args, { detached: true, stdio: ['ignore', log.fd, log.fd], cwd: '/', env })
    const { promise: exited, resolve, reject } = Promise.withResolvers<number | null>()
    child.once('exit', resolve).once('error', reject)
    exited.catch(() => null)
    return { child, exited }
  } finally {
    await log.close()
  }
}

async function startFailure(dataDirectory: string): Promise<StartupError> {
  const log = join(dataDirectory, 'postgres.log')
  const lines = (await readFile(log, 'utf8')).trim().split('\n')
  const last = lines.findLast((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1) ?? ''
  return new StartupError(`The embedded PostgreSQL cannot start: ${last.trim()} (see ${log}).`)
}
