import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProjectRoles, Role } from '../../contract/accounts/roles.ts'
import { ErrorClusters, UpdatedErrorClusters } from '../../contract/recordings/error-cluster.ts'
import { FailureCauses, UpdatedProblems } from '../../contract/runs/failure-cause.ts'
import { Assignees } from '../../contract/triage.ts'
import { deleteMember } from '../store/accounts/members.ts'
import { findRows, updateRows } from '../store/schema/rows.ts'
import { insertMember, insertSession } from '../testing/test-members.ts'
import { createExport, insertRun } from '../testing/test-rows.ts'
import { insertConsoleEntries } from '../testing/test-sessions.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../testing/test-service.ts'

const errors = '/api/projects/:project_id/session_recordings/error_clusters/'
const problems = '/api/projects/:project_id/batch_exports/failure_causes/'
const disk = 'disk||The disk is full.'
const network = 'network|https://s3.example|# refused the connection.'
const hour = 3_600_000

type Headers = Record<string, string>
let service: TestService
let analyst: { id: string; headers: Headers }
const clusters = new Map<string, number>()
let editor: { id: string; headers: Headers }

beforeAll(async () => {
  service = await createTestService()
  analyst = await signedIn('analyst', 'Ann')
  editor = await signedIn('editor', 'Ed')
  await recur('Cart is empty', 'Ad was blocked', 'No stock')
  for (const { pattern, cluster } of (await listed()).results) clusters.set(pattern, cluster)
  const made = await createExport(service)
  const finished_at = new Date(service.clock.now() - hour)
  for (const [index, failure_cause] of [disk, network].entries())
    await insertRun(service, made, {
      status: 'Failed',
      failure_cause,
      finished_at,
      latest_error: 'The disk is full.',
      data_interval_start: new Date(finished_at.getTime() - (index + 1) * hour),
      data_interval_end: new Date(finished_at.getTime() - index * hour),
    })
})
afterAll(() => service.stop())

/** Inserts a member with a session. */
async function signedIn(role: Role, first_name: string, projectRoles: ProjectRoles | null = null) {
  const id = await insertMember(service, role, projectRoles)
  await updateRows(service.services.store, 'users', { id }, { first_name })
  const { headers } = await insertSession(service, { user_id: id })
  return { id, headers }
}

/** Logs errors again, now. */
const recur = (...messages: string[]) =>
  insertConsoleEntries(
    service,
    messages.map((message) => ({ session_id: 'a-session', level: 'error', message })),
  )

const pathTo = (path: string) => path.replace(':project_id', String(service.own.project_id))
const ask = (headers: Headers | undefined, method: string, path: string, body?: object) =>
  service.request(method, pathTo(path), { ...(body && { body }), ...(headers && { headers, key: '' }) })

async function listed(query = '', headers?: Headers) {
  return bodyOf(ErrorClusters, await ask(headers, 'GET', errors + query))
}
const patterns = async (query: string, headers?: Headers) =>
  (await listed(query, headers)).results.map(({ pattern }) => pattern).toSorted()
async function errorOf(pattern: string) {
  const found = (await listed()).results.find((one) => one.pattern === pattern)
  if (!found) throw new Error(`no error ${pattern}`)
  return found
}
const change = (headers: Headers | undefined, names: string[], body: object) =>
  ask(headers, 'PATCH', errors, { clusters: names.map((name) => clusters.get(name)), ...body })
async function causes(query = '', headers?: Headers) {
  return bodyOf(FailureCauses, await ask(headers, 'GET', problems + query))
}
const keysOf = async (query: string, headers?: Headers) =>
  (await causes(query, headers)).results.map(({ key }) => key)

async function entriesAbout(id: string | number) {
  const rows = await findRows(service.services.store, 'audit_entries', { object_id: String(id) })
  return rows
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ actor_name, action, before, after }) => ({ actor_name, action, before, after }))
}

test('an analyst assigns and resolves errors with PATCH /api/projects/:project_id/session_recordings/error_clusters/; the last change counts, each that differs is audited', async () => {
  const taken = await change(analyst.headers, ['Cart is empty', 'No stock'], { assignee: 'me' })
  expect(taken.status, taken.text).toBe(200)
  const ann = { uuid: analyst.id, name: 'Ann' }
  const at = '2026-03-04T10:30:00Z'
  const assigned = { state: 'open', assignee: ann, assigned: { by: 'Ann', at }, changed: null }
  expect(bodyOf(UpdatedErrorClusters, taken).results).toMatchObject([assigned, assigned])
  expect(await errorOf('Cart is empty')).toMatchObject(assigned)

  await change(undefined, ['Cart is empty'], { state: 'resolved', assignee: null })
  const owner = await errorOf('Cart is empty')
  expect(owner).toMatchObject({ state: 'resolved', assignee: null, changed: { at } })
  await Promise.all([
    change(analyst.headers, ['Cart is empty'], { assignee: 'me' }),
    change(undefined, ['Cart is empty'], { assignee: analyst.id }),
  ])
  const entries = await entriesAbout(clusters.get('Cart is empty') ?? 0)
  const address = `Ann <${analyst.id}@people.example>`
  expect(entries).toEqual([
    { actor_name: 'Ann', action: 'error.changed', before: { assignee: null }, after: { assignee: address } },
    {
      actor_name: expect.any(String),
      action: 'error.changed',
      before: { assignee: address, state: 'open' },
      after: { assignee: null, state: 'resolved' },
    },
    {
      actor_name: expect.any(String),
      action: 'error.changed',
      before: { assignee: null },
      after: { assignee: address },
    },
  ])
})

test('a resolved error that recurs is open again for its assignee, an ignored one is not', async () => {
  service.clock.advance(1000)
  await change(undefined, ['Cart is empty', 'No stock'], { state: 'resolved', assignee: analyst.id })
  await change(undefined, ['Ad was blocked'], { state: 'ignored' })
  expect((await listed('?assignee=me', analyst.headers)).counts).toEqual({
    open: 0,
    resolved: 2,
    ignored: 0,
    mine: 0,
  })
  service.clock.advance(1000)
  await recur('Cart is empty', 'Ad was blocked')
  const again = await errorOf('Cart is empty')
  expect(again).toMatchObject({ state: 'open', reopened: true, assignee: { uuid: analyst.id } })
  expect(await errorOf('Ad was blocked')).toMatchObject({ state: 'ignored', reopened: false })

  const { results } = bodyOf(
    UpdatedErrorClusters,
    await change(undefined, ['Cart is empty'], { assignee: null }),
  )
  expect(results).toMatchObject([{ state: 'open', assignee: null }])
  await change(undefined, ['Cart is empty'], { state: 'resolved' })
  expect(await errorOf('Cart is empty')).toMatchObject({ state: 'resolved', reopened: false })
  const { before, after } = (await entriesAbout(again.cluster)).at(-1) ?? {}
  expect({ before, after }).toEqual({ before: { state: 'open' }, after: { state: 'resolved' } })
})

test('errors are filtered by assignee and state before they are limited', async () => {
  await change(undefined, ['Cart is empty', 'No stock'], { state: 'open', assignee: analyst.id })
  await change(undefined, ['Ad was blocked'], { state: 'open', assignee: null })
  expect(await patterns('?assignee=me&state=open', analyst.headers)).toEqual(['Cart is empty', 'No stock'])
  expect(await patterns(`?assignee=${analyst.id}&state=resolved`)).toEqual([])
  expect(await patterns('?assignee=none')).toEqual(['Ad was blocked'])
  expect(await patterns('?assignee=none&limit=1')).toEqual(['Ad was blocked'])
  expect(await patterns('?assignee=me')).toEqual([])
  const counts = { resolved: 0, ignored: 0 }
  expect((await listed('', analyst.headers)).counts).toEqual({ ...counts, open: 3, mine: 2 })
  expect((await listed('?assignee=none', analyst.headers)).counts).toEqual({ ...counts, open: 1, mine: 2 })
  const malformed = await ask(undefined, 'GET', `${errors}?assignee=ann`)
  expect([malformed.status, problemOf(malformed).detail]).toEqual([
    400,
    expect.stringContaining("'me' or 'none'"),
  ])
})

test('GET /api/projects/:project_id/session_recordings/error_clusters/assignees/ and GET /api/projects/:project_id/batch_exports/failure_causes/assignees/ list who can see these in the project', async () => {
  const names = async (path: string) =>
    bodyOf(Assignees, await ask(analyst.headers, 'GET', `${path}assignees/`)).map(({ name }) => name)
  const limited = (role: ProjectRoles[string]) => signedIn('admin', role, { [service.own.project_id]: role })
  await signedIn('analyst', 'elsewhere', { [service.secondProjectId]: 'analyst' })
  await limited('editor')
  const { id } = await limited('analyst')
  const { id: namesake } = await signedIn('admin', 'analyst')
  const both = [id, namesake].map((user) => `analyst (${user}@people.example)`)
  expect(await names(errors)).toEqual(['Admin', ...both, 'Ann'])
  expect(await names(problems)).toEqual(['Admin', ...both, 'Ann', 'Ed', 'editor'])
})

test('an error is assigned only to someone who can see it, and to nobody once they cannot', async () => {
  const other = { ...service, own: service.other }
  const foreign = await insertMember(other, 'owner')
  const elsewhere = await insertMember(service, 'analyst', { [service.secondProjectId]: 'analyst' })
  const nobody = '01900000-0000-7000-8000-000000000000'
  for (const assignee of [foreign, elsewhere, editor.id, nobody]) {
    const response = await change(undefined, ['No stock'], { assignee, state: 'ignored' })
    expect([response.status, problemOf(response).attr, problemOf(response).detail]).toEqual([
      400,
      'assignee',
      expect.stringContaining('choose one from the list of assignees'),
    ])
  }
  expect(await errorOf('No stock')).toMatchObject({ state: 'open', assignee: { name: 'Ann' } })

  const { store } = service.services
  const mona = await signedIn('analyst', 'Mona')
  await change(undefined, ['No stock'], { assignee: mona.id })
  await updateRows(store, 'members', { user_id: mona.id }, { role: 'editor' })
  expect(await errorOf('No stock')).toMatchObject({ assignee: null })
  expect(await patterns('?assignee=none')).toContain('No stock')
  await updateRows(store, 'members', { user_id: mona.id }, { role: 'analyst' })
  expect(await errorOf('No stock')).toMatchObject({ assignee: { name: 'Mona' } })
  await deleteMember(store, { organization_id: service.own.organization_id, user_id: mona.id })
  expect(await errorOf('No stock')).toMatchObject({ assignee: null, assigned: expect.anything() })
  expect(await findRows(store, 'triage', { assignee: mona.id })).toEqual([])
})

test('errors need the scope error_tracking:write, problems that of an editor; a key of the organization is not “me”', async () => {
  const key = await service.newKey({ scopes: ['session_recording:write', 'batch_export:read'] })
  const body = { clusters: [clusters.get('No stock')], state: 'ignored' }
  const byKey = await service.request('PATCH', pathTo(errors), { key, body })
  expect([byKey.status, problemOf(byKey).detail]).toEqual([
    403,
    expect.stringContaining('error_tracking:write'),
  ])
  const problem = { causes: [disk], assignee: null }
  expect((await ask(editor.headers, 'PATCH', errors, body)).status).toBe(403)
  expect((await ask(analyst.headers, 'PATCH', problems, problem)).status).toBe(403)

  const { store } = service.services
  const own = { label: 'Own key' }
  await updateRows(
    store,
    'api_keys',
    { organization_id: service.own.organization_id },
    { is_service: true, ...own },
  )
  const refused = await change(undefined, ['No stock'], { assignee: 'me' })
  expect([refused.status, problemOf(refused).detail]).toEqual([
    400,
    expect.stringContaining('name a member by uuid'),
  ])
  expect((await ask(undefined, 'GET', `${problems}?assignee=me`)).status).toBe(400)
  await updateRows(store, 'api_keys', { organization_id: service.own.organization_id }, { is_service: false })
})

test('PATCH /api/projects/:project_id/batch_exports/failure_causes/ assigns problems and ignores them until a time, for an editor', async () => {
  const until = new Date(service.clock.now() + 24 * hour).toISOString().replace('.000', '')
  const body = { causes: [disk], state: 'ignored', ignored_until: until, assignee: 'me' }
  const response = await ask(editor.headers, 'PATCH', problems, body)
  expect(response.status, response.text).toBe(200)
  const ed = { uuid: editor.id, name: 'Ed' }
  const ignored = { key: disk, state: 'ignored', ignored_until: until, assignee: ed, changed: { by: 'Ed' } }
  expect(bodyOf(UpdatedProblems, response).results).toMatchObject([ignored])
  expect(await entriesAbout(disk)).toEqual([
    {
      actor_name: 'Ed',
      action: 'problem.changed',
      before: { assignee: null, state: 'open' },
      after: { assignee: `Ed <${editor.id}@people.example>`, state: 'ignored', ignored_until: until },
    },
  ])
  const all = await causes()
  expect(all.results.find(({ key }) => key === disk)).toMatchObject(ignored)
  expect(all).toMatchObject({ failures: 2, counts: { open: 1, ignored: 1, mine: 0 } })
  expect(await causes('?state=open')).toMatchObject({ failures: 1, causes_count: 1 })
  expect(await keysOf('?state=open')).toEqual([network])
  expect(await keysOf('?assignee=me&state=ignored', editor.headers)).toEqual([disk])
  expect(await keysOf('?assignee=none')).toEqual([network])

  service.clock.advance(25 * hour)
  const later = await causes('?assignee=me&state=open', editor.headers)
  expect(later.results).toMatchObject([{ key: disk, state: 'open', ignored_until: null, assignee: ed }])
  expect(later.counts).toEqual({ open: 1, ignored: 0, mine: 1 })
})

test.each([
  [{ causes: [disk, 'disk||Another.'], assignee: null }, 'list the causes again'],
  [{ causes: [disk], state: 'ignored' }, "Send 'ignored_until' with the state 'ignored'"],
  [{ causes: [disk], state: 'ignored', ignored_until: '2026-03-01T00:00:00Z' }, 'must be in the future'],
  [{ causes: [disk], state: 'ignored', ignored_until: '2027-09-01T00:00:00Z' }, 'within a year'],
  [{ causes: [disk], state: 'open', ignored_until: '2026-03-09T00:00:00Z' }, "Send 'ignored_until' with"],
  [{ causes: [disk], state: 'resolved' }, ''],
  [{ causes: [disk] }, 'Nothing to update'],
])('PATCH of the problems %j: 400', async (body, detail) => {
  const response = await ask(undefined, 'PATCH', problems, body)
  expect(response.status).toBe(400)
  expect(problemOf(response).detail).toContain(detail)
})

test('one request changes at most 100', async () => {
  const causes = Array.from({ length: 101 }, (_, index) => `disk||${index}`)
  const response = await ask(undefined, 'PATCH', problems, { causes, assignee: null })
  expect([response.status, problemOf(response).attr]).toEqual([400, 'causes'])
})

test('nothing of another project is shown or changed', async () => {
  const second = `/api/projects/${service.secondProjectId}`
  const cluster = clusters.get('No stock')
  const requests = [
    ['session_recordings/error_clusters/', { clusters: [cluster], state: 'resolved' }],
    ['batch_exports/failure_causes/', { causes: [disk], assignee: null }],
  ] as const
  for (const [path, body] of requests) {
    const response = await service.request('PATCH', `${second}/${path}`, { body })
    expect([response.status, problemOf(response).detail]).toEqual([400, expect.stringContaining('list the')])
  }
  expect(await errorOf('No stock')).toMatchObject({ state: 'open' })
  expect(await findRows(service.services.store, 'triage', { project_id: service.secondProjectId })).toEqual(
    [],
  )
})
