import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CreatedPersonalApiKey } from '../../../contract/accounts/api-key.ts'
import { Member, RoleWithScopes } from '../../../contract/accounts/member.ts'
import type { ProjectRoles, Role } from '../../../contract/accounts/roles.ts'
import { newKeyRow } from '../../auth/new-organization.ts'
import { newApiKey } from '../../auth/api-key-value.ts'
import { firstOwner } from '../../store/accounts/users.ts'
import { findRows, insertRow, updateRows } from '../../store/schema/rows.ts'
import {
  insertInvite,
  insertMember,
  insertPasskey,
  insertSession,
  type SessionHeaders,
} from '../../testing/test-members.ts'
import { insertProvider } from '../../testing/test-providers.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let ownerId: string
let owner: SessionHeaders

const members = '/api/organizations/@current/members/'

beforeAll(async () => {
  service = await createTestService()
  ownerId = (await firstOwner(service.services.store, service.own.organization_id))?.user_id ?? ''
})
beforeEach(async () => {
  await updateRows(service.services.store, 'members', { user_id: ownerId }, { role: 'owner' })
  owner = (await insertSession(service)).headers
})
afterAll(() => service.stop())

function ask(method: string, path: string, headers: SessionHeaders, body?: object) {
  return service.request(method, path, { ...(body && { body }), headers, key: '' })
}
const change = (headers: SessionHeaders, id: string, body: object) =>
  ask('PATCH', `${members}${id}/`, headers, body)
const remove = (headers: SessionHeaders, id: string) => ask('DELETE', `${members}${id}/`, headers)

/** Inserts a member with a session; returns the user's id and the headers of requests with the session. */
async function signedIn(role: Role, projectRoles: ProjectRoles | null = null) {
  const id = await insertMember(service, role, projectRoles)
  return { id, headers: (await insertSession(service, { user_id: id })).headers }
}

async function newKeyOf(userId: string, values: { is_service?: boolean; scopes?: string[] } = {}) {
  const value = newApiKey()
  const member = { user_id: userId, organization_id: service.own.organization_id }
  await insertRow(
    service.services.store,
    'api_keys',
    newKeyRow(member, 'Key', value, service.clock.now(), values),
  )
  return value
}

async function entriesAbout(id: string) {
  const rows = await findRows(service.services.store, 'audit_entries', { object_id: id })
  return rows.map(({ action, before, after }) => ({ action, before, after }))
}

test('GET /api/organizations/:organization_id/members/ returns 200 with roles and when members were last seen', async () => {
  const { id } = await signedIn('editor', { [service.secondProjectId]: 'analyst' })
  const list = bodyOf(z.array(Member), await ask('GET', members, owner))
  const now = '2026-03-04T10:30:00Z'
  expect(list.find((member) => member.id === id)).toEqual({
    id,
    first_name: 'Other',
    email: `${id}@people.example`,
    role: 'editor',
    project_roles: { [service.secondProjectId]: 'analyst' },
    joined_at: now,
    last_seen_at: now,
  })
  const unseen = await insertMember(service, 'analyst')
  const again = bodyOf(z.array(Member), await ask('GET', members, owner))
  expect(again.find((member) => member.id === unseen)?.last_seen_at).toBeNull()
  const key = await service.newKey({ projects: [service.secondProjectId] })
  expect((await service.request('GET', members, { key })).status).toBe(403)
})

test('GET /api/organizations/:organization_id/roles/ returns 200 with what each role lets members do', async () => {
  const response = await ask('GET', '/api/organizations/@current/roles/', owner)
  expect(response.status).toBe(200)
  const shown = bodyOf(z.array(RoleWithScopes), response)
  expect(shown.map(({ role }) => role)).toEqual(['owner', 'admin', 'editor', 'analyst'])
  expect(shown[0]?.scopes).toEqual(['*'])
  expect(shown[3]?.scopes).toContain('session_recording:read')
  expect(shown[3]?.scopes).not.toContain('session_recording:write')
})

test('PATCH /api/organizations/:organization_id/members/:user_id/ returns 200 with the new role, which counts at once', async () => {
  const { id, headers } = await signedIn('analyst')
  const exports = '/api/projects/@current/batch_exports/'
  expect((await ask('POST', exports, headers, {})).status).toBe(403)
  const roles = { [service.own.project_id]: 'editor' }
  const response = await change(owner, id, { role: 'editor', project_roles: roles })
  expect(bodyOf(Member, response)).toMatchObject({ id, role: 'editor', project_roles: roles })
  expect((await ask('POST', exports, headers, {})).status).toBe(400)
  expect(bodyOf(Member, await change(owner, id, { project_roles: null })).project_roles).toBeNull()
  expect(await entriesAbout(id)).toEqual([
    {
      action: 'member.role_changed',
      before: { role: 'analyst', project_roles: null },
      after: { role: 'editor', project_roles: roles },
    },
    { action: 'member.role_changed', before: { project_roles: roles }, after: { project_roles: null } },
  ])
})

test('an owner whom a provider knows is left to it with another role; it forgets one of several organizations', async () => {
  const { store, clock } = service.services
  const { organization_id } = service.own
  const { id: provider } = await insertProvider(service)
  const demote = async (id: string) => {
    const times = { created_at: new Date(clock.now()), last_sign_in_at: new Date(clock.now()) }
    await updateRows(store, 'users', { id }, { password_hash: 'some' })
    await insertRow(store, 'user_identities', {
      provider,
      subject: id,
      organization_id,
      user_id: id,
      ...times,
    })
    await insertPasskey(service, id)
    expect((await change(owner, id, { role: 'analyst' })).status).toBe(200)
    const [user] = await findRows(store, 'users', { id })
    const identities = await findRows(store, 'user_identities', { user_id: id })
    const passkeys = await findRows(store, 'passkeys', { user_id: id })
    return [user?.password_hash, passkeys.length, identities.length, (await entriesAbout(id))[0]?.after]
  }
  const [one, several] = [(await signedIn('owner')).id, (await signedIn('owner')).id]
  expect(await demote(one)).toEqual([null, 0, 1, { identity_provider: provider, credentials: 'ended' }])
  const elsewhere = {
    organization_id: service.other.organization_id,
    role: 'editor' as const,
    project_roles: null,
  }
  await insertRow(store, 'members', { ...elsewhere, user_id: several, created_at: new Date(clock.now()) })
  expect(await demote(several)).toEqual(['some', 1, 0, { identity_provider: null }])
})

test('DELETE /api/organizations/:organization_id/members/:user_id/ returns 204 and ends sessions, personal keys and invites, not keys of the organization', async () => {
  const { id, headers } = await signedIn('admin')
  const [personal, ofOrganization] = [await newKeyOf(id), await newKeyOf(id, { is_service: true })]
  const statuses = () =>
    Promise.all([
      ask('GET', '/api/users/@me/', headers),
      ...[personal, ofOrganization].map((key) => service.request('GET', '/api/users/@me/', { key })),
    ]).then((responses) => responses.map(({ status }) => status))
  expect(await statuses()).toEqual([200, 200, 200])
  const invites = '/api/organizations/@current/invites/'
  const invite = await ask('POST', invites, headers, { role: 'admin' })
  expect(invite.status).toBe(201)
  expect((await remove(owner, id)).status).toBe(204)
  expect(await statuses()).toEqual([401, 401, 200])
  expect((await ask('GET', invites, owner)).body).toEqual([])
  expect((await remove(owner, id)).status).toBe(404)
  expect(await entriesAbout(id)).toEqual([
    { action: 'member.removed', before: { role: 'admin', project_roles: null }, after: null },
  ])
})

describe('what is refused', () => {
  test('changing owners, unless by an owner', async () => {
    const admin = await signedIn('admin')
    const analyst = await insertMember(service, 'analyst')
    const refused = [
      [await change(admin.headers, analyst, { role: 'owner' }), /^Only an owner can make someone an owner/],
      [await change(admin.headers, ownerId, { role: 'analyst' }), /^Only an owner can change or remove/],
      [await remove(admin.headers, ownerId), /^Only an owner can change or remove/],
    ] as const
    for (const [response, detail] of refused) {
      expect(response.status).toBe(403)
      expect(problemOf(response).detail).toMatch(detail)
    }
    expect((await change(admin.headers, analyst, { role: 'admin' })).status).toBe(200)
    expect((await change(owner, analyst, { role: 'owner' })).status).toBe(200)
    expect((await change(owner, analyst, { role: 'analyst' })).status).toBe(200)
  })

  test('giving more than one has, also with a key', async () => {
    const analyst = await insertMember(service, 'analyst')
    const key = await newKeyOf(ownerId, { scopes: ['organization_member:write', 'batch_export:write'] })
    const give = (body: object) => service.request('PATCH', `${members}${analyst}/`, { key, body })
    const response = await give({ role: 'editor' })
    expect([response.status, problemOf(response).detail]).toEqual([
      403,
      "You can only change members with rights that you have yourself: the role analyst includes 'integration:read'.",
    ])
    const admin = await signedIn('admin', { [service.own.project_id]: 'admin' })
    const limited = await change(admin.headers, analyst, { role: 'analyst' })
    expect([limited.status, problemOf(limited).code]).toEqual([403, 'permission_denied'])
    const ofProject = await service.newKey({ projects: [service.own.project_id] })
    const hidden = await service.request('DELETE', `${members}${analyst}/`, { key: ofProject })
    expect(hidden.status).toBe(404)
  })

  test('projects of others, no project, and limits of owners', async () => {
    const { id } = await signedIn('analyst')
    const refused: [object, string | null][] = [
      [
        { project_roles: { [service.other.project_id]: 'analyst' } },
        `project_roles__${service.other.project_id}`,
      ],
      [{ project_roles: {} }, 'project_roles'],
      [{ project_roles: { [service.own.project_id]: 'owner' } }, `project_roles__${service.own.project_id}`],
      [{ role: 'owner', project_roles: { [service.own.project_id]: 'admin' } }, 'project_roles'],
      [{ role: 'root' }, 'role'],
      [{}, null],
    ]
    for (const [body, attr] of refused) {
      const response = await change(owner, id, body)
      expect([response.status, problemOf(response).attr], JSON.stringify(body)).toEqual([400, attr])
    }
  })

  test('leaving an organization without an owner, also by requests at the same time', async () => {
    for (const response of [await remove(owner, ownerId), await change(owner, ownerId, { role: 'admin' })])
      expect([response.status, problemOf(response).detail]).toEqual([
        409,
        'This is the last owner of the organization. Make another member an owner first.',
      ])
    const second = await signedIn('owner')
    const both = await Promise.all([
      change(owner, second.id, { role: 'analyst' }),
      change(second.headers, ownerId, { role: 'analyst' }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const [left] = await findRows(service.services.store, 'members', {
      organization_id: service.own.organization_id,
      role: 'owner',
    })
    expect([ownerId, second.id]).toContain(left?.user_id)
    await updateRows(service.services.store, 'members', { user_id: [ownerId, second.id] }, { role: 'owner' })
    const leaving = await Promise.all([
      remove(second.headers, second.id),
      change(owner, ownerId, { role: 'admin' }),
    ])
    expect(leaving.filter(({ status }) => status === 409)).toHaveLength(1)
  })

  test('members and invites of another organization', async () => {
    const elsewhere = { ...service, own: service.other }
    const [member, invite] = [await insertMember(elsewhere, 'analyst'), await insertInvite(elsewhere)]
    expect((await remove(owner, member)).status).toBe(404)
    expect((await change(owner, member, { role: 'admin' })).status).toBe(404)
    const path = `/api/organizations/@current/invites/${invite.id}/`
    expect((await ask('DELETE', path, owner)).status).toBe(404)
    const listed = bodyOf(z.array(Member), await ask('GET', members, owner))
    expect(listed.map(({ id }) => id)).not.toContain(member)
  })
})

test('a key of the organization is created, listed and revoked by those who may change the organization, and expires', async () => {
  const keys = '/api/personal_api_keys/'
  const admin = await signedIn('admin')
  const editor = await signedIn('editor')
  const body = {
    label: 'Nightly',
    scopes: ['batch_export:read'],
    is_service: true,
    expires_at: '2026-03-05T00:00:00Z',
  }
  const refused = await ask('POST', keys, editor.headers, body)
  expect([refused.status, problemOf(refused).detail]).toEqual([
    403,
    "Your role, editor, lacks the scope 'organization:write'. An owner or admin of the organization can change it.",
  ])
  const past = await ask('POST', keys, owner, { ...body, expires_at: '2026-03-04T10:30:00Z' })
  expect([past.status, problemOf(past).attr]).toEqual([400, 'expires_at'])
  const created = bodyOf(CreatedPersonalApiKey, await ask('POST', keys, owner, body))
  expect(created).toMatchObject({
    is_service: true,
    expires_at: '2026-03-05T00:00:00Z',
    last_used_from: null,
  })
  const listed = async ({ headers }: { headers: SessionHeaders }) =>
    bodyOf(z.array(z.object({ id: z.string() })), await ask('GET', keys, headers)).map(({ id }) => id)
  expect([await listed(admin), await listed(editor)]).toEqual([[created.id], []])
  const used = () => service.request('GET', `${keys}@current/`, { key: created.value })
  await expect.poll(async () => (await used()).body).toMatchObject({ last_used_from: '127.0.0.1' })
  expect((await ask('DELETE', `${keys}${created.id}/`, editor.headers)).status).toBe(404)
  const { value } = bodyOf(CreatedPersonalApiKey, await ask('POST', keys, owner, { ...body, scopes: ['*'] }))
  const grant = (more: object) =>
    service.request('POST', keys, { key: value, body: { label: 'More', scopes: ['*'], ...more } })
  expect(problemOf(await grant({ expires_at: null })).attr).toBe('expires_at')
  expect((await grant({})).body).toMatchObject({ is_service: true, expires_at: '2026-03-05T00:00:00Z' })
  service.clock.set('2026-03-05T00:00:00Z')
  expect((await used()).status).toBe(401)
  service.clock.set('2026-03-04T10:30:00Z')
  expect((await ask('DELETE', `${keys}${created.id}/`, admin.headers)).status).toBe(204)
  expect((await used()).status).toBe(401)
})
