import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { offsetPage } from '../../../contract/page.ts'
import { deleteRows, insertRow } from '../../store/schema/rows.ts'
import { createExport, cursorOf, exportInput, insertRun, ownPrefix } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

const now = '2026-03-04T10:30:00Z'
const ExportPage = offsetPage(BatchExport)
const scopes = [
  ['projects', '/api/projects/:project_id/batch_exports'],
  ['organizations', '/api/organizations/:organization_id/batch_exports'],
] as const
let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(() => service.clock.set(now))

function pathIn(scope: (typeof scopes)[number][0]): string {
  const { own } = service
  return `/api/${scope}/${scope === 'projects' ? own.project_id : own.organization_id}/batch_exports/`
}

async function logOf(id: string): Promise<string[]> {
  const response = await service.request('GET', `${pathIn('projects')}${id}/logs/`)
  const { results } = z.object({ results: z.array(z.object({ message: z.string() })) }).parse(response.body)
  return results.map((line) => line.message)
}

describe.each(scopes)('creating and listing batch exports of %s', (scope, of) => {
  test(`POST ${of}/ returns 201 with the export, its defaults and no secrets`, async () => {
    const destination = ownPrefix()
    const { bucket_name, region, prefix } = destination.config
    const created = await createExport(service, { destination }, pathIn(scope))
    const { id, ...shown } = created
    expect(shown).toEqual({
      team_id: service.own.project_id,
      name: 'Daily events',
      model: 'events',
      destination: {
        type: 'S3',
        config: { bucket_name, region, prefix },
        integration: null,
      },
      interval: 'hour',
      paused: false,
      created_at: now,
      last_updated_at: now,
      last_paused_at: null,
      paused_because: null,
      pause_reason: null,
      paused_until: null,
      tags: [],
      owner: '',
      note: '',
      start_at: null,
      end_at: null,
      latest_runs: [],
      hogql_query: '',
      schema: null,
    })
    expect(await cursorOf(service, id)).toBe('2026-03-04T10:00:00.000Z')
    expect(await logOf(id)).toEqual(["Created by key 'Own key'."])
  })

  test(`GET ${of}/ lists exports newest first, in pages with absolute links`, async () => {
    for (const name of ['one', 'two', 'three']) await createExport(service, { name }, pathIn(scope))
    const headers = { host: 'spool.example.com', 'x-forwarded-proto': 'https' }
    const response = await service.request('GET', `${pathIn(scope)}?limit=2&offset=1`, { headers })
    const page = bodyOf(ExportPage, response)
    expect(page.results.map((row) => row.name)).toEqual(['two', 'one'])
    const base = `https://spool.example.com${pathIn(scope)}`
    expect(page.next).toBe(`${base}?limit=2&offset=3`)
    expect(page.previous).toBe(`${base}?limit=2`)
    const last = bodyOf(ExportPage, await service.request('GET', `${pathIn(scope)}?offset=${page.count - 1}`))
    expect(last.results).toHaveLength(1)
    expect(last.next).toBeNull()
  })
})

describe.each(scopes)('newest runs of batch exports of %s', (scope, of) => {
  test(`GET ${of}/:id/ returns 200 with the ten newest runs`, async () => {
    const created = await createExport(service, {}, pathIn(scope))
    for (let index = 0; index < 12; index++) {
      service.clock.advance(1020)
      await insertRun(service, created, { records_completed: index })
    }
    const response = await service.request('GET', `${pathIn(scope)}${created.id}/`)
    const found = bodyOf(BatchExport, response)
    const [newest] = found.latest_runs
    const run = `/api/projects/@current/batch_exports/${created.id}/runs/${newest?.id}/`
    expect((await service.request('GET', run)).body).toEqual({ ...newest, files: [], window_query: null })
    expect(found.latest_runs.map((run) => run.records_completed)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  })

  test(`GET ${of}/ always shows the current state of the newest runs`, async () => {
    const created = await createExport(service, {}, pathIn(scope))
    const listed = async () => {
      const page = bodyOf(ExportPage, await service.request('GET', `${pathIn(scope)}?limit=1`))
      return page.results[0]?.latest_runs
    }
    const shown = async () => {
      const response = await service.request('GET', `${pathIn(scope)}${created.id}/`)
      return bodyOf(BatchExport, response).latest_runs
    }
    expect(await listed()).toEqual([])
    const latest_error = 'Code: 60. "orders"\\: no such table \n\u2028 é 💡 <script>'
    const run = await insertRun(service, created, { status: 'Failed', latest_error })
    expect(await listed()).toEqual(await shown())
    expect(await listed()).toMatchObject([{ id: run.id, latest_error }])
    const { store } = service.services
    await store
      .updateTable('batch_export_runs')
      .set({ records_completed: 7 })
      .where('id', '=', run.id)
      .execute()
    expect(await listed()).toMatchObject([{ id: run.id, records_completed: 7 }])
    service.clock.advance(1020)
    const newer = await insertRun(service, created)
    expect(await listed()).toMatchObject([{ id: newer.id }, { id: run.id }])
    expect(await listed()).toEqual(await shown())
  })

  test(`GET ${of}/ always shows the current settings, also those that a file has applied`, async () => {
    const created = await createExport(service, {}, pathIn(scope))
    const listed = async () => {
      const page = bodyOf(ExportPage, await service.request('GET', `${pathIn(scope)}?limit=1`))
      return page.results[0]
    }
    expect(await listed()).toMatchObject({ id: created.id, name: created.name, paused: false })
    const path = `${pathIn(scope)}${created.id}/`
    await service.request('PATCH', path, { body: { name: 'renamed' } })
    await service.request('POST', `${path}pause/`)
    expect(await listed()).toMatchObject({ id: created.id, name: 'renamed', paused: true })
    const { store } = service.services
    await insertRow(store, 'batch_export_definitions', {
      batch_export_id: created.id,
      settings: JSON.stringify({ name: 'renamed' }),
      secrets: JSON.stringify({}),
      applied_at: new Date(service.clock.now()),
      actor: 'Test',
      source: 'exports.yaml',
    })
    expect(await listed()).toMatchObject({ id: created.id, applied: { source: 'exports.yaml' } })
    await deleteRows(store, 'batch_export_definitions', { batch_export_id: created.id })
    expect(await listed()).not.toHaveProperty('applied')
  })
})

describe.each(scopes)('logs of batch exports of %s', (scope, of) => {
  test(`GET ${of}/:id/logs/ returns 200 with the export and its log entries, newest first`, async () => {
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
      const response = await service.request('GET', path + query)
      const { results } = z
        .object({ results: z.array(z.record(z.string(), z.unknown())) })
        .parse(response.body)
      return { ...bodyOf(Logs, response), lines: results.map((line) => line['message']), results }
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

describe.each(scopes)('changing batch exports of %s', (scope, of) => {
  test(`PATCH ${of}/:id/ changes the given fields and keeps the rest, secrets included`, async () => {
    const created = await createExport(service, { destination: ownPrefix() }, pathIn(scope))
    service.clock.advance(60_000)
    const body = {
      name: 'Renamed',
      team_id: 99,
      destination: { type: 'S3', config: { prefix: `new/${scope}` } },
    }
    const response = await service.request('PATCH', `${pathIn(scope)}${created.id}/`, { body })
    expect(response.status, response.text).toBe(200)
    expect(bodyOf(BatchExport, response)).toEqual({
      ...created,
      name: 'Renamed',
      destination: {
        ...created.destination,
        config: { ...created.destination.config, prefix: `new/${scope}` },
      },
      last_updated_at: '2026-03-04T10:31:00Z',
    })
    const row = await service.services.store
      .selectFrom('batch_exports')
      .select('destination_secrets')
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow()
    expect(service.services.secrets.open(row.destination_secrets ?? Buffer.of())).toContain('very-secret')
  })

  test(`PUT ${of}/:id/ requires every required field`, async () => {
    const created = await createExport(service, {}, pathIn(scope))
    const path = `${pathIn(scope)}${created.id}/`
    const partial = await service.request('PUT', path, { body: { name: 'Renamed' } })
    expect(problemOf(partial)).toMatchObject({ code: 'required', attr: 'destination' })
    const whole = await service.request('PUT', path, { body: { ...exportInput, name: 'Renamed' } })
    expect(bodyOf(BatchExport, whole).name).toBe('Renamed')
  })

  test(`DELETE ${of}/:id/ returns 204 without a body, then 404`, async () => {
    const created = await createExport(service, {}, pathIn(scope))
    const path = `${pathIn(scope)}${created.id}/`
    const response = await service.request('DELETE', path)
    expect([response.status, response.text]).toEqual([204, ''])
    expect((await service.request('GET', path)).status).toBe(404)
    expect((await service.request('DELETE', path)).status).toBe(404)
    const page = bodyOf(ExportPage, await service.request('GET', `${pathIn(scope)}?limit=1000`))
    expect(page.results.some((row) => row.id === created.id)).toBe(false)
  })
})

describe.each(scopes)('pauses and backfills of batch exports of %s', (scope, of) => {
  test(`POST ${of}/:id/pause/ pauses once and ignores unknown keys of the body`, async () => {
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

  test(`POST ${of}/:id/unpause/ resumes with the window that contains the current time`, async () => {
    const created = await createExport(service, { paused: true }, pathIn(scope))
    expect(created.last_paused_at).toBe(now)
    service.clock.set('2026-03-04T14:10:00Z')
    const path = `${pathIn(scope)}${created.id}/unpause/`
    const response = bodyOf(BatchExport, await service.request('POST', path, { body: {} }))
    expect(response).toMatchObject({ paused: false, last_paused_at: now })
    expect(await cursorOf(service, created.id)).toBe('2026-03-04T14:00:00.000Z')
    const wrong = await service.request('POST', path, { body: { backfill: 'yes' } })
    expect(problemOf(wrong)).toMatchObject({ attr: 'backfill', detail: 'Must be a valid boolean.' })
  })

  test(`POST ${of}/:id/backfill/ returns 200 with the export and the backfill's id`, async () => {
    const created = await createExport(service, { paused: true }, pathIn(scope))
    const body = { start_at: '2026-03-01T00:30:00Z', end_at: '2026-03-01T05:30:00+00:00' }
    const path = `${pathIn(scope)}${created.id}/backfill/`
    const response = await service.request('POST', path, { body })
    expect(response.status, response.text).toBe(200)
    const WithId = BatchExport.extend({ backfill_id: z.string() })
    expect(bodyOf(WithId, response).backfill_id).toMatch(new RegExp(`^${created.id}-Backfill-`))
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
})

describe('the organization scope', () => {
  test('lists the exports of all its projects, and creates exports in the project that team_id names', async () => {
    const { organization_id: organizationId } = service.own
    const path = `/api/organizations/${organizationId}/batch_exports/`
    const first = await createExport(service)
    const second = await createExport(service, { team_id: service.secondProjectId }, path)
    expect(second.team_id).toBe(service.secondProjectId)
    const ids = async (key?: string) => {
      const response = await service.request('GET', `${path}?limit=1000`, key === undefined ? {} : { key })
      return bodyOf(ExportPage, response).results.map((row) => row.id)
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
    ['a number that is too large', () => 2 ** 50, 400],
  ])('rejects a team_id of %s', async (_, teamId, status) => {
    const path = `/api/organizations/@current/batch_exports/`
    const response = await service.request('POST', path, { body: { ...exportInput, team_id: teamId() } })
    expect(response.status).toBe(status)
    if (status === 400) expect(problemOf(response)).toMatchObject({ attr: 'team_id', code: 'does_not_exist' })
    else expect(problemOf(response).detail).toBe("You don't have access to the project.")
  })
})
