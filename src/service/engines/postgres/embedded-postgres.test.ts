import { chmod, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { testProcess, type TestProcess } from '../../testing/servers/test-process.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { processStart } from './process-identity.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(inject('testFolder'), 'postgres-'))
})

describe('the embedded PostgreSQL', () => {
  test('keeps its data across a restart', { tags: ['slow'] }, async () => {
    const first = await startEmbeddedPostgres(folder)
    await run(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    expect(await processStart(first.pid)).toBeNull()
    const second = await startEmbeddedPostgres(folder)
    expect(await run(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    await second.stop()
  })

  test('commits durably, listens on loopback only, supports Unicode, and uses the given memory', async () => {
    const server = await startEmbeddedPostgres(folder, 200)
    const [settings] = await run(
      server.url,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, upper('é') AS upper,
        current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets,
        current_setting('shared_buffers') AS memory`,
    )
    expect(settings).toEqual({
      fsync: 'on',
      commit: 'on',
      upper: 'É',
      addresses: '127.0.0.1',
      sockets: '',
      memory: '200MB',
    })
    await server.stop()
  })

  test('requires its password, which only the owner of the data directory can read', async () => {
    const server = await startEmbeddedPostgres(folder)
    const url = new URL(server.url)
    expect(url.password).toMatch(/^[0-9a-f]{64}$/)
    for (const name of ['postgres-password', 'postgres.json', 'postgres.log']) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    }
    expect(JSON.parse(await readFile(join(folder, 'postgres.json'), 'utf8'))).toEqual({ url: server.url })
    url.password = 'x'.repeat(64)
    await expect(run(url.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/)
    await server.stop()
    await expect(stat(join(folder, 'postgres.json'))).rejects.toThrow('ENOENT')
  })

  test('is not stopped by Ctrl-C in the terminal of the service', async () => {
    const server = await startEmbeddedPostgres(folder)
    expect(await sessionOf(server.pid)).not.toBe(await sessionOf(process.pid))
    await server.stop()
  })

  test('runs in a folder that only its owner can access', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed)
    await chmod(closed, 0o700)
    const server = await startEmbeddedPostgres(closed)
    expect(await run(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await server.stop()
  })

  test('explains in one sentence why it cannot start', async () => {
    const server = await startEmbeddedPostgres(folder)
    await server.stop()
    await writeFile(join(folder, 'postgres', 'PG_VERSION'), '12\n')
    await expect(startEmbeddedPostgres(folder)).rejects.toThrow(
      /^The embedded PostgreSQL cannot start: .*FATAL: {2}database files are incompatible with server \(see .*\)\.$/,
    )
  })

  test('starts on another port when its previous port is taken', { tags: ['slow'] }, async () => {
    const first = await startEmbeddedPostgres(folder)
    await first.stop()
    const blocker = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
    const second = await startEmbeddedPostgres(folder)
    expect(await run(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await second.stop()
    blocker.close()
  })
})

describe('after a kill, the embedded PostgreSQL', () => {
  test('is taken over if it was left running', async () => {
    const service = await holder(folder)
    const pid = Number(await service.line())
    await service.kill()
    expect(await processStart(pid)).not.toBeNull()
    const server = await startEmbeddedPostgres(folder)
    expect(server.pid).toBe(pid)
    expect(await run(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(await processStart(pid)).toBeNull()
  })

  test('recovers if it was killed together with the service', async () => {
    for (let round = 0; round < 3; round++) {
      const service = await holder(folder)
      const pid = Number(await service.line())
      process.kill(pid, 'SIGKILL')
      await service.kill()
    }
    const server = await startEmbeddedPostgres(folder)
    expect(await run(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await server.stop()
  })

  test('starts a new server when the one being taken over is killed', { tags: ['slow'] }, async () => {
    const first = await startEmbeddedPostgres(folder)
    process.kill(first.pid, 'SIGSTOP')
    const connect = vi.spyOn(Client.prototype, 'connect')
    onTestFinished(() => connect.mockRestore())
    const starting = startEmbeddedPostgres(folder)
    await vi.waitFor(() => expect(connect).toHaveBeenCalled(), 10_000)
    expect(connect.mock.settledResults[0]?.type).toBe('incomplete')
    process.kill(first.pid, 'SIGKILL')
    const second = await starting
    expect(second.pid).not.toBe(first.pid)
    expect(await run(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await second.stop()
  })

  test('starts when another process has the pid of a killed one', { tags: ['slow'] }, async () => {
    const first = await startEmbeddedPostgres(folder)
    const pidFile = join(folder, 'postgres', 'postmaster.pid')
    const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n')
    process.kill(first.pid, 'SIGKILL')
    await vi.waitFor(async () => expect(await processStart(first.pid)).toBeNull())
    await writeFile(pidFile, [process.pid, ...rest].join('\n'))
    const second = await startEmbeddedPostgres(folder)
    expect(await run(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await second.stop()
  })

  test('creates the cluster again if its creation was interrupted', { tags: ['slow'] }, async () => {
    const service = await holder(folder)
    await vi.waitFor(async () => {
      const made = (await readdir(folder)).find((name) => name.startsWith('postgres.new-'))
      expect(await readdir(join(folder, made ?? 'postgres.new-'))).toContain('base')
    })
    await service.kill()
    expect(await readdir(folder)).not.toContain('postgres')
    const server = await startEmbeddedPostgres(folder)
    expect(await run(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect((await readdir(folder)).sort()).toEqual([
      'postgres',
      'postgres-password',
      'postgres.json',
      'postgres.log',
    ])
    await server.stop()
  })
})

async function holder(path: string): Promise<TestProcess> {
  return testProcess(
    import.meta.url,
    `
    import { startEmbeddedPostgres } from './embedded-postgres.ts'
    const server = await startEmbeddedPostgres(${JSON.stringify(path)})
    console.log(server.pid)
    setInterval(() => undefined, 1000)
  `,
  )
}

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function sessionOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]
}
