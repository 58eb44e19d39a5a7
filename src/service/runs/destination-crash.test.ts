import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { DestinationType } from '../../contract/destinations/destination.ts'
import { openPool } from '../engines/postgres/postgres.ts'
import { keyOf, receivedOnce } from '../testing/exports/test-webhooks.ts'
import { azuriteUnavailable, connectionString, startAzurite } from '../testing/servers/azurite.ts'
import { sftpUnavailable, startSftpServer } from '../testing/servers/sftp-server.ts'
import { startReceiver, type TestReceiver } from '../testing/servers/test-receiver.ts'
import type { TableServer } from '../testing/servers/table-server.ts'
import { tableServers } from '../testing/servers/table-servers.ts'
import { startServiceProcess, type ServiceProcess } from '../testing/servers/test-service-process.ts'
import { createDatabase } from '../testing/test-database.ts'
import { itemAt, serviceClient, type ServiceClient } from '../testing/test-service-client.ts'

const apiKey = `phx_${'e'.repeat(40)}`
const crashes = Number(process.env['SPOOL_TEST_CRASHES'] ?? 1)
const hour = 3_600_000
/** End and start of the whole hours in the past that contain this test's events. */
const until = Math.floor(Date.now() / hour) * hour - hour
const from = until - 4 * hour
const eventCount = 6000

/** A destination, the connection to it, if any, the ids of the events that it has, and what attempts should have removed there. */
type Target = {
  integration: { kind: string; config: object } | null
  destination: { type: DestinationType; config: object }
  ids(): Promise<string[]>
  leftovers?(): Promise<unknown[]>
}

let folder: string
let pool: Pool
let service: ServiceProcess | null = null
let client: ServiceClient
let receiver: TestReceiver
const targets: Target[] = []
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-crash-'))
  pool = openPool(await createDatabase(inject('testServerUrl'), 'empty'))
  closing.push(
    () => pool.end(),
    () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  )
  // Its runs are the first.
  targets.push(await webhookTarget())
  for (const { start } of tableServers) targets.push(tableTarget(await start(pool)))
  if (azuriteUnavailable === null) targets.push(await azureTarget())
  else console.error(`The crashes of AzureBlob are skipped: ${azuriteUnavailable}.`)
  if (sftpUnavailable === null) targets.push(await sftpTarget())
  else console.error(`The crashes of SFTP are skipped: ${sftpUnavailable}.`)
  client = serviceClient(folder, apiKey, () => service?.origin)
})
afterAll(async () => {
  await service?.stop()
  for (const close of closing.toReversed()) await close()
})

test(`after ${crashes} crashes, each destination has each event once`, async () => {
  await start()
  const sent = await captureAll()
  const exports = []
  for (const target of targets) exports.push(await createExport(target))
  for (let crash = 0; crash < crashes; crash += 1) {
    for (const id of exports) await client.backfill(id, from, until).catch(ignoreInProgress)
    const answerLost = loseAnswers()
    await untilRunning(crash)
    if (crash === 0) await answerLost
    await service?.kill(crash % 2 === 0)
    receiver.state.answer = (response) => void response.end()
    await start()
  }
  await client.untilAllEnded()
  await client.withDatabase(async (database) => {
    const { rows } = await database.query('SELECT max(attempt) AS attempts FROM batch_export_runs')
    expect(Number(rows[0].attempts)).toBeGreaterThan(1)
  })
  for (const { destination, ids, leftovers } of targets) {
    const found = await ids()
    expect([destination.type, found.length]).toEqual([destination.type, sent.size])
    expect(new Set(found)).toEqual(sent)
    expect([destination.type, (await leftovers?.()) ?? []]).toEqual([destination.type, []])
  }
  expectRepeated()
  expect(await readdir(join(folder, 'uploads')).catch(() => [])).toEqual([])
}, 300_000)

async function start(): Promise<void> {
  service = await startServiceProcess(folder, { SPOOL_BOOTSTRAP_API_KEY: apiKey })
}

async function captureAll(): Promise<Set<string>> {
  const token = await client.projectToken()
  const items = Array.from({ length: eventCount }, (_, index) =>
    itemAt(from + ((index * 7919) % (until - from))),
  )
  for (let at = 0; at < items.length; at += 500)
    expect(await client.capture(token, items.slice(at, at + 500))).toBe(200)
  return new Set(items.map(({ uuid }) => uuid))
}

async function createExport({ integration, destination }: Target): Promise<string> {
  const path = '/api/projects/@current/integrations/'
  const made = integration && (await client.request<{ id: number }>('POST', path, integration))
  const created = await client.request<{ id: string }>('POST', '/api/projects/@current/batch_exports/', {
    name: destination.type,
    interval: 'hour',
    destination: { ...destination, ...(made && { integration_id: made.id }) },
  })
  return created.id
}

/** Rethrows the error unless the same backfill is still in progress. */
function ignoreInProgress(error: unknown): void {
  if (!String(error).includes('409')) throw error
}

/** Resolves while runs are being executed, later into them with each crash. */
async function untilRunning(crash: number): Promise<void> {
  await client.withDatabase(async (database) => {
    for (let seen = 0; seen <= crash * 20;) {
      const { rows } = await database.query(
        `SELECT count(*) FILTER (WHERE status = 'Running') AS running,
          count(*) FILTER (WHERE status IN ('Starting', 'Running', 'FailedRetryable')) AS left FROM batch_export_runs`,
      )
      if (Number(rows[0].running) > 0) seen += 1
      if (Number(rows[0].left) === 0) return
    }
  })
}

const kinds: Record<string, string> = { Postgres: 'postgresql', MySQL: 'mysql', ClickHouse: 'clickhouse' }

function tableTarget(server: TableServer): Target {
  closing.push(() => server.close())
  const { database, ...address } = server.config
  return {
    integration: { kind: kinds[server.type] ?? '', config: { ...address, password: server.password } },
    destination: { type: server.type, config: { database, table_name: 'crashed "é"' } },
    ids: async () => {
      const rows = await server.query(`SELECT uuid FROM ${server.quote('crashed "é"')}`)
      return rows.map(({ uuid }) => String(uuid))
    },
    leftovers: server.leftovers,
  }
}

async function azureTarget(): Promise<Target> {
  const azurite = await startAzurite()
  closing.push(() => azurite.stop())
  return {
    integration: { kind: 'azure-blob', config: { connection_string: connectionString(azurite.origin) } },
    destination: { type: 'AzureBlob', config: { container_name: 'exports', prefix: 'crashed' } },
    async ids() {
      const names = await azurite.list('crashed/')
      return idsIn(await Promise.all(names.map(async (name) => (await azurite.read(name)).toString())))
    },
    leftovers: async () => (await azurite.list('')).filter((name) => !/^crashed\/[^/]+\.jsonl$/.test(name)),
  }
}

async function sftpTarget(): Promise<Target> {
  const server = await startSftpServer()
  closing.push(() => server.stop())
  const place = join(server.files, 'crashed')
  const isComplete = (name: string) => name.endsWith('.jsonl')
  return {
    integration: { kind: 'sftp', config: { ...server.config, private_key: server.privateKey } },
    destination: { type: 'SFTP', config: { path: 'crashed' } },
    async ids() {
      const names = (await readdir(place)).filter(isComplete)
      return idsIn(await Promise.all(names.map((name) => readFile(join(place, name), 'utf8'))))
    },
    leftovers: async () => (await readdir(place)).filter((name) => !isComplete(name)),
  }
}

async function webhookTarget(): Promise<Target> {
  receiver = await startReceiver()
  closing.push(async () => receiver.stop())
  return {
    integration: null,
    destination: { type: 'Webhook', config: { url: receiver.origin, batch_size: 100 } },
    ids: async () => receivedOnce(receiver.received),
  }
}

/** Answers no request after the next two; resolves when one was not answered. */
function loseAnswers(): Promise<void> {
  const lost = Promise.withResolvers<void>()
  const before = receiver.received.length
  receiver.state.answer = (response) => {
    if (receiver.received.length <= before + 2) response.end()
    else lost.resolve()
  }
  return lost.promise
}

/** Expects that batches of a window arrived in order, and that repeated ones had the key and the body of the first. */
function expectRepeated(): void {
  const windows = Map.groupBy(receiver.received, (message) =>
    keyOf(message).split(':').slice(0, -2).join(':'),
  )
  for (const [window, messages] of windows) {
    const numbers = messages.map((message) => Number(keyOf(message).split(':').at(-2)))
    // A run goes on after the last acknowledged batch; another backfill begins again.
    const isInOrder = numbers.every((number, at) => {
      const last = numbers[at - 1] ?? -1
      return number === 0 || number === last || number === last + 1
    })
    expect([window, numbers, isInOrder]).toEqual([window, numbers, true])
  }
  const repeats = [...Map.groupBy(receiver.received, keyOf).values()].filter(({ length }) => length > 1)
  expect(repeats.length).toBeGreaterThan(0)
  for (const messages of repeats) expect(new Set(messages.map(({ body }) => body)).size).toBe(1)
}

/** Returns the ids of the events in files of JSON lines. @throws if a file is incomplete. */
function idsIn(files: readonly string[]): string[] {
  return files.flatMap((text) => text.trimEnd().split('\n')).map((line): string => JSON.parse(line).uuid)
}
