import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BatchExport } from '../../contract/batch-export.ts'
import { offsetPage } from '../../contract/page.ts'
import { createExport, exportInput, insertRun, s3Destination } from '../http/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../http/test-service.ts'

const now = '2026-03-04T10:30:00Z'
const ExportPage = offsetPage(BatchExport)
const scopes = ['projects', 'organizations'] as const
let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(() => service.clock.set(now))

function pathIn(scope: (typeof scopes)[number]): string {
  const { own } = service
  return `/api/${scope}/${scope === 'projects' ? own.project_id : own.organization_id}/batch_exports/`
}

async function cursorOf(id: string): Promise<string> {
  const row = await service.services.store
    .selectFrom('batch_exports')
    .select('scheduled_until')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.scheduled_until.toISOString()
}

async function logOf(id: string): Promise<string[]> {
  const answer = await service.request('GET', `${pathIn('projects')}${id}/logs/`)
  const { results } = z.object({ results: z.array(z.object({ message: z.string() })) }).parse(answer.body)
  return results.map((line) => line.message)
}

describe.each(scopes)('batch exports of %s', (scope) => {
  const of = `/api/${scope}/:${scope.slice(0, -1)}_id/batch_exports`

  test(`POST ${of}/ answers 201 with the export, its defaults and no secrets`, async () => {
    const created = await createExport(service, { destination: s3Destination }, pathIn(scope))
    const { id, ...shown } = created
    expect(shown).toEqual({
      team_id: service.own.project_id,
      name: 'Daily events',
      model: 'events',
      destination: {
        type: 'S3',
        config: { bucket_name: 'reports', region: 'eu-central-1', prefix: 'daily/' },
      },
      interval: 'hour',
      paused: false,
      created_at: now,
      last_updated_at: now,
      last_paused_at: null,
      start_at: null,
      end_at: null,
      latest_runs: [],
      hogql_query: '',
      schema: null,
    })
    expect(await cursorOf(id)).toBe('2026-03-04T10:00:00.000Z')
    expect(await logOf(id)).toEqual(["Created by key 'Own key'."])
  })

  test(`GET ${of}/ lists the newest first, in pages with absolute links`, async () => {
    for (const name of ['one', 'two', 'three']) await createExport(service, { name }, pathIn(scope))
    const headers = { host: 'spool.example.com', 'x-forwarded-proto': 'https' }
    const answer = await service.request('GET', `${pathIn(scope)}?limit=2&offset=1`, { headers })
    const page = bodyOf(ExportPage, answer)
    expect(page.results.map((row) => row.name)).toEqual(['two', 'one'])
    const base = `https://spool.example.com${pathIn(scope)}`
    expect(page.next).toBe(`${base}?limit=2&offset=3`)
    expect(page.previous).toBe(`${base}?limit=2`)
    const last = bodyOf(ExportPage, await service.request('GET', `${pathIn(scope)}?offset=${page.count - 1}`))
    expect(last.results).toHaveLength(1)
    expect(last.next).toBeNull()
  })

  test(`GET ${of}/:id/ answers 200 with the ten newest runs`, async () => {
    const created = await createExport(service, {}, pathIn(scope))
    for (let index = 0; index < 12; index++) {
      service.clock.advance(1020)
      await insertRun(service, created, { records_completed: index })
    }
    const answer = await service.request('GET', `${pathIn(scope)}${created.id}/`)
    const found = bodyOf(BatchExport, answer)
    const [newest] = found.latest_runs
    const run = `/api/projects/@current/batch_exports/${created.id}/runs/${newest?.id}/`
    expect((await service.request('GET', run)).body).toEqual(newest)
    expect(found.latest_runs.map((run) => run.records_completed)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  })

  test(`PATCH ${of}/:id/ changes what it names and keeps the rest, secrets too`, async () => {
    const created = await createExport(service, { destination: s3Destination }, pathIn(scope))
    service.clock.advance(60_000)
    const body = { name: 'Renamed', team_id: 99, destination: { type: 'S3', config: { prefix: 'new/' } } }
    const answer = await service.request('PATCH', `${pathIn(scope)}${created.id}/`, { body })
    expect(answer.status, answer.text).toBe(200)
    expect(bodyOf(BatchExport, answer)).toEqual({
      ...created,
      name: 'Renamed',
      destination: { type: 'S3', config: { ...created.destination.config, prefix: 'new/' } },
      last_updated_at: '2026-03-04T10:31:00Z',
    })
    const row = await service.services.store
      .selectFrom('batch_exports')
      .select('destination_secrets')
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow()
    expect(service.services.secrets.open(row.destination_secrets ?? Buffer.of())).toContain('very-secret')
  })

  test(`PUT ${of}/:id/ wants every required field`, async () => {
    const created = await createExport(service, {}, pathIn(scope))
    const path = `${pathIn(scope)}${created.id}/`
    const partial = await service.request('PUT', path, { body: { name: 'Renamed' } })
    expect(problemOf(partial)).toMatchObject({ code: 'required', attr: 'destination' })
    const whole = await service.request('PUT', path, { body: { ...exportInput, name: 'Renamed' } })
    expect(bodyOf(BatchExport, whole).name).toBe('Renamed')
  })

  test(`DELETE ${of}/:id/ answers 204 without a body, then 404`, async () => {
    const created = await createExport(service, {}, pathIn(scope))
    const path = `${pathIn(scope)}${created.id}/`
    const answer = await service.request('DELETE', path)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await service.request('GET', path)).status).toBe(404)
    expect((await service.request('DELETE', path)).status).toBe(404)
    const page = bodyOf(ExportPage, await service.request('GET', `${pathIn(scope)}?limit=1000`))
    expect(page.results.some((row) => row.id === created.id)).toBe(false)
  })

  test(`POST ${of}/:id/pause/ pauses once, whatever the body says`, async () => {
    const created = await createExport(service, {}, pathIn(scope))
    service.clock.advance(60_000)
    const path = `${pathIn(scope)}${created.id}/pause/`
    const paused = bodyOf(BatchExport, await service.request('POST', path, { body: { paused: false } }))
    const at = '2026-03-04T10:31:00Z'
    expect(paused).toEqual({ ...created, paused: true, last_paused_at: at, last_updated_at: at })
    service.clock.advance(60_000)
    const again = await service.request('POST', path)
    expect([again.status, again.body]).toEqual([200, paused])
    expect(await logOf(created.id)).toEqual(["Paused by key 'Own key'.", "Created by key 'Own key'."])
  })

  test(`POST ${of}/:id/unpause/ goes on with the window that holds the moment`, async () => {
    const created = await createExport(service, { paused: true }, pathIn(scope))
    expect(created.last_paused_at).toBe(now)
    service.clock.set('2026-03-04T14:10:00Z')
    const path = `${pathIn(scope)}${created.id}/unpause/`
    const answer = bodyOf(BatchExport, await service.request('POST', path, { body: {} }))
    expect(answer).toMatchObject({ paused: false, last_paused_at: now })
    expect(await cursorOf(created.id)).toBe('2026-03-04T14:00:00.000Z')
    const wrong = await service.request('POST', path, { body: { backfill: 'yes' } })
    expect(problemOf(wrong)).toMatchObject({ attr: 'backfill', detail: 'Must be a valid boolean.' })
  })

  test(`POST ${of}/:id/backfill/ answers 200 with the export and the backfill's id`, async () => {
    const created = await createExport(service, { paused: true }, pathIn(scope))
    const body = { start_at: '2026-03-01T00:30:00Z', end_at: '2026-03-01T05:30:00+00:00' }
    const path = `${pathIn(scope)}${created.id}/backfill/`
    const answer = await service.request('POST', path, { body })
    expect(answer.status, answer.text).toBe(200)
    const WithId = BatchExport.extend({ backfill_id: z.string() })
    expect(bodyOf(WithId, answer).backfill_id).toMatch(new RegExp(`^${created.id}-Backfill-`))
    const again = await service.request('POST', path, { body })
    expect([again.status, problemOf(again).code]).toEqual([409, 'conflict'])
    const reversed = { start_at: body.end_at, end_at: body.start_at }
    expect(problemOf(await service.request('POST', path, { body: reversed }))).toMatchObject({
      type: 'validation_error',
      code: 'invalid_input',
      attr: null,
      detail: "The initial backfill datetime 'start_at' happens after 'end_at'",
    })
    const nothing = await service.request('POST', path)
    expect(problemOf(nothing).detail).toBe("Both 'start_at' and 'end_at' must be specified")
  })

  test(`GET ${of}/:id/logs/ answers 200 with the export and its lines, newest first`, async () => {
    const created = await createExport(service, {}, pathIn(scope))
    const run = await insertRun(service, created)
    await service.services.store
      .insertInto('batch_export_logs')
      .values(
        (['DEBUG', 'ERROR', 'INFO'] as const).map((level, index) => ({
          batch_export_id: created.id,
          run_id: run.id,
          timestamp: new Date(service.clock.now() + (index + 1) * 1000),
          level,
          message: `100% of Line ${index}`,
        })),
      )
      .execute()
    const path = `${pathIn(scope)}${created.id}/logs/`
    const Logs = BatchExport.extend({ count: z.int(), next: z.string().nullable() }).loose()
    const read = async (query: string) => {
      const answer = await service.request('GET', path + query)
      const { results } = z.object({ results: z.array(z.record(z.string(), z.unknown())) }).parse(answer.body)
      return { ...bodyOf(Logs, answer), lines: results.map((line) => line['message']), results }
    }
    const all = await read('')
    expect(all).toMatchObject({ id: created.id, name: created.name, count: 4 })
    expect(all.results[0]).toEqual({
      log_source_id: created.id,
      instance_id: run.id,
      timestamp: '2026-03-04T10:30:03Z',
      level: 'INFO',
      message: '100% of Line 2',
    })
    expect((await read('?level=error&level=Debug')).lines).toEqual(['100% of Line 1', '100% of Line 0'])
    expect((await read('?search=00%25%20of%20line%201')).lines).toEqual(['100% of Line 1'])
    expect((await read('?after=2026-03-04T10:30:02Z&before=2026-03-04T10:30:02Z')).lines).toHaveLength(1)
    expect((await read('?limit=1')).next).toContain('limit=1&offset=1')
    const wrong = await service.request('GET', `${path}?level=loud`)
    expect(problemOf(wrong)).toMatchObject({ code: 'invalid_choice', attr: 'level__0' })
  })
})

describe('the organization scope', () => {
  test('lists the exports of all its projects, and creates in the one that team_id names', async () => {
    const { organization_id: organizationId } = service.own
    const path = `/api/organizations/${organizationId}/batch_exports/`
    const first = await createExport(service)
    const second = await createExport(service, { team_id: service.secondProjectId }, path)
    expect(second.team_id).toBe(service.secondProjectId)
    const ids = async (key?: string) => {
      const answer = await service.request('GET', `${path}?limit=1000`, key === undefined ? {} : { key })
      return bodyOf(ExportPage, answer).results.map((row) => row.id)
    }
    expect(await ids()).toEqual(expect.arrayContaining([first.id, second.id]))
    const limited = await service.newKey({ projects: [service.secondProjectId] })
    const seen = await ids(limited)
    expect(seen).toContain(second.id)
    expect(seen).not.toContain(first.id)
  })

  test.each([
    ['another organization', () => service.other.project_id, 403],
    ['no project', () => 2_000_000_000, 400],
    ['a number beyond all', () => 2 ** 50, 400],
  ])('refuses a team_id of %s', async (_, teamId, status) => {
    const path = `/api/organizations/@current/batch_exports/`
    const answer = await service.request('POST', path, { body: { ...exportInput, team_id: teamId() } })
    expect(answer.status).toBe(status)
    if (status === 400) expect(problemOf(answer)).toMatchObject({ attr: 'team_id', code: 'does_not_exist' })
    else expect(problemOf(answer).detail).toBe("You don't have access to the project.")
  })
})

describe('what can be written', () => {
  test.each([
    [{ name: undefined }, 'required', 'name', 'This field is required.'],
    [{ name: null }, 'null', 'name', 'This field may not be null.'],
    [{ name: '  ' }, 'blank', 'name', 'This field may not be blank.'],
    [{ name: 1 }, 'invalid_input', 'name', 'Not a valid string.'],
    [{ name: 'a\0b' }, 'invalid_input', 'name', 'Null characters are not allowed.'],
    [{ interval: 'yearly' }, 'invalid_choice', 'interval', '"yearly" is not a valid choice.'],
    [{ model: 'people' }, 'invalid_choice', 'model', '"people" is not a valid choice.'],
    [{ paused: 'no' }, 'invalid_input', 'paused', 'Must be a valid boolean.'],
    [{ destination: undefined }, 'required', 'destination', 'This field is required.'],
    [
      { destination: 'S3' },
      'invalid_input',
      'destination',
      'Invalid data. Expected a dictionary, but got str.',
    ],
    [
      { destination: { type: 'Snowflake' } },
      'invalid_choice',
      'destination__type',
      "\"Snowflake\" is not a valid choice. Destinations offered are ['S3', 'File'].",
    ],
    [
      { destination: { type: 'File', config: { path: 'a', b: 1, a: 2 } } },
      'invalid_input',
      'destination__non_field_errors',
      "Configuration has unknown field/s: 'a', 'b'",
    ],
    [
      { destination: { type: 'File', config: {} } },
      'invalid_input',
      'destination__non_field_errors',
      "Configuration missing required field: 'path'",
    ],
    [
      { destination: { type: 'File', config: { path: 7 } } },
      'invalid_input',
      'destination__non_field_errors',
      "Configuration has invalid type: got 'int', expected 'str'",
    ],
    [
      { destination: { type: 'File', config: { path: 'a/../../b' } } },
      'invalid_input',
      'destination__non_field_errors',
      "Configuration has invalid value for 'path': it leads out of the exports folder",
    ],
    [
      { destination: { type: 'File', config: { path: 'a', file_format: 'CSV' } } },
      'invalid_input',
      'destination',
      "File format CSV is not supported. Supported file formats are ['Parquet', 'JSONLines']",
    ],
    [
      { start_at: '2026-01-02T00:00:00Z', end_at: '2026-01-02' },
      'invalid_input',
      'end_at',
      "'end_at' must be after 'start_at'.",
    ],
    [
      { start_at: 'soon' },
      'invalid_input',
      'start_at',
      'Datetime has wrong format. Use ISO 8601, for example 2026-01-31T09:00:00Z.',
    ],
    [{ hogql_query: 'DROP TABLE events' }, 'invalid_input', 'hogql_query', 'Failed to parse query'],
  ])('POST refuses %j: %s at %s', async (input, code, attr, detail) => {
    const body = { ...exportInput, ...input }
    const answer = await service.request('POST', pathIn('projects'), { body })
    expect(answer.status).toBe(400)
    expect(problemOf(answer)).toMatchObject({ type: 'validation_error', code, attr, detail })
  })

  test('all issues are listed, the first is the detail', async () => {
    const answer = await service.request('POST', pathIn('projects'), { body: { interval: 'x' } })
    const { issues, detail } = problemOf(answer)
    expect(issues).toEqual([
      { path: ['name'], message: 'This field is required.' },
      { path: ['destination'], message: 'This field is required.' },
      { path: ['interval'], message: '"x" is not a valid choice.' },
    ])
    expect(detail).toBe('This field is required.')
  })

  test('an endpoint in a private network is refused, another one is kept as given', async () => {
    const to = (endpoint: string) => ({
      body: {
        ...exportInput,
        destination: { type: 'S3', config: { ...s3Destination.config, endpoint_url: endpoint } },
      },
    })
    const refused = await service.request('POST', pathIn('projects'), to('http://169.254.169.254/latest'))
    expect(problemOf(refused)).toMatchObject({ attr: 'destination__non_field_errors' })
    expect(problemOf(refused).issues?.[0]?.path).toEqual(['destination', 'config', 'endpoint_url'])
    const kept = await service.request('POST', pathIn('projects'), to('https://1.1.1.1'))
    expect(kept.status, kept.text).toBe(201)
    expect(bodyOf(BatchExport, kept).destination.config).toMatchObject({ endpoint_url: 'https://1.1.1.1' })
  })

  test('another destination type starts from an empty config', async () => {
    const created = await createExport(service, { destination: s3Destination })
    const path = `${pathIn('projects')}${created.id}/`
    const body = { destination: { type: 'File', config: { path: 'here' } } }
    const changed = bodyOf(BatchExport, await service.request('PATCH', path, { body }))
    expect(changed.destination).toEqual({ type: 'File', config: { path: 'here' } })
    const back = await service.request('PATCH', path, {
      body: { destination: { type: 'S3', config: { bucket_name: 'b', region: 'r' } } },
    })
    expect(problemOf(back).detail).toBe("Configuration missing required field: 'aws_access_key_id'")
  })

  test('secrets that cannot be opened any more have to be given again', async () => {
    const created = await createExport(service, { destination: s3Destination })
    await service.services.store
      .updateTable('batch_exports')
      .set({ destination_secrets: Buffer.from('sealed with a key that is gone') })
      .where('id', '=', created.id)
      .execute()
    const path = `${pathIn('projects')}${created.id}/`
    const body = { destination: { type: 'S3', config: { prefix: 'x' } } }
    const refused = await service.request('PATCH', path, { body })
    expect(problemOf(refused).detail).toBe("Configuration missing required field: 'aws_access_key_id'")
    expect((await service.request('PATCH', path, { body: { destination: s3Destination } })).status).toBe(200)
  })

  test('PATCH {"paused": true} does what pause does, and changes nothing on a paused export', async () => {
    const created = await createExport(service)
    const path = `${pathIn('projects')}${created.id}/`
    const patch = async () => {
      service.clock.advance(60_000)
      return bodyOf(BatchExport, await service.request('PATCH', path, { body: { paused: true } }))
    }
    const paused = await patch()
    expect(paused).toMatchObject({ paused: true, last_paused_at: '2026-03-04T10:31:00Z' })
    expect(await patch()).toEqual(paused)
  })

  test('a query is stored normalised, and null or "" clears it', async () => {
    const created = await createExport(service, { hogql_query: 'SELECT event FROM events' })
    expect(created.hogql_query).not.toBe('')
    expect(created.schema).not.toBeNull()
    const path = `${pathIn('projects')}${created.id}/`
    const body = { hogql_query: null }
    const cleared = bodyOf(BatchExport, await service.request('PATCH', path, { body }))
    expect([cleared.hogql_query, cleared.schema]).toEqual(['', null])
  })

  test('a later start moves the schedule, and so does an earlier one that has not come yet', async () => {
    const created = await createExport(service, { start_at: '2026-03-06T08:20:00Z' })
    expect(await cursorOf(created.id)).toBe('2026-03-06T08:00:00.000Z')
    const path = `${pathIn('projects')}${created.id}/`
    await service.request('PATCH', path, { body: { start_at: '2026-03-05T00:00:00Z' } })
    expect(await cursorOf(created.id)).toBe('2026-03-05T00:00:00.000Z')
    await service.request('PATCH', path, { body: { start_at: null } })
    expect(await cursorOf(created.id)).toBe('2026-03-04T10:00:00.000Z')
  })

  test('another interval goes on exactly where the schedule was', async () => {
    const created = await createExport(service)
    const path = `${pathIn('projects')}${created.id}/`
    await service.request('PATCH', path, { body: { interval: 'day' } })
    expect(await cursorOf(created.id)).toBe('2026-03-04T10:00:00.000Z')
  })

  test('strings that no text can hold come back mended', async () => {
    const created = await createExport(service, {
      name: 'a\ud800b',
      destination: { type: 'File', config: { path: 'x\udc00', include_events: ['\ud800'] } },
    })
    expect(created.name).toBe('a\ufffdb')
    expect(created.destination.config).toEqual({ path: 'x\ufffd', include_events: ['\ufffd'] })
  })

  test.each([
    ['SELECT toInt(event) + person_id AS x FROM events', /^Invalid HogQL query: /],
    ["SELECT url('http://x') FROM events", /^Invalid HogQL query: /],
    ['SELECT event FROM persons', /^Query must SELECT FROM events$/],
    ['SELECT event FROM events UNION ALL SELECT event FROM events', /^UNIONs are not supported$/],
  ])('the query %s is refused', async (query, detail) => {
    const body = { ...exportInput, hogql_query: query }
    const answer = await service.request('POST', pathIn('projects'), { body })
    expect(problemOf(answer)).toMatchObject({ attr: 'hogql_query', code: 'invalid_input' })
    expect(problemOf(answer).detail).toMatch(detail)
    expect(problemOf(answer).detail).not.toMatch(/DB::|version|_CAST/)
  })

  test('another model has the query checked against its columns', async () => {
    const created = await createExport(service, { hogql_query: 'SELECT event FROM events' })
    const path = `${pathIn('projects')}${created.id}/`
    const answer = await service.request('PATCH', path, { body: { model: 'persons' } })
    expect(problemOf(answer)).toMatchObject({
      attr: 'hogql_query',
      detail: 'Query must SELECT FROM persons',
    })
    const body = { model: 'persons', hogql_query: null }
    expect(bodyOf(BatchExport, await service.request('PATCH', path, { body })).model).toBe('persons')
  })
})

describe('the schedule around a pause', () => {
  async function scheduled(id: string): Promise<string[]> {
    const rows = await service.services.store
      .selectFrom('batch_export_runs')
      .select('data_interval_start')
      .where('batch_export_id', '=', id)
      .where('origin', '=', 'schedule')
      .orderBy('data_interval_start')
      .execute()
    return rows.map((row) => row.data_interval_start.toISOString().slice(11, 16))
  }

  test('what had ended before the pause is exported, the pause is skipped, the window of the moment is not', async () => {
    const created = await createExport(service)
    const path = `${pathIn('projects')}${created.id}/`
    service.clock.set('2026-03-04T13:30:00Z')
    await service.request('POST', `${path}pause/`)
    service.clock.set('2026-03-04T17:40:00Z')
    await service.request('POST', `${path}unpause/`)
    expect(await scheduled(created.id)).toEqual(['10:00', '11:00', '12:00'])
    expect(await cursorOf(created.id)).toBe('2026-03-04T17:00:00.000Z')
  })

  test('a pause within one window loses nothing', async () => {
    const created = await createExport(service)
    const path = `${pathIn('projects')}${created.id}/`
    service.clock.set('2026-03-04T11:00:01Z')
    await service.request('POST', `${path}pause/`)
    service.clock.advance(60_000)
    await service.request('PATCH', path, { body: { paused: false } })
    expect(await cursorOf(created.id)).toBe('2026-03-04T10:00:00.000Z')
  })

  test('unpause with backfill exports the time of the pause', async () => {
    const created = await createExport(service, { paused: true })
    service.clock.set('2026-03-04T12:10:00Z')
    const path = `${pathIn('projects')}${created.id}/`
    const answer = await service.request('POST', `${path}unpause/`, { body: { backfill: true } })
    expect(bodyOf(BatchExport, answer).latest_runs.map((run) => run.data_interval_start)).toEqual([
      '2026-03-04T12:00:00Z',
      '2026-03-04T11:00:00Z',
      '2026-03-04T10:00:00Z',
    ])
  })
})
