import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { User } from '../../../contract/accounts/user.ts'
import { CreatedInvite, InspectedInvite, Invite, Member } from '../../../contract/accounts/member.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { findRows, updateRows } from '../../store/schema/rows.ts'
import { insertInvite, insertMember, insertSession, type SessionHeaders } from '../../testing/test-members.ts'
import {
  bodyOf,
  createTestService,
  problemOf,
  type TestResponse,
  type TestService,
} from '../../testing/test-service.ts'

let service: TestService
let owner: SessionHeaders
const invites = '/api/organizations/@current/invites/'
const origin = 'http://localhost:80'
const password = 'sixteen purple tea cups'

beforeAll(async () => {
  service = await createTestService()
  owner = (await insertSession(service)).headers
})
afterAll(() => service.stop())

function ask(method: string, path: string, headers: Record<string, string>, body?: object) {
  return service.request(method, path, { ...(body && { body }), headers, key: '' })
}
const accept = (body: object) => ask('POST', '/api/invites/accept/', { origin }, body)
const inspect = (token: string) => ask('POST', '/api/invites/inspect/', { origin }, { token })
const headersOf = ({ headers }: TestResponse) => ({
  cookie: String(headers['set-cookie'] ?? '').split(';')[0] ?? '',
  origin,
})
const me = async (response: TestResponse) =>
  bodyOf(User, await ask('GET', '/api/users/@me/', headersOf(response)))

async function invited(body: object): Promise<string> {
  const created = bodyOf(CreatedInvite, await ask('POST', invites, owner, body))
  return new URLSearchParams(new URL(created.url).hash.slice(1)).get('invite') ?? ''
}

/** Inserts a user with a password who is a member of the other organization. */
async function userElsewhere(email: string) {
  const id = await insertMember({ ...service, own: service.other }, 'editor')
  await updateRows(
    service.services.store,
    'users',
    { id },
    { email, password_hash: await hashPassword(password) },
  )
  return id
}

test('POST /api/organizations/:organization_id/invites/ returns 201 with a link that is shown once', async () => {
  const project_roles = { [service.own.project_id]: 'analyst' }
  const response = await ask('POST', invites, owner, {
    role: 'analyst',
    project_roles,
    email: 'Ada@people.example',
  })
  const { url, ...created } = bodyOf(CreatedInvite, response)
  expect(response.status).toBe(201)
  expect(url).toMatch(/^http:\/\/localhost(:80)?\/join#invite=[\w-]{43}$/)
  expect(created).toMatchObject({
    email: 'Ada@people.example',
    project_roles,
    expires_at: '2026-03-11T10:30:00Z',
  })
  const list = await ask('GET', invites, owner)
  expect(bodyOf(z.array(Invite), list)).toEqual([created])
  const token = url.split('=')[1] ?? ''
  const stored = await service.services.store.selectFrom('invites').selectAll().execute()
  for (const text of [list.text, JSON.stringify(stored)]) expect(text).not.toContain(token)
  expect(
    (await ask('POST', invites, owner, { role: 'analyst', project_roles: { 999999: 'analyst' } })).status,
  ).toBe(400)
  const admin = (await insertSession(service, { user_id: await insertMember(service, 'admin') })).headers
  expect(problemOf(await ask('POST', invites, admin, { role: 'owner' })).detail).toMatch(/^Only an owner/)

  expect(bodyOf(InspectedInvite, await inspect(token))).toMatchObject({
    organization: 'Own',
    role: 'analyst',
  })
  expect((await ask('DELETE', `${invites}${created.id}/`, admin)).status).toBe(204)
  expect((await inspect(token)).status).toBe(404)
  const entries = await findRows(service.services.store, 'audit_entries', { object_id: created.id })
  expect(entries.map(({ action, after }) => [action, after?.['role']])).toEqual([
    ['invite.created', 'analyst'],
    ['invite.revoked', undefined],
  ])
})

test('GET /api/organizations/:organization_id/invites/ returns 200 without invites that have expired; DELETE /api/organizations/:organization_id/invites/:id/ returns 404 for them once they are deleted', async () => {
  const expired = await insertInvite(service, { expires_at: new Date(service.clock.now()) })
  const listed = bodyOf(z.array(Invite), await ask('GET', invites, owner))
  expect(listed.map(({ id }) => id)).not.toContain(expired.id)
  const body = { token: expired.token, email: 'late@people.example', password, first_name: 'Late' }
  expect((await accept(body)).status).toBe(404)
  expect((await ask('DELETE', `${invites}${expired.id}/`, owner)).status).toBe(204)
  expect((await ask('DELETE', `${invites}${expired.id}/`, owner)).status).toBe(404)
})

test('POST /api/invites/inspect/ returns 200 with what is offered, and 404 for an unknown token', async () => {
  const token = await invited({ role: 'editor', email: 'bob@people.example' })
  const response = await inspect(token)
  expect([response.status, response.body]).toEqual([
    200,
    {
      organization: 'Own',
      role: 'editor',
      is_limited: false,
      email: 'bob@people.example',
      expires_at: '2026-03-11T10:30:00Z',
    },
  ])
  expect(problemOf(await inspect('unknown')).detail).toBe(
    'This invite has been used or revoked, or has expired. Ask for another one.',
  )
})

test('POST /api/invites/accept/ returns 201 and signs in a new member, once', async () => {
  const token = await invited({ role: 'editor', project_roles: { [service.secondProjectId]: 'analyst' } })
  const body = { token, email: 'Grace@people.example', password, first_name: 'Grace' }
  expect(problemOf(await accept({ ...body, password: 'short' })).attr).toBe('password')
  expect(problemOf(await accept({ ...body, email: 'admin@localhost' })).attr).toBe('email')
  const tries = await Promise.all(
    [1, 2, 3].map((n) => accept({ ...body, email: `grace${n}@people.example` })),
  )
  expect(tries.map(({ status }) => status).toSorted()).toEqual([201, 404, 404])
  const first = tries.find(({ status }) => status === 201)
  if (!first) throw new Error('nobody joined')
  const user = await me(first)
  expect(user).toMatchObject({ first_name: 'Grace', has_password: true, organization: { name: 'Own' } })
  expect(user.organization.teams.map(({ id }) => id)).toEqual([service.secondProjectId])
  const [entry] = await findRows(service.services.store, 'audit_entries', {
    object_id: user.uuid,
    action: 'member.added',
  })
  expect(entry).toMatchObject({ actor_id: user.uuid, actor_name: 'Grace', after: { role: 'editor' } })
  const users = await service.services.store.selectFrom('users').select('email').execute()
  expect(users.filter(({ email }) => /^grace\d/.test(email))).toHaveLength(1)
})

test('an invite for an address is accepted by no other, and two for the same new address make one account', async () => {
  const email = 'carol@people.example'
  const [token, second] = [
    await invited({ role: 'analyst', email }),
    await invited({ role: 'analyst', email }),
  ]
  const refused = await accept({ token, email: 'eve@people.example', password, first_name: 'Eve' })
  expect([refused.status, problemOf(refused).detail]).toEqual([400, `This invite is for ${email}.`])
  const both = await Promise.all(
    [token, second].map((each) =>
      accept({ token: each, email: 'Carol@people.example', password, first_name: 'Carol' }),
    ),
  )
  expect(both.filter(({ status }) => status === 201)).toHaveLength(1)
  expect([401, 409]).toContain(both.find(({ status }) => status !== 201)?.status)
  const again = await accept({ token: second, email, password })
  expect([404, 409]).toContain(again.status)
})

test('an existing account joins with its password; a wrong one gets the same answer as an unknown address', async () => {
  const email = 'dan@people.example'
  await userElsewhere(email)
  const token = await invited({ role: 'editor' })
  const wrong = 'not the password at all'
  const answers = [
    await accept({ token, email, password: wrong }),
    await accept({ token, email, password: wrong, first_name: 'Dan' }),
    await accept({ token, email: 'nobody@people.example', password: wrong }),
  ].map((response) => [
    response.status,
    { ...problemOf(response), request_id: '' },
    headersOf(response).cookie,
  ])
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject([401, { code: 'sign_in_failed' }, ''])
  const joined = await accept({ token, email, password })
  expect([joined.status, (await me(joined)).organization.name]).toEqual([201, 'Own'])
})

test('after many failures an address waits, whatever the password', async () => {
  const limited = await createTestService({ config: { rateLimit: 6000 } })
  const { token } = await insertInvite(limited)
  const statuses = []
  for (let count = 0; count < 11; count++) {
    const body = { token, email: 'nobody@people.example', password: 'wrong' }
    statuses.push((await limited.request('POST', '/api/invites/accept/', { body, key: '' })).status)
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429])
  await limited.stop()
})

test('POST /api/invites/join/ returns 201 and moves the session of whoever is signed in to the organization', async () => {
  const user_id = await userElsewhere('erin@people.example')
  const { headers } = await insertSession({ ...service, own: service.other }, { user_id })
  const join = (token: string) => ask('POST', '/api/invites/join/', headers, { token })
  const token = await invited({ role: 'analyst' })
  expect((await join(token)).status).toBe(201)
  const user = bodyOf(User, await ask('GET', '/api/users/@me/', headers))
  expect([user.organization.name, user.role]).toEqual(['Own', 'analyst'])
  const members = bodyOf(z.array(Member), await ask('GET', '/api/organizations/@current/members/', headers))
  expect(members.map(({ email }) => email)).toContain('erin@people.example')
  const second = await invited({ role: 'owner' })
  const again = await join(second)
  expect([again.status, problemOf(again).detail]).toEqual([
    409,
    'You are a member of this organization already.',
  ])
  expect((await inspect(second)).status).toBe(200)
  const withKey = await service.request('POST', '/api/invites/join/', { body: { token: second } })
  expect([withKey.status, problemOf(withKey).code]).toEqual([403, 'permission_denied'])
})
