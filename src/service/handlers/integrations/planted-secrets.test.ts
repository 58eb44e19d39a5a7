import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { endpoints, type Endpoint } from '../../../contract/endpoints.ts'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { evaluateRules } from '../../alerts/evaluate-rules.ts'
import { openWorker } from '../../runs/worker.ts'
import { findRow } from '../../store/schema/rows.ts'
import { connectionConfigs, createIntegration, type ConnectionKind } from '../../testing/test-integrations.ts'
import { insertEvents } from '../../testing/test-jobs.ts'
import { placeOf, type Place } from '../../testing/test-place.ts'
import { createExport, insertRun } from '../../testing/test-rows.ts'
import { createTestService, type TestService } from '../../testing/test-service.ts'
import { startHttpServer } from '../../testing/servers/test-http-server.ts'

/** Part of every secret of this test. */
const planted = `planted${randomUUID().replaceAll('-', '')}`
const encoded = Buffer.from(planted).toString('base64').replaceAll('=', '')

let service: TestService
let store: Awaited<ReturnType<typeof startHttpServer>>
/** What the service answered and logged. */
const texts: string[] = []

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  const { logger } = service.services
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)
    vi.spyOn(logger, level).mockImplementation((...line: unknown[]) => {
      const plain = (_: string, value: unknown) =>
        value instanceof Error ? { ...value, text: value.stack, cause: value.cause } : value
      texts.push(JSON.stringify(line, plain))
    })
  // A store that repeats everything that it was sent in its refusals.
  store = await startHttpServer(({ headers, method }, response) => {
    if (method === 'HEAD') return void response.writeHead(400).end()
    response.writeHead(403, { 'content-type': 'application/xml' })
    const message = `${JSON.stringify(headers)} ${planted}-secret ${planted}-id`
    response.end(
      `<Error><Code>AccessDenied</Code><Message>${message.replaceAll(/[<>&]/g, '')}</Message></Error>`,
    )
  })
})
afterAll(async () => {
  vi.restoreAllMocks()
  store.stop()
  await service.stop()
})

async function ask(method: string, path: string, body?: object) {
  const response = await service.request(method, path, body === undefined ? {} : { body })
  texts.push(`${method} ${path} ${response.text} ${JSON.stringify(response.headers)}`)
  return response
}

const exportsPath = '/api/projects/@current/batch_exports/'
const integrationsPath = '/api/projects/@current/integrations/'
const keys = { aws_access_key_id: `${planted}-id`, aws_secret_access_key: `${planted}-secret` }
const bucket = (prefix: string) => ({ bucket_name: 'lake', region: 'us-east-1', prefix })

/** Creates a connection of each kind with planted secrets. */
async function connections() {
  const config = (kind: ConnectionKind): object =>
    JSON.parse(
      JSON.stringify(connectionConfigs[kind])
        .replaceAll(/planted-\w+/g, `${planted}-${kind}`)
        .replaceAll('cGxhbnRlZA==', `${encoded}=`),
    )
  for (const kind of Object.keys(connectionConfigs) as ConnectionKind[])
    await ask('POST', integrationsPath, { kind, config: { name: kind, ...config(kind) } })
}

async function failingRun(made: BatchExport) {
  const at = service.clock.now()
  const window = {
    data_interval_start: new Date(at - 7_200_000),
    data_interval_end: new Date(at - 3_600_000),
  }
  const run = await insertRun(service, made, {
    ...window,
    origin: 'schedule',
    status: 'Starting',
    selects_by: 'time',
    finished_at: null,
  })
  await openWorker(service.services).work(run.id)
  const ended = await findRow(service.services.store, 'batch_export_runs', { id: run.id })
  expect(ended?.latest_error).toContain('***')
  return run.id
}

test('no secret of a connection or an export is in an answer, a log, an error, the history, a file or the database', async () => {
  await connections()
  const { id } = await createIntegration(service, { endpoint_url: store.origin, ...keys })
  const connected = await createExport(service, {
    destination: { type: 'S3Compatible', config: bucket('connected'), integration_id: id },
  })
  const inline = await createExport(service, {
    destination: { type: 'S3', config: { ...bucket('inline'), endpoint_url: store.origin, ...keys } },
  })
  const table = await createExport(service, {
    destination: {
      type: 'Postgres',
      config: {
        database: 'shop',
        host: '127.0.0.1',
        port: 9,
        user: `${planted}-user`,
        password: `${planted}-password`,
      },
    },
  })
  await insertEvents(service.services, service.own.project_id, [
    { timestamp: service.clock.now() - 7_000_000 },
  ])
  const runs = [await failingRun(connected), await failingRun(inline)]
  for (const { id: made } of [connected, inline, table]) {
    await ask('PATCH', `${exportsPath}${made}/`, { destination: { config: { exclude_events: ['a'] } } })
    await ask('POST', `${exportsPath}${made}/run_test_step/`, { step: 4 })
    await ask('POST', `${exportsPath}test_connection/`, {
      id: made,
      destination: {
        type: (await findRow(service.services.store, 'batch_exports', { id: made }))?.destination_type,
      },
    })
  }
  const rotated = { endpoint_url: store.origin, ...keys }
  const refused = await ask('POST', `${integrationsPath}${id}/rotate/`, { config: rotated })
  expect(refused.status).toBe(400)
  await ask('POST', integrationsPath, { kind: 'aws-s3', config: { ...keys, junk: planted.length } })
  await evaluateRules(service.services)

  await getEverything(connected, { run: runs[0] ?? '', integration: String(id) })
  await getEverything(inline, { run: runs[1] ?? '' })
  expect(texts.join('\n')).toContain('as_yaml')
  expect(texts.length).toBeGreaterThan(100)
  const leaks = texts.filter((text) => text.includes(planted) || text.includes(encoded))
  expect(leaks.map((text) => text.slice(0, 300))).toEqual([])
  expect(await tablesWith(planted)).toEqual([])
}, 60_000)

/** Requests every endpoint that only reads, with the objects of an export. */
async function getEverything(made: BatchExport, objects: Partial<Place>): Promise<void> {
  const place = { ...(await placeOf(service, service.own.project_id, made)), ...objects }
  for (const { method, path, loads } of Object.values<Endpoint>(endpoints)) {
    if (method !== 'GET' || loads?.link) continue
    const filled = Object.entries(place).reduce((now, [object, id]) => {
      const param = loads?.[object as keyof Place]
      return param === undefined ? now : now.replace(`:${param}/`, `${id}/`)
    }, path)
    await ask('GET', filled)
  }
}

/** Returns the tables whose rows contain a text as it is. */
async function tablesWith(text: string): Promise<string[]> {
  const { store: database } = service.services
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`.execute(database)
  const found: string[] = []
  for (const { name } of rows) {
    const hits = await sql`SELECT 1 FROM ${sql.table(name)} AS row WHERE position(${text} IN row::text) > 0
      OR position(encode(${text}::bytea, 'hex') IN row::text) > 0 LIMIT 1`.execute(database)
    if (hits.rows.length > 0) found.push(name)
  }
  return found
}
