import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stripLength } from '../contract/recordings/recording-facts.ts'
import { openIngest } from './capture/ingest.ts'
import { readConfig } from './config.ts'
import { tick } from './background/scheduler.ts'
import { openWorker } from './runs/worker.ts'
import { openServices } from './open-services.ts'
import { blockFolder, writeBlock } from './snapshots/blocks.ts'
import { createServer } from './server/server.ts'
import type { Services } from './services.ts'
import { statements } from './warehouse/tables.ts'
import { openStore } from './store/schema/database.ts'
import { migrate } from './store/schema/migrate.ts'
import { readMigrations } from './store/schema/migrations.ts'
import { testClock } from './testing/test-clock.ts'
import { testEngines, type TestEngines } from './testing/test-engines.ts'

/** As in the rows. */
const key = 'phx_previous_version'
const exportId = '00000000-0000-4000-8000-000000000010'
const person = '00000000-0000-4000-8000-000000000050'
const blockKey = `${blockFolder(1, 'session')}00000000-0000-7000-8000-000000000061`
const summaryId = '00000000-0000-4000-8000-000000000070'
const clock = testClock('2026-03-04T11:10:00Z')

/** Facts of the recording as the previous version stored them. */
const facts = {
  pages: [{ label: 'Shop', url: 'shop.example/', at: 0 }],
  page_count: 1,
  outcome: { kind: 'completed', label: 'Order', at: 0 },
  problems: [],
  strip: Array.from({ length: stripLength }, () => 0),
  moment: 0,
  browser: 'Firefox',
  os: null,
  device: 'desktop',
  country: null,
  summary: 'An old sentence.',
}
const lines = [
  { text: 'Completed: “Order” in 2 recordings.', visits: 2, example: null },
  { text: 'Completed: “Mail” in 1 recording.', visits: 1, example: null },
]
const result = {
  overview: 'An old summary.',
  outcomes: { completed: 3, left: 0, error: 0 },
  sections: [{ name: 'completed', lines }],
  wording: null,
}

let engines: TestEngines
let services: Services
let server: FastifyInstance

beforeAll(async () => {
  engines = await testEngines('empty')
  const [base] = readMigrations()
  if (!base) throw new Error('There is no base schema.')
  const tables = statements.slice(0, 15)
  // The previous version created its tables with these statements: a change of the schema comes after them.
  expect(
    [base.statements, tables.join(';\n')].map((text) => createHash('sha256').update(text).digest('hex')),
  ).toEqual([
    '75b4aadff4db3ea66d8e7550b0d113bc14bd762ee4d666566f2a8f12d81ccc35',
    'b66be5864c08833a143afea8ec00bc74259cbe88137a8fd048857a44456d0478',
  ])
  await migrate(openStore(engines.postgres.pool, { limitMs: null }), [base])
  await engines.postgres.pool.query(
    await readFile(new URL('testing/previous-version.sql', import.meta.url), 'utf8'),
  )
  await engines.postgres.pool.query(
    `INSERT INTO recording_visits (recording_id, project_id, start_time, facts)
    SELECT id, project_id, start_time, $1 FROM session_recordings`,
    [JSON.stringify({ ...facts, rage_click_count: 1, left_form: false, time: [] })],
  )
  await engines.postgres.pool.query(
    `INSERT INTO visit_summaries (id, project_id, actor, status, matched, total, done, result, created_at, finished_at)
    SELECT $1, id, 'Old key', 'Completed', 3, 3, 3, $2, '2026-03-04T10:00Z', '2026-03-04T10:01Z' FROM projects`,
    [summaryId, JSON.stringify(result)],
  )
  await engines.postgres.pool.query(
    'INSERT INTO visit_summary_items (summary_id, recording_id, done) SELECT $1, id, true FROM session_recordings',
    [summaryId],
  )
  await engines.postgres.pool.query(
    `INSERT INTO error_states (project_id, cluster, pattern, state, actor, changed_at)
    SELECT id, 7, 'x', 'resolved', 'Old key', '2026-03-04T10:00Z' FROM projects`,
  )
  await engines.postgres.pool.query(
    `UPDATE api_keys SET scopes = '{*,session_recording:write}' WHERE label = 'Old key'`,
  )
  for (const statement of tables) await engines.warehouse.command(statement)
  const at = '2026-03-04T10:30:00Z'
  await engines.warehouse.insert(
    'events',
    JSON.stringify({
      team_id: 1,
      uuid: randomUUID(),
      event: 'old',
      properties: '{"$session_id":"session"}',
      distinct_id: 'visitor',
      timestamp: at,
      created_at: at,
      inserted_at: at,
      person_id: person,
      person_properties: '{}',
    }),
  )
  await writeBlock(engines.objects, blockKey, JSON.stringify(['window', meta]))
  services = await openServices(engines, {
    config: readConfig({ DATABASE_URL: engines.postgres.url }),
    clock,
    logger: pino({ level: 'silent' }),
  })
  server = await createServer(services)
})
afterAll(async () => {
  await server.close()
  await engines.cleanup()
})

const meta = {
  type: 4,
  timestamp: Date.parse('2026-03-04T09:00:00Z'),
  data: { href: 'https://shop.example/', width: 800, height: 600 },
}

async function get(path: string): Promise<unknown> {
  const response = await server.inject({
    method: 'GET',
    url: path,
    headers: { authorization: `Bearer ${key}` },
  })
  expect(response.statusCode, `${path}: ${response.body}`).toBe(200)
  return response.json()
}

const project = '/api/projects/@current'
const ofExport = `${project}/batch_exports/${exportId}/`

test('a data directory of the previous version shows what it holds', async () => {
  expect(await get(`${project}/batch_exports/`)).toMatchObject({
    count: 2,
    results: expect.arrayContaining([
      expect.objectContaining({ id: exportId, paused: false, owner: 'Data', tags: ['shop'] }),
      expect.objectContaining({ name: 'Paused', paused: true, pause_reason: 'A move.' }),
    ]),
  })
  expect(await get(`${ofExport}runs/`)).toMatchObject({
    results: expect.arrayContaining([
      expect.objectContaining({ status: 'Failed', latest_error: 'The bucket is gone.' }),
    ]),
  })
  expect(await get(`${ofExport}logs/`)).toMatchObject({
    results: [expect.objectContaining({ message: 'An old line.' })],
  })
  expect(await get(`${project}/batch_exports/overview/`)).toMatchObject({ results: [{}, {}] })
  expect(await get(`${ofExport}ledger/?start=2026-03-04T08:00:00Z&end=2026-03-04T09:00:00Z`)).toMatchObject({
    results: [{ state: 'unverified', entry: { objects: [{ checksum: 'crc32:cbf43926' }, {}], bytes: 100 } }],
  })
  expect(await get(`${project}/incidents/`)).toMatchObject({ results: [{ kind: 'failed' }] })
  expect(await get(`${project}/session_recordings/`)).toMatchObject({
    results: [expect.objectContaining({ id: 'session', start_url: 'https://shop.example/' })],
  })
  expect(await get(`${project}/session_recordings/session/`)).toMatchObject({ click_count: 1, facts })
  const { sections, ...rest } = result
  expect(await get(`${project}/session_recordings/summaries/${summaryId}/`)).toMatchObject({
    status: 'Completed',
    result: {
      ...rest,
      sections: sections.map(({ name, lines }) => ({
        name,
        lines: lines.map(({ visits: recordings, ...line }) => ({ ...line, recordings })),
      })),
    },
  })
  expect(
    await get(
      `${project}/session_recordings/session/snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=0`,
    ),
  ).toEqual(['window', meta])
  expect(await get(`${project}/session_recordings/session/links/`)).toMatchObject({
    results: [{ views: 7, label: 'An old link' }],
  })
  expect(await get(`${project}/recording_notes/`)).toMatchObject({ results: [{ text: 'An old note.' }] })
  const scopes = ['*', 'session_recording:write', 'error_tracking:write']
  expect(await get('/api/personal_api_keys/')).toMatchObject([{ label: 'Old key', scopes }])
  const changed = { state: 'resolved', state_by: 'Old key', state_at: new Date('2026-03-04T10:00:00Z') }
  expect(await services.store.selectFrom('triage').selectAll().execute()).toMatchObject([
    { kind: 'error', key: '7', assignee: null, ...changed },
  ])
})

test('it keeps working: the next window is exported, with events of both versions, and no event arrives in a closed one', async () => {
  const ingest = openIngest(services)
  const uuid = randomUUID()
  // Another machine's clock had been ahead: the previous version closed windows up to 10:00.
  clock.set('2026-03-04T09:40:00Z')
  await ingest.add(1, [
    {
      uuid,
      event: 'new',
      distinctId: 'visitor',
      timestamp: clock.now(),
      properties: '{}',
      sessionId: '',
      elementsChain: '',
      change: null,
    },
  ])
  clock.set('2026-03-04T11:10:00Z')
  expect(await tick(services)).toEqual({ created: 1 })
  const run = await services.store
    .selectFrom('batch_export_runs')
    .select('id')
    .where('status', '=', 'Starting')
    .executeTakeFirstOrThrow()
  await openWorker(services).work(run.id)
  const { files } = await services.store
    .selectFrom('batch_export_runs')
    .select(['status', 'files'])
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  const text = await readFile(join(engines.exportsFolder ?? '', '1', files[0] ?? ''), 'utf8')
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line): { event: string; person_id: string } => JSON.parse(line))
  expect(rows.map(({ event, person_id }) => [event, person_id]).toSorted()).toEqual([
    ['new', person],
    ['old', person],
  ])
})
