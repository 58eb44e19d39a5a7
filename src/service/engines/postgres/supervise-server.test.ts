import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import { openPostgres, type Postgres } from './postgres.ts'
import { processCommand, processesIn } from './process-identity.ts'
import { postmaster } from '../../testing/servers/postgres-processes.ts'

/** Time (ms) in which PostgreSQL must be ready again, also on a busy machine. */
const recoveryMs = 30_000

async function open() {
  const folder = await mkdtemp(join(inject('testFolder'), 'supervised-'))
  const problems: string[] = []
  const dataDirectory = { path: folder, release: async () => undefined }
  const report = (problem: string) => void problems.push(problem)
  const postgres = await openPostgres(readConfig({}), dataDirectory, { report })
  onTestFinished(() => postgres.stop())
  await postgres.pool.query('CREATE TABLE kept AS SELECT 42 AS answer')
  return { folder, postgres, problems }
}

async function untilReady({ pool }: Postgres): Promise<void> {
  await vi.waitFor(
    async () => expect((await pool.query('SELECT answer FROM kept')).rows).toEqual([{ answer: 42 }]),
    {
      timeout: recoveryMs,
      interval: 100,
    },
  )
}

test('the embedded PostgreSQL is ready again on the same port after each kill -9', async () => {
  const { folder, postgres, problems } = await open()
  const { url } = postgres
  for (let kill = 1; kill <= 3; kill += 1) {
    process.kill(await postmaster(join(folder, 'postgres')), 'SIGKILL')
    await vi.waitFor(() => expect(problems.length).toBe(kill), 10_000)
    await untilReady(postgres)
  }
  expect(postgres.url).toBe(url)
  expect(new Set(problems)).toEqual(new Set(['the embedded PostgreSQL ended and is being restarted']))
})

test(
  'a killed server is replaced even if its frozen backends hold the shared memory',
  { tags: ['slow'] },
  async () => {
    const { folder, postgres } = await open()
    const server = await postmaster(join(folder, 'postgres'))
    const backends = (await processesIn(join(folder, 'postgres'))).filter((pid) => pid !== server)
    expect(await Promise.all(backends.map(processCommand))).toContainEqual(expect.stringContaining('spool'))
    for (const pid of backends) process.kill(pid, 'SIGSTOP')
    process.kill(server, 'SIGKILL')
    await untilReady(postgres)
    expect(await processesIn(join(folder, 'postgres'))).not.toEqual(expect.arrayContaining(backends))
  },
)

test('the pool follows a server that must change its port, and so does postgres.json', async () => {
  const { folder, postgres } = await open()
  const { url } = postgres
  process.kill(await postmaster(join(folder, 'postgres')), 'SIGKILL')
  const blocker = await listenOn(Number(new URL(url).port))
  // The killed server's processes may still respond for a moment.
  await vi.waitFor(() => expect(postgres.url).not.toBe(url), recoveryMs)
  await untilReady(postgres)
  expect(JSON.parse(await readFile(join(folder, 'postgres.json'), 'utf8'))).toEqual({ url: postgres.url })
  blocker.close()
})

/** Listens as soon as the port is free. */
async function listenOn(port: number): Promise<Server> {
  for (;;) {
    const server = createServer().listen(port, '127.0.0.1')
    const isListening = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (isListening) return server
  }
}
