import { afterAll, beforeAll, expect, test } from 'vitest'
import { User } from '../../../contract/accounts/user.ts'
import type { ProjectRoles, Role } from '../../../contract/accounts/roles.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { newApiKey } from '../../auth/api-key-value.ts'
import { newKeyRow } from '../../auth/new-organization.ts'
import type { Session } from '../../store/accounts/sessions.ts'
import { findRows, insertRow, updateRows } from '../../store/schema/rows.ts'
import { insertMember, insertSession, type SessionHeaders } from '../../testing/test-members.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

const me = '/api/users/@me/'
const currentSession = '/api/sessions/@current/'
const leave = '/api/organizations/@current/members/@me/'

function ask(headers: Record<string, string>, method: string, path: string, body?: object) {
  return service.request(method, path, { ...(body && { body }), headers, key: '' })
}
const switchTo = (headers: SessionHeaders, organization_id: string) =>
  ask(headers, 'PATCH', currentSession, { organization_id })
const userOf = async (headers: SessionHeaders) => bodyOf(User, await ask(headers, 'GET', me))

/** Inserts an editor of the own organization who is also a member of the other one, with a session in the former. */
async function memberOfBoth(
  role: Role = 'analyst',
  projectRoles: ProjectRoles | null = null,
  session: Partial<Session> = {},
) {
  const { store, clock } = service.services
  const id = await insertMember(service, 'editor')
  await insertRow(store, 'members', {
    organization_id: service.other.organization_id,
    user_id: id,
    role,
    project_roles: projectRoles && JSON.stringify(projectRoles),
    created_at: new Date(clock.now() + 1),
  })
  return { id, headers: (await insertSession(service, { user_id: id, ...session })).headers }
}

test('PATCH /api/sessions/@current/ returns 200 and moves the session alone, with the role there, also at the next sign-in', async () => {
  const { own, other, services } = service
  const { id, headers } = await memberOfBoth('analyst', { [other.project_id]: 'analyst' })
  const { headers: elsewhere } = await insertSession(service, { user_id: id })
  const before = await userOf(headers)
  expect(before.organization.id).toBe(own.organization_id)
  expect(before.organizations.map((each) => [each.id, each.project_ids])).toEqual([
    [own.organization_id, [own.project_id, service.secondProjectId]],
    [other.organization_id, [other.project_id]],
  ])
  const project = `/api/projects/${own.project_id}/batch_exports/`
  expect((await ask(headers, 'GET', project)).status).toBe(200)

  expect((await switchTo(headers, other.organization_id)).status).toBe(200)
  const after = await userOf(headers)
  expect([after.organization.id, after.role]).toEqual([other.organization_id, 'analyst'])
  expect((await ask(headers, 'GET', project)).status).toBe(403)
  expect((await userOf(elsewhere)).organization.id).toBe(own.organization_id)
  const entries = await findRows(services.store, 'audit_entries', { actor_id: id })
  expect(
    entries.map(({ organization_id, action, after: values }) => [organization_id, action, values]),
  ).toEqual([[other.organization_id, 'sign_in.succeeded', { method: 'password', switched: true }]])

  const password = 'sixteen purple tea cups'
  await updateRows(services.store, 'users', { id }, { password_hash: await hashPassword(password) })
  const body = { email: `${id}@people.example`, password }
  const signedIn = await ask({ origin: headers.origin }, 'POST', '/api/sessions/', body)
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
  expect((await userOf({ ...headers, cookie })).organization.id).toBe(other.organization_id)
})

test('a page that shows the organization before is refused whatever it asks, and changes nothing', async () => {
  const { own, other, services } = service
  const { id, headers } = await memberOfBoth('admin')
  await switchTo(headers, other.organization_id)
  const stale = { ...headers, 'spool-organization': own.organization_id }
  const body = { label: 'Meant for the other organization', scopes: ['batch_export:read'] }
  const before = await findRows(services.store, 'api_keys', { user_id: id })
  for (const [method, path, sent] of [
    ['POST', '/api/personal_api_keys/', body],
    ['GET', '/api/organizations/@current/members/', undefined],
    ['DELETE', leave, undefined],
    ['GET', '/api/projects/@current/batch_exports/', undefined],
  ] as const) {
    const response = await ask(stale, method, path, sent)
    expect([response.status, problemOf(response).code], path).toEqual([409, 'other_organization'])
  }
  expect(await findRows(services.store, 'api_keys', { user_id: id })).toEqual(before)
  const shown = { ...headers, 'spool-organization': other.organization_id }
  expect((await ask(shown, 'POST', '/api/personal_api_keys/', body)).status).toBe(201)
})

test('only people switch, to organizations of theirs, and not with the session of a provider', async () => {
  const { own, other } = service
  const { headers } = await memberOfBoth()
  for (const id of [crypto.randomUUID(), 'none', '']) expect((await switchTo(headers, id)).status).toBe(403)
  const { headers: owner } = await insertSession(service)
  expect((await switchTo(owner, other.organization_id)).status).toBe(403)
  expect((await userOf(owner)).organizations).toHaveLength(1)
  expect((await switchTo(owner, own.organization_id)).status).toBe(200)

  const provided = await memberOfBoth('analyst', null, { method: 'provider', provider: 'company' })
  expect((await userOf(provided.headers)).organizations.map(({ id }) => id)).toEqual([own.organization_id])
  expect((await switchTo(provided.headers, other.organization_id)).status).toBe(403)

  for (const path of [currentSession, leave]) {
    const method = path === leave ? 'DELETE' : 'PATCH'
    const body = path === leave ? {} : { body: { organization_id: own.organization_id } }
    expect((await service.request(method, path, body)).status).toBe(403)
  }
})

test('DELETE /api/organizations/:organization_id/members/@me/ returns 204, ends keys and sessions there and goes on elsewhere', async () => {
  const { own, other, services } = service
  const { id, headers } = await memberOfBoth()
  const { headers: second } = await insertSession(service, { user_id: id })
  const value = newApiKey()
  const member = { user_id: id, organization_id: own.organization_id }
  await insertRow(services.store, 'api_keys', newKeyRow(member, 'Key', value, services.clock.now()))
  expect((await ask(headers, 'DELETE', leave)).status).toBe(204)
  const user = await userOf(headers)
  expect([user.organization.id, user.organizations.length]).toEqual([other.organization_id, 1])
  expect((await ask(second, 'GET', me)).status).toBe(401)
  expect((await service.request('GET', me, { key: value })).status).toBe(401)
  const entries = await findRows(services.store, 'audit_entries', { object_id: id })
  expect(entries.map(({ actor_id, action }) => [actor_id, action])).toEqual([[id, 'member.removed']])

  const gone = await ask(headers, 'DELETE', leave)
  expect([gone.status, String(gone.headers['set-cookie'])]).toEqual([
    204,
    expect.stringMatching(/=; Max-Age=0/),
  ])
  expect((await ask(headers, 'GET', me)).status).toBe(401)
})

test('the last owner cannot leave, nor anyone who gave their password long ago', async () => {
  const { headers } = await insertSession(service)
  const refused = await ask(headers, 'DELETE', leave)
  expect([refused.status, problemOf(refused).detail]).toEqual([
    409,
    'This is the last owner of the organization. Make another member an owner first.',
  ])
  const { id, headers: old } = await memberOfBoth('analyst', null, { confirmed_at: new Date(0) })
  await updateRows(service.services.store, 'users', { id }, { password_hash: 'a hash' })
  expect(problemOf(await ask(old, 'DELETE', leave)).code).toBe('confirmation_required')
})
