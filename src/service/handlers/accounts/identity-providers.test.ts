import { afterAll, beforeAll, expect, test } from 'vitest'
import { IdentityProvider, ProviderTest } from '../../../contract/accounts/identity-provider.ts'
import { secretRequired } from '../../../contract/destinations/moved-secrets.ts'
import { findRow, findRows, insertRow, updateRows } from '../../store/schema/rows.ts'
import { startIdentityProvider, type TestProvider } from '../../testing/identity-provider.ts'
import { insertMember, insertSession } from '../../testing/test-members.ts'
import { insertProvider } from '../../testing/test-providers.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let real: TestProvider
const path = '/api/organizations/@current/sign_in/providers/'
const secret = 'a-secret-of-a-client'

beforeAll(async () => {
  service = await createTestService({
    config: { privateDestinations: 'loopback' },
    now: new Date().toISOString(),
  })
  real = await startIdentityProvider({ redirectUri: 'http://localhost/sign-in/any/callback' })
})
afterAll(async () => {
  await real.stop()
  await service.stop()
})

const given = () => ({
  id: `login-${crypto.randomUUID().slice(0, 8)}`,
  name: 'Company login',
  issuer: real.issuer,
  client_id: 'spool',
  client_secret: secret,
})
const create = (values: object) => service.request('POST', path, { body: { ...given(), ...values } })

test('POST /api/organizations/:organization_id/sign_in/providers/ creates a provider that lets nobody in, listed by GET /api/organizations/:organization_id/sign_in/providers/ with its settings; PATCH /api/organizations/:organization_id/sign_in/providers/:id/ changes it, DELETE /api/organizations/:organization_id/sign_in/providers/:id/ removes it, and all are audited', async () => {
  const created = await create({})
  expect([created.status, created.body]).toMatchObject([
    201,
    { scopes: ['openid', 'email', 'profile'], groups_claim: 'groups', mappings: [], enabled: true },
  ])
  const { id } = bodyOf(IdentityProvider, created)
  const project_roles = { [service.secondProjectId]: 'editor' }
  const body = {
    mappings: [{ group: 'staff', role: 'analyst', project_roles }],
    client_secret: `${secret}-2`,
  }
  const changed = await service.request('PATCH', `${path}${id}/`, { body })
  expect([changed.status, changed.body]).toMatchObject([200, { mappings: body.mappings }])
  const list = await service.request('GET', path)
  expect(list.body).toEqual([changed.body])
  expect((await service.request('DELETE', `${path}${id}/`)).status).toBe(204)
  expect((await service.request('GET', path)).body).toEqual([])
  const entries = await findRows(service.services.store, 'audit_entries', { object_id: id })
  expect(new Map(entries.map(({ action, after }) => [action, after]))).toMatchObject(
    new Map([
      ['sign_in_provider.created', expect.objectContaining({ issuer: real.issuer })],
      ['sign_in_provider.updated', { mappings: body.mappings, client_secret: 'changed' }],
      ['sign_in_provider.deleted', null],
    ]),
  )
  expect(JSON.stringify([created, changed, list, entries])).not.toContain(secret)
})

test('input that cannot work is refused, with what to do', async () => {
  const taken = await insertProvider(service, { organization_id: service.other.organization_id })
  const everyone = { group: '*', role: 'analyst' }
  const foreign = { [service.other.project_id]: 'analyst' }
  const cases: [object, string, RegExp][] = [
    [{ id: taken.id }, 'id', /taken/],
    [{ id: 'Not/A/Slug' }, 'id', /lowercase letters/],
    [{ issuer: 'ftp://company.example' }, 'issuer', /URL/],
    [{ issuer: 'http://company.example' }, 'issuer', /https/],
    [{ issuer: 'https://a:b@company.example' }, 'issuer', /no user name/],
    [{ issuer: 'https://10.1.2.3' }, 'issuer', /SPOOL_ALLOW_PRIVATE_DESTINATIONS/],
    [{ issuer: 'https://169.254.169.254/' }, 'issuer', /public internet/],
    [{ mappings: [everyone] }, 'mappings__0__group', /allowed domains or groups/],
    [{ mappings: [{ group: 'a', role: 'owner' }] }, 'mappings__0__role', /./],
    [
      { mappings: [{ group: 'a', role: 'analyst', project_roles: foreign }] },
      'mappings__0__project_roles',
      /not exist/,
    ],
    [
      { mappings: [{ group: 'a', role: 'analyst', project_roles: {} }] },
      'mappings__0__project_roles',
      /one project/,
    ],
  ]
  for (const [values, attr, detail] of cases) {
    const response = await create(values)
    expect([response.status, problemOf(response).attr], JSON.stringify(values)).toEqual([400, attr])
    expect(problemOf(response).detail).toMatch(detail)
  }
  expect((await create({ mappings: [everyone], allowed_domains: ['Company.Example'] })).body).toMatchObject({
    allowed_domains: ['company.example'],
  })
})

test('another issuer needs the secret as well, and starts without known members and sessions', async () => {
  const { store } = service.services
  const { id } = await insertProvider(service, { issuer: 'http://127.0.0.1:9' })
  const user_id = await insertMember(service, 'analyst')
  const created_at = new Date()
  const { organization_id } = service.own
  await insertRow(store, 'user_identities', {
    provider: id,
    subject: 'ada',
    organization_id,
    user_id,
    created_at,
    last_sign_in_at: created_at,
  })
  await insertSession(service, { user_id, method: 'provider', provider: id })
  await insertSession(service, { user_id })
  const change = (body: object) => service.request('PATCH', `${path}${id}/`, { body })
  const refused = await change({ issuer: real.issuer })
  expect([refused.status, problemOf(refused)]).toMatchObject([
    400,
    { attr: 'client_secret', detail: secretRequired },
  ])
  expect((await change({ issuer: 'http://127.0.0.1:9', name: 'Same' })).status).toBe(200)
  expect(await findRow(store, 'user_identities', { provider: id })).toBeDefined()
  expect((await change({ issuer: real.issuer, client_secret: secret })).status).toBe(200)
  expect(await findRow(store, 'user_identities', { provider: id })).toBeUndefined()
  expect((await findRows(store, 'sessions', { user_id })).map(({ method }) => method)).toEqual(['password'])
  await insertSession(service, { user_id, method: 'provider', provider: id })
  await change({ enabled: false })
  expect(await findRows(store, 'sessions', { provider: id })).toEqual([])
})

test('only an owner changes providers, who confirmed their password, and no key that is limited to projects', async () => {
  const { id } = await insertProvider(service)
  const body = { name: 'Taken over' }
  const admin = await insertSession(service, { user_id: await insertMember(service, 'admin') })
  const limited = await service.newKey({ projects: [service.own.project_id] })
  for (const options of [{ headers: admin.headers, key: '' }, { key: limited }]) {
    for (const request of [
      service.request('POST', path, { body: given(), ...options }),
      service.request('PATCH', `${path}${id}/`, { body, ...options }),
      service.request('DELETE', `${path}${id}/`, options),
    ])
      expect([403, 404]).toContain((await request).status)
  }
  expect((await service.request('GET', path, { key: limited })).body).toEqual([])
  const user_id = await insertMember(service, 'owner')
  await updateRows(service.services.store, 'users', { id: user_id }, { password_hash: 'some' })
  const owner = await insertSession(service, { user_id, confirmed_at: new Date(0) })
  const late = await service.request('PATCH', `${path}${id}/`, { body, headers: owner.headers, key: '' })
  expect([late.status, problemOf(late).code]).toEqual([403, 'confirmation_required'])
  expect(await findRow(service.services.store, 'identity_providers', { id })).toMatchObject({
    name: 'Company',
  })
})

test('a provider of another organization is not found', async () => {
  const { id } = await insertProvider({ ...service, own: service.other })
  for (const [method, end] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', 'test/'],
  ] as const)
    expect((await service.request(method, `${path}${id}/${end}`, { body: { name: 'a' } })).status).toBe(404)
  const list = await service.request('GET', path)
  expect(JSON.stringify(list.body)).not.toContain(id)
})

test('POST /api/organizations/:organization_id/sign_in/providers/:id/test/ says what was found, or what is wrong and what to do', async () => {
  const test = async (values: Parameters<typeof insertProvider>[1]) => {
    const { id } = await insertProvider(service, values)
    return bodyOf(ProviderTest, await service.request('POST', `${path}${id}/test/`))
  }
  const works = await test({ issuer: real.issuer })
  expect(works).toMatchObject({ problem: null, remedy: null })
  expect(works.found.join(' ')).toMatch(/issuer http:\/\/127.*PKCE.*can end sessions here/)
  expect(await test({ issuer: real.issuer, scopes: ['openid', 'roles'] })).toMatchObject({
    problem: expect.stringContaining('roles'),
    remedy: expect.stringContaining('Remove the scope'),
  })
  const cases: [string, RegExp, RegExp][] = [
    ['http://127.0.0.1:9', /could not be read/, /127\.0\.0\.1:9\/\.well-known\/openid-configuration/],
    [`${real.issuer}/elsewhere`, /could not be read/, /"issuer" is exactly/],
    [real.issuer.replace('127.0.0.1', 'localhost'), /could not be read/, /"issuer" is exactly/],
    ['https://192.168.1.1', /public internet/, /SPOOL_ALLOW_PRIVATE_DESTINATIONS/],
  ]
  for (const [issuer, problem, remedy] of cases) {
    const result = await test({ issuer })
    expect([result.problem, result.remedy]).toEqual([
      expect.stringMatching(problem),
      expect.stringMatching(remedy),
    ])
  }
})
