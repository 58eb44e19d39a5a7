import { createServer } from 'node:net'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TablePlan } from '../../../contract/exports/table-plan.ts'
import { integrationKinds } from '../../../contract/integrations/integration-kinds.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import type { TableServer } from '../../testing/servers/table-server.ts'
import { tableServers } from '../../testing/servers/table-servers.ts'
import { createIntegration, type ConnectionKind } from '../../testing/test-integrations.ts'
import { createExport } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let pool: Pool
const exports = '/api/projects/@current/batch_exports/'
const ask = (body: object) => service.request('POST', `${exports}table_plan/`, { body })

beforeAll(async () => {
  service = await createTestService({
    now: '2026-03-04T10:30:00Z',
    config: { privateDestinations: 'loopback' },
  })
  pool = new Pool({ connectionString: service.services.config.databaseUrl ?? '' })
  const at = '2026-03-03T10:00:00Z'
  const event = {
    team_id: service.own.project_id,
    uuid: randomUUID(),
    event: 'order placed',
    properties: JSON.stringify({ note: 'ü'.repeat(100) }),
    distinct_id: 'someone',
    timestamp: at,
    created_at: at,
    inserted_at: at,
    elements_chain: '',
    person_id: randomUUID(),
    person_properties: '{}',
  }
  await service.services.warehouse.insert('events', JSON.stringify(event))
})
afterAll(async () => {
  await pool.end()
  await service.stop()
})

async function planned(body: object) {
  const response = await ask(body)
  expect(response.status, response.text).toBe(200)
  const { plan, problem } = bodyOf(TablePlan, response)
  expect(problem).toBe(null)
  if (!plan) throw new Error('there is no plan')
  return { ...plan, column: (name: string) => plan.columns.find((column) => column.name === name) }
}

describe.for(tableServers)('$name', ({ start }) => {
  let server: TableServer
  let destination: { type: string; integration_id: number; config: Record<string, unknown> }
  beforeAll(async () => {
    server = await start(pool)
    const { database, ...address } = server.config
    const kind = destinationKinds[server.type].integration?.kind as ConnectionKind
    expect(integrationKinds).toHaveProperty([kind])
    const { id } = await createIntegration(
      service,
      { ...address, password: server.password },
      '@current',
      kind,
    )
    destination = { type: server.type, integration_id: id, config: { database } }
  })
  afterAll(() => server?.close())
  const inTable = (table_name: string, more: object = {}) => ({
    destination: { ...destination, config: { ...destination.config, table_name, ...more } },
  })

  test('shows the table to create, with a sample of each column', async () => {
    const columns = [
      { name: 'distinct_id', as: 'visitor', hash: true },
      { name: 'elements_chain', omit: true },
    ]
    const plan = await planned(inTable('orders "é"', { columns }))
    expect(plan).toMatchObject({ exists: false, has_windows: true, unfilled: [] })
    expect(plan.ddl).toContain(`CREATE TABLE ${plan.table}`)
    expect(plan.ddl).toContain(server.quote('visitor'))
    expect(plan.ddl).not.toContain('elements_chain')
    expect(plan.column('event')).toMatchObject({
      type: 'String',
      target: 'event',
      hashed: false,
      type_there: expect.stringMatching(/text|String/i),
      clash: null,
      sample: 'order placed',
    })
    expect(plan.column('properties')).toMatchObject({ type: 'JSON', sample: `{"note":"${'ü'.repeat(71)}…` })
    expect(plan.column('timestamp')).toMatchObject({
      type: 'DateTime',
      sample: '2026-03-03 10:00:00.000000',
    })
    expect(plan.column('distinct_id')).toMatchObject({
      type: 'String',
      target: 'visitor',
      hashed: true,
      sample: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(plan.column('elements_chain')).toMatchObject({ target: null, type_there: null, sample: '' })
    const tables = await server.query(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE 'orders%'",
    )
    expect(tables).toEqual([])
  })

  test('shows what an existing table lacks, what clashes, and what is not filled', async () => {
    const { text, integer, end } = server.types
    await server.query(
      `CREATE TABLE ${server.quote('older')} (event ${integer}, who ${text}, note ${text}) ${end}`,
    )
    const plan = await planned(inTable('older', { columns: [{ name: 'distinct_id', as: 'who' }] }))
    expect(plan).toMatchObject({ exists: true, has_windows: false })
    expect(plan.unfilled.map(({ name }) => name)).toEqual(['note'])
    expect(plan.column('event')?.clash).toMatch(/^has the type /)
    expect(plan.column('distinct_id')).toMatchObject({ target: 'who', clash: null })
    expect(plan.column('distinct_id')?.type_there).not.toBe(null)
    expect(plan.column('properties')).toMatchObject({ target: 'properties', type_there: null, clash: null })
  })

  test('explains what the database refuses, as a test of the connection does', async () => {
    const config = { ...destination.config, database: 'no "such" one' }
    const response = await ask({ destination: { ...destination, config } })
    expect(response.status, response.text).toBe(200)
    const { plan, problem } = bodyOf(TablePlan, response)
    expect(plan).toBe(null)
    expect(problem?.detail).toMatch(/^(There is no database|The database|.*no "such" one)/)
    expect(response.text).not.toContain(JSON.stringify(server.password).slice(1, -1))
  })
})

const inline = (config: object) => ({
  type: 'Postgres',
  config: { host: '127.0.0.1', database: 'd', user: 'u', password: 'planted-password', ...config },
})

test('POST /api/projects/:project_id/batch_exports/table_plan/ returns 200 and explains that nothing responds, without the secrets, and takes those of a stored export', async () => {
  const silent = createServer((socket) => socket.end())
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const created = await createExport(service, { destination: inline({ port }) })
  const {
    password: _,
    user: __,
    ...config
  } = inline({ port, table_name: 'other' }).config as Record<string, unknown>
  const response = await ask({ id: created.id, destination: { type: 'Postgres', config } })
  silent.close()
  expect(response.status, response.text).toBe(200)
  expect(bodyOf(TablePlan, response)).toMatchObject({
    plan: null,
    problem: { detail: expect.any(String), remedy: expect.any(String) },
  })
  expect(response.text).not.toContain('planted-password')
})

test('refuses columns that the export lacks, wrong queries and destinations without a table', async () => {
  const refused = [
    [
      { destination: inline({ columns: [{ name: 'city', omit: true }] }) },
      'destination__non_field_errors',
      'The export has no column "city".',
    ],
    [
      { destination: inline({}), hogql_query: 'SELECT nothing FROM events' },
      'hogql_query',
      expect.any(String),
    ],
    [
      { destination: { type: 'File', config: { path: 'a' } } },
      'destination__type',
      'Only a destination that is a table has a plan.',
    ],
  ] as const
  for (const [body, attr, detail] of refused) {
    const response = await ask(body)
    expect(response.status, response.text).toBe(400)
    expect(problemOf(response)).toMatchObject({ attr, detail })
  }
})

test('an export is saved only with changes that fit its columns, also when its query changes', async () => {
  const destination = inline({ table_name: 'saved', columns: [{ name: 'event', as: 'name' }] })
  const created = await createExport(service, { destination })
  expect(created.destination.config).toMatchObject({ columns: [{ name: 'event', as: 'name' }] })
  const yaml = await service.request('GET', `${exports}as_yaml/?id=${created.id}`)
  expect(yaml.text).toMatch(/columns:\n\s+- as: name\n\s+name: event\n/)
  const change = (body: object) => service.request('PATCH', `${exports}${created.id}/`, { body })
  const response = await change({ hogql_query: 'SELECT uuid, distinct_id FROM events' })
  expect([response.status, problemOf(response).detail]).toEqual([400, 'The export has no column "event".'])
  expect((await change({ name: 'Renamed' })).status).toBe(200)
  const both = await change({
    hogql_query: 'SELECT uuid, distinct_id FROM events',
    destination: { type: 'Postgres', config: { columns: null } },
  })
  expect(both.status, both.text).toBe(200)
})

test('connects to no address in a private network', async () => {
  const response = await ask({ destination: inline({ host: '10.0.0.1' }) })
  expect([response.status, problemOf(response).detail]).toEqual([
    400,
    expect.stringContaining('10.0.0.1 is not on the public internet'),
  ])
})
