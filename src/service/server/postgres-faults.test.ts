import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { processesIn } from '../engines/postgres/process-identity.ts'
import { serviceBackends, signal } from '../testing/servers/postgres-processes.ts'
import { itemAt, serviceClient, type ServiceClient } from '../testing/test-service-client.ts'
import { startServiceProcess, type ServiceProcess } from '../testing/servers/test-service-process.ts'

const apiKey = `phx_${'f'.repeat(40)}`
const hour = 3_600_000
/** The hour that contains this test's events. */
const from = Math.floor(Date.now() / hour) * hour - 2 * hour
const breaks = 24

let folder: string
let service: ServiceProcess
let client: ServiceClient
let token: string
const acknowledged = new Set<string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-faults-'))
  service = await startServiceProcess(folder, { SPOOL_BOOTSTRAP_API_KEY: apiKey, LOG_LEVEL: 'silent' })
  client = serviceClient(folder, apiKey, () => service.origin)
  token = await client.projectToken()
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('no broken connection ends the process, and every acknowledged event is stored once', async () => {
  const stopping = new AbortController()
  const capturing = Array.from({ length: 3 }, async () => {
    while (!stopping.signal.aborted) await capture()
  })
  for (let index = 0; index < breaks; index += 1) {
    const count = acknowledged.size
    await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(count), 30_000)
    const backends = await serviceBackends(join(folder, 'postgres'))
    const pid = backends[index % backends.length]
    // SIGTERM breaks one connection; after SIGKILL, PostgreSQL breaks all and restarts.
    if (pid !== undefined) signal(pid, index % 4 === 0 ? 'SIGKILL' : 'SIGTERM')
  }
  stopping.abort()
  await Promise.all(capturing)
  expect(service.isRunning()).toBe(true)
  await vi.waitFor(async () => expect(await status('/_ready')).toBe(200), 30_000)
  expect((await storedIds('after-breaks')).toSorted()).toEqual([...acknowledged].toSorted())
})

test('a frozen PostgreSQL makes requests fail with 503 instead of waiting; once thawed, everything works', async () => {
  const cluster = join(folder, 'postgres')
  const processes = await processesIn(cluster)
  for (const pid of processes) signal(pid, 'SIGSTOP')
  const batch = [itemAt(from)]
  const frozen = await Promise.all([
    client.capture(token, batch),
    status('/api/users/@me/'),
    status('/_ready'),
    status('/_health'),
  ])
  expect(frozen).toEqual([503, 503, 503, 200])
  const ready = await (await fetch(`${service.origin}/_ready`)).json()
  expect(ready).toMatchObject({ postgresql: { status: 'unavailable' }, object_storage: { status: 'ok' } })
  for (const pid of processes) signal(pid, 'SIGCONT')
  await vi.waitFor(async () => expect(await status('/_ready')).toBe(200), 30_000)
  expect(await client.capture(token, batch)).toBe(200)
  for (const { uuid } of batch) acknowledged.add(uuid)
  expect((await storedIds('after-freeze')).toSorted()).toEqual([...acknowledged].toSorted())
})

/** Captures one batch, as posthog-js does: sends it again after a while until it is acknowledged. */
async function capture(): Promise<void> {
  const batch = Array.from({ length: 20 }, () => itemAt(from + Math.floor(Math.random() * hour)))
  const send = async () => expect(await client.capture(token, batch)).toBe(200)
  await vi.waitFor(send, { interval: 50, timeout: 60_000 })
  for (const { uuid } of batch) acknowledged.add(uuid)
}

async function status(path: string): Promise<number> {
  const response = await fetch(`${service.origin}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  await response.arrayBuffer()
  return response.status
}

/** Exports the hour of the events; returns their ids. */
async function storedIds(path: string): Promise<string[]> {
  const id = await client.createExport(path, 'hour')
  await client.backfill(id, from, from + hour)
  await client.untilAllEnded()
  return await client.exportedIds(path)
}
