import { randomInt } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { azuriteUnavailable, connectionString, container, startAzurite } from '../testing/servers/azurite.ts'
import { sftpUnavailable, startSftpServer, type SftpTestServer } from '../testing/servers/sftp-server.ts'
import { itemAt, serviceClient, type ServiceClient } from '../testing/test-service-client.ts'
import { startServiceProcess, type ServiceProcess } from '../testing/servers/test-service-process.ts'

const apiKey = `phx_${'e'.repeat(40)}`
const crashes = Number(process.env['SPOOL_TEST_CRASHES'] ?? 3)
const hour = 3_600_000
const windows = 3
const until = Math.floor(Date.now() / hour) * hour - hour
const from = until - windows * hour
const eventsPerWindow = 3000

const unavailable = azuriteUnavailable ?? sftpUnavailable

describe.skipIf(unavailable !== null)('Azure and SFTP', () => {
  let folder: string
  let service: ServiceProcess | null = null
  let client: ServiceClient
  let azurite: Awaited<ReturnType<typeof startAzurite>>
  let server: SftpTestServer

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spool-upload-crash-'))
    client = serviceClient(folder, apiKey, () => service?.origin)
    ;[azurite, server] = await Promise.all([startAzurite(), startSftpServer()])
  })
  afterAll(async () => {
    await service?.stop()
    await Promise.all([azurite.stop(), server.stop()])
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  async function start(): Promise<void> {
    service = await startServiceProcess(folder, { SPOOL_BOOTSTRAP_API_KEY: apiKey })
  }

  /** Captures events of all windows; returns their ids. */
  async function captureAll(): Promise<string[]> {
    const token = await client.projectToken()
    const ids: string[] = []
    for (let window = 0; window < windows; window += 1)
      for (let sent = 0; sent < eventsPerWindow; sent += 500) {
        const batch = Array.from({ length: 500 }, (_, index) =>
          itemAt(from + window * hour + (((sent + index) * 7919) % hour)),
        )
        expect(await client.capture(token, batch)).toBe(200)
        ids.push(...batch.map(({ uuid }) => uuid))
      }
    return ids.sort()
  }

  async function createExport(kind: string, connection: object, destination: object): Promise<string> {
    const project = '/api/projects/@current'
    const body = { kind, config: { name: kind, ...connection } }
    const { id } = await client.request<{ id: number }>('POST', `${project}/integrations/`, body)
    const input = {
      name: kind,
      interval: 'hour',
      paused: true,
      destination: { ...destination, integration_id: id },
    }
    return (await client.request<{ id: string }>('POST', `${project}/batch_exports/`, input)).id
  }

  /** Resolves while a run is being executed, at a random moment; at first as soon as one is. */
  async function untilRunning(isFirst: boolean): Promise<void> {
    await client.withDatabase(async (database) => {
      const wanted = isFirst ? 1 : randomInt(1, 60)
      for (let seen = 0; seen < wanted;) {
        const { rows } = await database.query(
          `SELECT FROM batch_export_runs WHERE status = 'Running' LIMIT 1`,
        )
        if (rows.length > 0) seen += 1
        else if (seen > 0) return
      }
    })
  }

  const idsOf = (texts: readonly string[]) =>
    texts
      .flatMap((text) => text.trimEnd().split('\n'))
      .map((line) => (JSON.parse(line) as { uuid: string }).uuid)
      .sort()

  test(
    `after ${crashes} crashes, every event is there once, and no file is left unfinished`,
    { tags: ['slow'], timeout: 600_000 },
    async () => {
      await start()
      const ids = await captureAll()
      const exports = await Promise.all([
        createExport(
          'azure-blob',
          { connection_string: connectionString(azurite.origin) },
          { type: 'AzureBlob', config: { container_name: container, prefix: 'crash' } },
        ),
        createExport(
          'sftp',
          { ...server.config, private_key: server.privateKey },
          { type: 'SFTP', config: { path: 'crash' } },
        ),
      ])
      for (let crash = 0; crash < crashes; crash += 1) {
        for (const id of exports) await client.backfill(id, from, until)
        await untilRunning(crash === 0)
        await service?.kill(crash % 2 === 0)
        await start()
        await client.untilAllEnded()
        await check(ids)
      }
      await client.withDatabase(async (database) => {
        const { rows } = await database.query(`SELECT max(attempt) AS attempts FROM batch_export_runs`)
        expect(Number(rows[0].attempts)).toBeGreaterThan(1)
      })
    },
  )

  /** Reads both destinations without the service. */
  async function check(ids: readonly string[]): Promise<void> {
    const blobs = await azurite.list('crash')
    expect(blobs).toHaveLength(windows)
    const read = await Promise.all(blobs.map(async (key) => (await azurite.read(key)).toString()))
    expect(idsOf(read)).toEqual(ids)
    const files = await readdir(join(server.files, 'crash'))
    expect(files).toHaveLength(windows)
    const kept = await Promise.all(files.map((name) => readFile(join(server.files, 'crash', name), 'utf8')))
    expect(idsOf(kept)).toEqual(ids)
    expect(await readdir(join(folder, 'uploads'))).toEqual([])
  }
})
