import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { DestinationType } from '../../contract/destinations/destination.ts'
import { createOrganization } from '../auth/new-organization.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { insertScheduledRuns } from '../store/runs/write-runs.ts'
import { webhookDestination } from '../testing/exports/test-webhooks.ts'
import { connectionString } from '../testing/servers/azurite.ts'
import { startFaultyProxy } from '../testing/servers/faulty-proxy.ts'
import { startHostileMysql, startHostilePostgres } from '../testing/servers/hostile-server.ts'
import { startHungStore } from '../testing/servers/hung-store.ts'
import { sftpUnavailable, startSftpServer } from '../testing/servers/sftp-server.ts'
import { startHttpServer } from '../testing/servers/test-http-server.ts'
import { startReceiver } from '../testing/servers/test-receiver.ts'
import { forgetArrivals } from '../testing/test-clock.ts'
import { testNames } from '../testing/test-engines.ts'
import { insertEvents, testJobs, type TestJobs } from '../testing/test-jobs.ts'
import { unreachableDestination } from '../testing/test-runs.ts'
import { openDispatcher } from './dispatcher.ts'
import { openWorker } from './worker.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 2, 10, 12)
/** So long that every store gets more than its probe does. */
const event = { timestamp: start + 1, properties: JSON.stringify({ text: 'x'.repeat(300_000) }) }

let jobs: TestJobs
let otherProject: number
beforeAll(async () => {
  jobs = await testJobs(start + 3 * hour)
  const names = { name: 'Other', projectName: 'Other', keyLabel: 'Other' }
  otherProject = (await createOrganization(jobs.services.store, jobs.clock.time, names)).project_id
  for (const project of [jobs.projectId, otherProject]) await insertEvents(jobs.services, project, [event])
})
beforeEach(() => forgetArrivals(jobs.services.store))
afterAll(() => jobs.cleanup())

function dispatch(workers: number) {
  const services = { ...jobs.services, config: { ...jobs.services.config, workers } }
  const worker = openWorker(services)
  const dispatcher = openDispatcher(services, worker)
  onTestFinished(async () => {
    await dispatcher.stop()
    await worker.stop()
    await sql`TRUNCATE batch_export_runs CASCADE`.execute(jobs.services.store)
  })
}

/** Creates an export, and a run for the hour that contains the one event; runs start in the order of their creation. */
async function createRun(change: Partial<BatchExportRow>): Promise<BatchExportRow> {
  const row = await jobs.createExport({ paused: true, destination_config: { path: 'healthy' }, ...change })
  const window = { start, end: start + hour }
  await jobs.services.store
    .transaction()
    .execute((transaction) => insertScheduledRuns(transaction, row, [window], (jobs.clock.time += 1)))
  return row
}

async function statusesOf(rows: readonly BatchExportRow[]): Promise<string[]> {
  const runs = await Promise.all(rows.map(({ id }) => jobs.runs(id)))
  return runs.flat().map(({ status }) => status)
}

/** Creates a run, which completes although no time passes. */
async function expectCompletion(change: Partial<BatchExportRow> = {}): Promise<void> {
  const healthy = await createRun(change)
  await expect.poll(() => statusesOf([healthy]), { timeout: 10_000 }).toEqual(['Completed'])
}

function tableAt(host: string, port: number, type: DestinationType): Partial<BatchExportRow> {
  const connection = { host, port, user: 'spool', password: 'secret' }
  return {
    destination_type: type,
    destination_config: { database: 'warehouse', table_name: 'events', ...connection },
    destination_secrets: jobs.services.secrets.seal(JSON.stringify(connection)),
    hogql_query: 'SELECT uuid, event FROM events',
  }
}

test('runs of one project that hang hold up neither another project, nor other stores of that project', async () => {
  const hung = await startHostilePostgres({ text: 'pg_attribute', bytes: [] })
  const hosts = Array.from({ length: 20 }, (_, index) => `hung-${index}.test`)
  for (const host of hosts) testNames.set(host, () => '127.0.0.1')
  onTestFinished(() => {
    hung.close()
    for (const host of hosts) testNames.delete(host)
  })
  const rows: BatchExportRow[] = []
  const createHungRuns = async (at: readonly string[]) => {
    for (const host of at) rows.push(await createRun(tableAt(host, hung.port, 'Postgres')))
  }
  /** Lets time pass until no more of the runs start. */
  const untilNoneStarts = async () => {
    let before = 0
    const started = async () => {
      jobs.clock.time += 6000
      const now = (await statusesOf(rows)).filter((status) => status === 'Running').length
      return now === before ? now : (before = now) && 0
    }
    await expect.poll(started, { interval: 1200, timeout: 40_000 }).toBeGreaterThan(4)
  }

  await createHungRuns(Array.from({ length: 20 }, () => 'hung-0.test'))
  dispatch(8)
  await untilNoneStarts()
  await expectCompletion()
  await createHungRuns(hosts.slice(1))
  await untilNoneStarts()
  await expectCompletion({ project_id: otherProject })
})

test('destinations of one project that answer no probe delay the probes of no other project', async () => {
  const store = await startHungStore('request')
  const { origin, stop } = await startReceiver()
  const hosts = Array.from({ length: 100 }, (_, index) => `silent-${index}.test`)
  for (const host of hosts) testNames.set(host, () => '127.0.0.1')
  onTestFinished(() => {
    store.close()
    stop()
    for (const host of hosts) testNames.delete(host)
  })
  const rows: BatchExportRow[] = []
  for (const host of hosts) {
    const endpoint = store.endpoint.replace('127.0.0.1', host)
    rows.push(await createRun(unreachableDestination(jobs, endpoint)))
  }
  dispatch(4)
  await expect.poll(store.hangs).toBeGreaterThan(30)
  await expectCompletion({ ...webhookDestination(jobs.services, origin), project_id: otherProject })
  expect(new Set(await statusesOf(rows))).toEqual(new Set(['Starting']))
})

type Hung = { change: Partial<BatchExportRow>; close(): unknown }

/** Destinations of every type that answer the probe and hang once they get rows; those that hang for longer come first. */
const hungDestinations: Partial<Record<DestinationType, () => Promise<Hung>>> = {
  async Postgres() {
    const { port, close } = await startHostilePostgres({ text: 'pg_attribute', bytes: [] })
    return { change: tableAt('127.0.0.1', port, 'Postgres'), close }
  },
  async MySQL() {
    const { port, close } = await startHostileMysql({ text: 'information_schema', bytes: [] })
    return { change: tableAt('127.0.0.1', port, 'MySQL'), close }
  },
  async ClickHouse() {
    const { port, stop } = await startHttpServer((request, response) => {
      request.on('data', (sql) => String(sql).startsWith('SELECT 1 ') && response.end('{"1":1}\n'))
    })
    return { change: tableAt('127.0.0.1', port, 'ClickHouse'), close: stop }
  },
  async Webhook() {
    const { origin, stop } = await startHttpServer((request) => void request.resume())
    return { change: webhookDestination(jobs.services, origin), close: stop }
  },
  async AzureBlob() {
    const { origin, stop } = await startHttpServer(({ method }, response) => {
      if (method !== 'PUT') response.writeHead(404).end()
    })
    const secret = { connection_string: connectionString(origin) }
    const change = {
      destination_type: 'AzureBlob' as const,
      destination_config: { container_name: 'exports', account_endpoint: `${origin}/spooltest` },
      destination_secrets: jobs.services.secrets.seal(JSON.stringify(secret)),
    }
    return { change, close: stop }
  },
  async S3() {
    const { endpoint, close } = await startHungStore('upload')
    return { change: unreachableDestination(jobs, endpoint), close }
  },
  ...(sftpUnavailable === null && { SFTP: startHungSftp }),
}

async function startHungSftp(): Promise<Hung> {
  const server = await startSftpServer()
  const { port, stop } = await startFaultyProxy(server.config.port, 'hang', 100_000)
  const connection = { ...server.config, port, private_key: server.privateKey }
  const change = {
    destination_type: 'SFTP' as const,
    destination_config: { path: 'hung' },
    destination_secrets: jobs.services.secrets.seal(JSON.stringify(connection)),
  }
  const close = async () => {
    stop()
    await server.stop()
  }
  return { change, close }
}

test('one hung destination of each type holds up no other', async () => {
  if (sftpUnavailable !== null) console.error(`The hung SFTP server is skipped: ${sftpUnavailable}.`)
  const rows: BatchExportRow[] = []
  for (const startHung of Object.values(hungDestinations)) {
    const { change, close } = await startHung()
    onTestFinished(async () => void (await close()))
    rows.push(await createRun(change))
  }
  dispatch(5)
  await expect
    .poll(
      async () => {
        // The first of them have to wait before the others start.
        jobs.clock.time += 500
        return await statusesOf(rows)
      },
      { interval: 200, timeout: 30_000 },
    )
    .toEqual(rows.map(() => 'Running'))
  await expectCompletion()
  expect(await statusesOf(rows)).toEqual(rows.map(() => 'Running'))
})
