import fc from 'fast-check'
import { decodeJwt, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { User } from '../../contract/accounts/user.ts'
import type { ProviderMapping } from '../../contract/accounts/identity-provider.ts'
import { newApiKey } from '../auth/api-key-value.ts'
import { newKeyRow } from '../auth/new-organization.ts'
import { sessionMs } from '../auth/session-times.ts'
import { keptMs, KnownProviders } from '../auth/providers/known-providers.ts'
import { openAttempt } from '../auth/providers/sign-in-attempt.ts'
import type { IdentityProviderRow } from '../store/accounts/identity-providers.ts'
import { deleteMember } from '../store/accounts/members.ts'
import { deleteRows, findRow, findRows, insertRow, updateRows } from '../store/schema/rows.ts'
import { startIdentityProvider, type TestProvider } from '../testing/identity-provider.ts'
import { insertInvite, insertMember, insertSession } from '../testing/test-members.ts'
import { insertProvider } from '../testing/test-providers.ts'
import { bodyOf, createTestService, type TestResponse, type TestService } from '../testing/test-service.ts'

const base = '/sign-in/company'
const issuerSecret = 'the-secret-of-the-client'
const event = 'http://schemas.openid.net/event/backchannel-logout'

let service: TestService
let real: TestProvider
let provider: IdentityProviderRow
let mappings: ProviderMapping[]

beforeAll(async () => {
  service = await createTestService({
    config: { privateDestinations: 'loopback' },
    now: new Date().toISOString(),
  })
  real = await startIdentityProvider({
    redirectUri: 'http://localhost/sign-in/company/callback',
    clientSecret: issuerSecret,
    onLogout: async (form) => (await logOut(form)).status,
  })
  mappings = [
    { group: 'analysts', role: 'analyst', project_roles: { [service.secondProjectId]: 'analyst' } },
    { group: 'editors', role: 'editor', project_roles: null },
  ]
  provider = await insertProvider(service, {
    id: 'company',
    issuer: real.issuer,
    client_secret: issuerSecret,
    mappings,
  })
})
afterAll(async () => {
  await real.stop()
  await service.stop()
})
beforeEach(async () => {
  service.clock.set(new Date().toISOString())
  real.tampering.claims = null
  await change({ enabled: true, allowed_domains: [], allowed_groups: [], trusts_email: false })
  signInAs(crypto.randomUUID())
})

function change(values: Partial<Omit<IdentityProviderRow, 'mappings'>>) {
  return updateRows(service.services.store, 'identity_providers', { id: 'company' }, values)
}

/** The next visitor of the provider is this one, in these groups. */
function signInAs(sub: string, claims: TestProvider['person']['claims'] = {}): string {
  const email = `${sub}@company.example`
  Object.assign(real.person, {
    sub,
    claims: { email, email_verified: true, name: 'Ada Lovelace', groups: ['analysts'], ...claims },
  })
  return email
}

const get = (url: string, cookie = '') => service.request('GET', url, { key: '', headers: { cookie } })
const logOut = (raw: string) =>
  service.request('POST', `${base}/backchannel-logout`, {
    key: '',
    raw,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const cookiesOf = (response: TestResponse) => [response.headers['set-cookie'] ?? []].flat().map(String)
const cookieNamed = (response: TestResponse, name: string) =>
  cookiesOf(response)
    .find((cookie) => cookie.startsWith(name))
    ?.split(';')[0] ?? ''
const location = (response: TestResponse) => String(response.headers['location'])
const me = (cookie: string) => get('/api/users/@me/', cookie)

/** Begins a sign-in. */
async function begin(then = '/exports') {
  const response = await get(`${base}?then=${encodeURIComponent(then)}`)
  return { url: location(response), cookie: cookieNamed(response, 'spool_sign_in_80'), response }
}

/** Begins a sign-in and visits the provider; `callback` is where it then leads. */
async function visit(then?: string) {
  const begun = await begin(then)
  const { pathname, search } = new URL(await real.visit(begun.url))
  return { ...begun, callback: pathname + search }
}

async function signIn(then?: string) {
  const { callback, cookie } = await visit(then)
  const response = await get(callback, cookie)
  return { response, cookie: cookieNamed(response, 'spool_session_80') }
}

/** Expects that a callback starts no session, and returns the problem that the login page is told. */
function problemOf(response: TestResponse): string | null {
  expect(response.status).toBe(302)
  expect(cookieNamed(response, 'spool_session_80')).toBe('')
  const to = new URL(location(response), 'http://localhost')
  expect(to.pathname).toBe('/login')
  return to.searchParams.get('problem')
}

describe('signing in', () => {
  test('the login page learns which providers there are, and nothing else of them', async () => {
    const response = await get('/api/sign_in/')
    expect(response.body).toEqual({
      passwords: false,
      passkeys: false,
      sends_mail: false,
      providers: [{ id: 'company', name: 'Company' }],
    })
    await change({ enabled: false })
    expect((await get('/api/sign_in/')).body).toMatchObject({ providers: [] })
    expect(problemOf(await get(base))).toBe('unknown')
  })

  test('a new member gets the role and projects that their group grants, and a session of the provider', async () => {
    const email = signInAs('new-member')
    const { response, cookie } = await signIn('/exports?state=failing#top')
    expect(location(response)).toBe('/exports?state=failing#top')
    const user = bodyOf(User, await me(cookie))
    expect(user).toMatchObject({ email, first_name: 'Ada Lovelace', role: 'analyst', all_teams: false })
    expect(user.organization.teams.map(({ id }) => id)).toEqual([service.secondProjectId])
    const [session] = await findRows(service.services.store, 'sessions', { user_id: user.uuid })
    expect(session).toMatchObject({ method: 'provider', provider: 'company' })
    expect(session?.provider_session).toMatch(/^[\w-]{10,}$/)
    expect(cookieNamed(response, 'spool_sign_in_80')).toBe('spool_sign_in_80=')
    const entries = await findRows(service.services.store, 'audit_entries', { actor_id: user.uuid })
    expect(entries.map(({ action }) => action).toSorted()).toEqual(['member.added', 'sign_in.succeeded'])
    expect(entries.find(({ action }) => action === 'sign_in.succeeded')?.after).toMatchObject({
      method: 'provider',
      provider: 'company',
    })
  })

  test('it begins with PKCE, a state and a nonce, in a cookie that scripts do not get and that is sealed', async () => {
    const { url, cookie, response } = await begin()
    const { searchParams: asked } = new URL(url)
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'spool',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost/sign-in/company/callback',
      scope: 'openid email profile groups',
    })
    expect(cookiesOf(response)[0]).toMatch(
      /; Path=\/; HttpOnly; SameSite=Lax|Max-Age=600; Path=\/; HttpOnly; SameSite=Lax/,
    )
    const value = cookie.split('=')[1] ?? ''
    const attempt = openAttempt(service.services.secrets, value, 'company', service.clock.now())
    expect([asked.get('state'), asked.get('nonce')]).toEqual([attempt?.state, attempt?.nonce])
    expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain(attempt?.state)
    expect(url).not.toContain(attempt?.verifier)
    expect(openAttempt(service.services.secrets, value, 'other', service.clock.now())).toBeNull()
  })

  test('another site cannot replace a session, but a page of the service can, and a sign-in can begin anywhere', async () => {
    const { id, headers } = await insertSession(service)
    const leads = async (site: string) => {
      const sent = { cookie: headers.cookie, 'sec-fetch-site': site }
      const response = await service.request('GET', `${base}?then=/exports`, { key: '', headers: sent })
      return location(response)
    }
    const asks = '/login?problem=another_site&then=%2Fexports'
    expect([await leads('cross-site'), await leads('same-site')]).toEqual([asks, asks])
    for (const site of ['same-origin', 'none']) expect(await leads(site)).toContain(real.issuer)
    await deleteRows(service.services.store, 'sessions', { id })
    expect(await leads('cross-site')).toContain(real.issuer)
  })

  test('the next sign-in is of the same user, whose role follows the groups', async () => {
    const email = signInAs('moves')
    const first = bodyOf(User, await me((await signIn()).cookie))
    signInAs('moves', { email: 'renamed@company.example', groups: ['editors'] })
    const second = bodyOf(User, await me((await signIn()).cookie))
    expect(second).toMatchObject({ uuid: first.uuid, email, role: 'editor', all_teams: true })
    signInAs('moves', { groups: 'analysts' })
    const { cookie } = await signIn()
    expect(bodyOf(User, await me(cookie))).toMatchObject({ role: 'analyst', all_teams: false })
    signInAs('moves', { groups: [] })
    expect(problemOf((await signIn()).response)).toBe('groups')
    // What the groups granted before is gone as well.
    expect((await me(cookie)).status).toBe(401)
    const changes = await findRows(service.services.store, 'audit_entries', {
      object_id: first.uuid,
      action: 'member.role_changed',
    })
    expect(changes).toHaveLength(2)
  })

  test('a member with the confirmed address is the same user, whom nobody else can be any more; an owner stays one', async () => {
    const { store } = service.services
    for (const role of ['admin', 'owner'] as const) {
      const email = signInAs(`known-${role}`)
      const id = await insertMember(service, role)
      await updateRows(store, 'users', { id }, { email: email.toUpperCase(), password_hash: 'some' })
      const earlier = await insertSession(service, { user_id: id })
      const key = newKeyRow(
        { user_id: id, organization_id: service.own.organization_id },
        'A',
        newApiKey(),
        0,
      )
      await insertRow(store, 'api_keys', key)
      const { cookie } = await signIn()
      const user = bodyOf(User, await me(cookie))
      const isOwner = role === 'owner'
      expect([user.uuid, user.role]).toEqual([id, isOwner ? 'owner' : 'analyst'])
      expect([(await me(earlier.headers.cookie)).status, user.has_password]).toEqual([
        isOwner ? 200 : 401,
        isOwner,
      ])
      expect(await findRows(store, 'api_keys', { user_id: id })).toHaveLength(isOwner ? 1 : 0)
      // Later sign-ins end nothing.
      await signIn()
      expect((await me(cookie)).status).toBe(200)
    }
  })

  /** Accepts an invite to an organization with an address and a new password. */
  async function accept(email: string, own = service.own) {
    const { token } = await insertInvite({ ...service, own })
    const body = { token, email, first_name: 'Ada', password: 'sixteen purple tea cups' }
    return await service.request('POST', '/api/invites/accept/', { body, key: '' })
  }

  test('a member who was removed does not come back by their groups, but by an invite', async () => {
    const { store } = service.services
    const email = signInAs('removed')
    const user = bodyOf(User, await me((await signIn()).cookie))
    expect((await accept(email)).status).toBe(401)
    await deleteMember(store, { organization_id: service.own.organization_id, user_id: user.uuid })
    expect(problemOf((await signIn()).response)).toBe('removed')
    expect((await accept(email)).status).toBe(201)
    expect(bodyOf(User, await me((await signIn()).cookie)).uuid).not.toBe(user.uuid)
  })

  test('an address that a provider asserts can be used in other organizations', async () => {
    const email = signInAs('elsewhere')
    await signIn()
    expect((await accept(email, service.other)).status).toBe(201)
    expect(location((await signIn()).response)).toBe('/exports')
  })

  test('someone whom the provider signed in cannot set a password, which would count in other organizations', async () => {
    const { cookie } = await signIn()
    for (const body of [{ password: 'sixteen purple tea cups' }, { email: 'other@company.example' }]) {
      const headers = { cookie, origin: 'http://localhost:80' }
      const response = await service.request('PATCH', '/api/users/@me/', { body, headers, key: '' })
      expect([response.status, response.text]).toEqual([
        403,
        expect.stringContaining('Your identity provider'),
      ])
    }
  })

  test('a user of another organization is not linked, and keeps nobody out; nor is one of several', async () => {
    const email = signInAs('foreign')
    const foreign = await insertMember({ ...service, own: service.other }, 'owner')
    await updateRows(service.services.store, 'users', { id: foreign }, { email })
    const user = bodyOf(User, await me((await signIn()).cookie))
    expect(user).toMatchObject({ email, organization: { name: 'Own' } })
    expect(user.uuid).not.toBe(foreign)
    const members = await findRows(service.services.store, 'members', { user_id: foreign })
    expect(members.map((member) => member.organization_id)).toEqual([service.other.organization_id])
    const { organization_id } = service.own
    const id = await insertMember({ ...service, own: service.other }, 'owner')
    await updateRows(service.services.store, 'users', { id }, { email: signInAs('several') })
    const both = { organization_id, user_id: id, role: 'analyst' as const, created_at: new Date() }
    await insertRow(service.services.store, 'members', both)
    expect(problemOf((await signIn()).response)).toBe('elsewhere')
  })
})

/** How often the provider's settings and keys were read since the last call. */
function reads(): [number, number] {
  const paths = real.traffic.paths.splice(0)
  const count = (path: string) => paths.filter((each) => each === path).length
  return [count('/.well-known/openid-configuration'), count('/jwks')]
}

describe('the settings and keys of a provider', () => {
  test('are read once for all sign-ins of 5 minutes, and again after a failure', async () => {
    service.clock.advance(keptMs.longest)
    await insertProvider(service, { id: 'absent' })
    reads()
    const held = Promise.withResolvers<void>()
    real.traffic.hold = held.promise
    const asked = vi.spyOn(KnownProviders.prototype, 'settingsOf')
    const waiting = [begin(), begin(), begin()]
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(waiting.length), 10_000)
    asked.mockRestore()
    // One that does not answer holds up no other.
    expect(problemOf(await get('/sign-in/absent'))).toBe('unreachable')
    held.reject(new Error('down'))
    for (const { response } of await Promise.all(waiting)) expect(problemOf(response)).toBe('unreachable')
    expect(reads()).toEqual([1, 0])
    real.traffic.hold = Promise.resolve()
    await Promise.all([signIn(), begin(), begin()])
    await signIn()
    expect(reads()).toEqual([1, 1])
    service.clock.advance(keptMs.longest)
    await Promise.all([begin(), begin()])
    expect(reads()).toEqual([1, 1])
    await deleteRows(service.services.store, 'identity_providers', { id: 'absent' })
  })

  test('are read again for an unknown key, but at most once a minute', async () => {
    await begin()
    reads()
    const { privateKey } = await generateKeyPair('RS256')
    const send = async () => {
      const token = await new SignJWT({ iss: real.issuer })
        .setProtectedHeader({ alg: 'RS256', kid: 'new' })
        .sign(privateKey)
      return (await logOut(`logout_token=${token}`)).status
    }
    expect([await send(), await send()]).toEqual([400, 400])
    expect(reads()).toEqual([0, 0])
    service.clock.advance(keptMs.shortest)
    expect([await send(), await send()]).toEqual([400, 400])
    expect(reads()).toEqual([1, 1])
  })
})

describe('who gets in', () => {
  const refused = async (sub: string, claims: TestProvider['person']['claims']) => {
    signInAs(sub, claims)
    return problemOf((await signIn()).response)
  }

  test('nobody whose groups no mapping names', async () => {
    expect(await refused('stranger', { groups: ['others'] })).toBe('groups')
    expect(await refused('stranger', { groups: ['*'] })).toBe('groups')
    expect(await refused('stranger', { groups: undefined as never })).toBe('groups')
    expect(await findRow(service.services.store, 'user_identities', { subject: 'stranger' })).toBeUndefined()
    await service.services.refusals.flush()
    const entry = await findRow(service.services.store, 'audit_entries', {
      action: 'sign_in.refused',
      object_name: 'Company: groups',
    })
    expect(entry).toMatchObject({ organization_id: service.own.organization_id })
  })

  test('nobody whose address is not confirmed, unless the provider is trusted with addresses', async () => {
    expect(await refused('unconfirmed', { email_verified: false })).toBe('email')
    const email = signInAs('silent', { email_verified: undefined as never })
    expect(problemOf((await signIn()).response)).toBe('email')
    await change({ trusts_email: true })
    expect(bodyOf(User, await me((await signIn()).cookie)).email).toBe(email)
    expect(await refused('unconfirmed', { email_verified: false })).toBe('email')
  })

  test('nobody outside of the allowed domains and groups', async () => {
    await change({ allowed_domains: ['company.example'], allowed_groups: ['staff'] })
    const groups = ['staff', 'analysts']
    expect(await refused('outside', { groups, email: 'eve@evil.example' })).toBe('domain')
    expect(await refused('outside', { groups, email: 'eve@x.company.example' })).toBe('domain')
    expect(await refused('outside', { groups: ['analysts'] })).toBe('groups')
    signInAs('inside', { groups, email: 'ada@COMPANY.example' })
    expect((await me((await signIn()).cookie)).status).toBe(200)
  })
})

describe('an attack', () => {
  test.each(['', '&state=wrong', '&state=a&state=b'])(
    'a callback whose state is "%s" starts no session',
    async (state) => {
      const { callback, cookie } = await visit()
      expect(problemOf(await get(callback.replace(/&state=[^&]*/, state), cookie))).toBe('expired')
    },
  )

  test('a callback without our cookie, or with that of another provider or a changed one, starts no session', async () => {
    await insertProvider(service, {
      id: 'second',
      issuer: real.issuer,
      client_secret: issuerSecret,
      mappings,
    })
    const { callback, cookie } = await visit()
    expect(problemOf(await get(callback))).toBe('expired')
    expect(problemOf(await get(callback.replace('company', 'second'), cookie))).toBe('expired')
    expect(problemOf(await get(callback, `${cookie}A`.replace('=A', '=B')))).toBe('expired')
    const sealed = service.services.secrets.seal('{"state":"x"}').toString('base64url')
    expect(problemOf(await get(callback, `spool_sign_in_80=${sealed}`))).toBe('expired')
    await deleteRows(service.services.store, 'identity_providers', { id: 'second' })
  })

  test('a callback works once, and only for 10 minutes', async () => {
    const { callback, cookie } = await visit()
    expect(location(await get(callback, cookie))).toBe('/exports')
    expect(problemOf(await get(callback, cookie))).toBe('expired')
    const late = await visit()
    service.clock.advance(10 * 60_000)
    expect(problemOf(await get(late.callback, late.cookie))).toBe('expired')
  })

  test('a code of another sign-in is refused: its verifier differs', async () => {
    const [victim, attacker] = [await visit(), await visit()]
    const code = (of: string) => /code=([^&]*)/.exec(of)?.[1] ?? ''
    const injected = victim.callback.replace(code(victim.callback), code(attacker.callback))
    expect(problemOf(await get(injected, victim.cookie))).toBe('invalid')
  })

  const claimed: [string, Record<string, unknown>][] = [
    ['nonce', { nonce: 'of-another-sign-in' }],
    ['missing nonce', { nonce: undefined }],
    ['audience', { aud: 'another-client' }],
    ['issuer', { iss: 'https://evil.example' }],
    ['party', { aud: ['spool', 'another-client'], azp: 'another-client' }],
  ]
  test.each(claimed)('an ID token with a wrong %s is refused', async (_, values) => {
    real.tampering.claims = (claims) => ({ ...claims, ...values })
    expect(problemOf((await signIn()).response)).toBe('invalid')
  })

  test('an ID token of an earlier sign-in is refused', async () => {
    let first: Record<string, unknown> = {}
    real.tampering.claims = (claims) => (first = claims)
    await signIn()
    real.tampering.claims = () => first
    expect(problemOf((await signIn()).response)).toBe('invalid')
  })

  test('clocks may differ by 5 minutes', async () => {
    const tokenSeconds = 60
    const inTime = await visit()
    service.clock.advance((tokenSeconds + 295) * 1000)
    expect(location(await get(inTime.callback, inTime.cookie))).toBe('/exports')
    service.clock.set(new Date().toISOString())
    const late = await visit()
    service.clock.advance((tokenSeconds + 305) * 1000)
    expect(problemOf(await get(late.callback, late.cookie))).toBe('invalid')
    service.clock.set(new Date(Date.now() - 295_000).toISOString())
    expect((await me((await signIn()).cookie)).status).toBe(200)
  })

  test('what the provider says of an error is not repeated', async () => {
    const { url, cookie } = await begin()
    const state = new URL(url).searchParams.get('state') ?? ''
    const text = '<script>alert(1)</script>'
    const search = new URLSearchParams({
      error: 'access_denied',
      error_description: text,
      state,
      iss: real.issuer,
    })
    const response = await get(`${base}/callback?${search.toString()}`, cookie)
    expect(problemOf(response)).toBe('cancelled')
    expect(location(response)).toBe('/login?problem=cancelled&then=%2Fexports')
  })

  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example',
    '/.//evil.example',
    '\\\\evil.example',
    '/%09//evil.example/..//',
    'javascript:alert(1)',
    '/a\r\nset-cookie: a=b',
    'evil',
  ]
  test.each(elsewhere)('a sign-in never leads to another host: %j', async (then) => {
    const { response } = await signIn(then)
    const to = new URL(location(response), 'http://localhost')
    expect([to.origin, location(response).startsWith('//')]).toEqual(['http://localhost', false])
    expect(to.href).not.toMatch(/^.{16}[^%]*evil\.example$/)
  })

  test('an encoded path stays a path of this service', async () => {
    for (const then of ['/%2f%2fevil.example', '/%5cevil.example', '/a?next=//evil.example'])
      expect(location((await signIn(then)).response)).toBe(then)
  })

  test('an issuer in a private network receives nothing', async () => {
    await change({ issuer: 'https://10.0.0.1' })
    expect(problemOf((await begin()).response)).toBe('unreachable')
    await change({ issuer: 'http://127.0.0.1:9' })
    expect(problemOf((await begin()).response)).toBe('unreachable')
    await change({ issuer: real.issuer })
  })
})

test('no input at any address of a sign-in causes a 5xx, starts a session or leads elsewhere', async () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '\0', '%', '//elsewhere.example', 'a'.repeat(5000)),
  )
  const encoded = odd.map((text) => (text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'))
  const search = fc
    .dictionary(
      fc.constantFrom('then', 'code', 'state', 'error', 'error_description', 'iss', 'id_token'),
      encoded,
    )
    .map((given) =>
      Object.entries(given)
        .map((pair) => pair.join('='))
        .join('&'),
    )
  const { cookie } = await begin()
  const input = fc.record({
    page: fc.constantFrom('', '/callback'),
    name: fc.oneof(fc.constant('company'), encoded),
    search,
    sent: fc.oneof(
      fc.constant(cookie),
      encoded.map((value) => `spool_sign_in_80=${value}`),
    ),
    form: search,
  })
  const property = fc.asyncProperty(input, async ({ page, name, search: query, sent, form }) => {
    for (const response of [
      await get(`/sign-in/${name}${page}?${query}`, sent),
      await logOut(`logout_token=${form}`),
    ]) {
      expect(response.status, response.text).toBeLessThan(500)
      expect(cookieNamed(response, 'spool_session_80')).toBe('')
      if (response.status !== 302) continue
      const to = new URL(location(response), 'http://localhost')
      expect(['http://localhost', new URL(real.issuer).origin]).toContain(to.origin)
    }
  })
  await fc.assert(property, { numRuns: 60, interruptAfterTimeLimit: 5000 })
})

test('the secret is in no answer, log line, redirect or cookie', async () => {
  const lines: string[] = []
  const logged = vi.spyOn(service.services.logger, 'warn').mockImplementation((...line: unknown[]) => {
    lines.push(JSON.stringify(line, (_, value) => (value instanceof Error ? String(value.stack) : value)))
  })
  const { response } = await signIn()
  const list = await service.request('GET', '/api/organizations/@current/sign_in/providers/')
  await change({ client_secret: service.services.secrets.seal('another-secret') })
  const failed = await signIn()
  await change({ client_secret: provider.client_secret })
  logged.mockRestore()
  expect(problemOf(failed.response)).toBe('invalid')
  const entries = await service.services.store.selectFrom('audit_entries').selectAll().execute()
  const all = JSON.stringify([response, list, failed.response, entries, lines])
  expect(lines.join()).toContain('company')
  expect(all).not.toMatch(/the-secret-of-the-client|another-secret/)
  // The provider did receive it.
  const sent = Buffer.from(real.tokenRequests[0]?.split(' ')[1] ?? '', 'base64').toString()
  expect(decodeURIComponent(sent)).toBe(`spool:${issuerSecret}`)
})

describe('back-channel logout', () => {
  async function session(sub: string) {
    signInAs(sub)
    const { cookie } = await signIn()
    const identity = await findRow(service.services.store, 'user_identities', { subject: sub })
    const row = await findRow(service.services.store, 'sessions', { user_id: identity?.user_id ?? '' })
    return { cookie, sid: row?.provider_session ?? '' }
  }
  /** Claims of a valid token that ends the sessions of `sub`. */
  const claimsOf = (sub: string) => ({
    iss: real.issuer,
    aud: 'spool',
    iat: Math.floor(service.clock.now() / 1000),
    exp: Math.floor(service.clock.now() / 1000) + 120,
    jti: crypto.randomUUID(),
    sub,
    events: { [event]: {} },
  })
  const send = async (claims: Record<string, unknown>) =>
    logOut(`logout_token=${await real.sign(claims, 'logout+jwt')}`)

  test('the provider ends a session by its id, and no other one', async () => {
    const [first, other] = [await session('leaves'), await session('leaves')]
    const sessions = await findRows(service.services.store, 'sessions', { provider_session: first.sid })
    expect(sessions).toHaveLength(1)
    await real.endSession('leaves', first.sid)
    expect([(await me(first.cookie)).status, (await me(other.cookie)).status]).toEqual([401, 200])
    const entry = await findRow(service.services.store, 'audit_entries', {
      action: 'session.ended',
      object_id: sessions[0]?.id ?? '',
    })
    expect(entry).toMatchObject({ after: { by: 'company' } })
  })

  test('without the id of a session, it ends those of the person', async () => {
    const [mine, others] = [await session('goes'), await session('stays')]
    // An invite moves a session to the organization that its user joins.
    const { organization_id } = service.other
    const { store } = service.services
    const identity = await findRow(store, 'user_identities', { subject: 'goes' })
    const user_id = identity?.user_id ?? ''
    await insertRow(store, 'members', { organization_id, user_id, role: 'analyst', created_at: new Date() })
    await updateRows(store, 'sessions', { user_id }, { organization_id })
    expect((await me(mine.cookie)).status).toBe(200)
    expect((await send(claimsOf('goes'))).status).toBe(200)
    expect([(await me(mine.cookie)).status, (await me(others.cookie)).status]).toEqual([401, 200])
  })

  const wrong: [string, (claims: Record<string, unknown>) => Record<string, unknown>][] = [
    ['issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['audience', (claims) => ({ ...claims, aud: 'another-client' })],
    ['nonce', (claims) => ({ ...claims, nonce: 'a' })],
    ['event', (claims) => ({ ...claims, events: { other: {} } })],
    ['age', (claims) => ({ ...claims, iat: Number(claims['iat']) - 700, exp: Number(claims['iat']) + 60 })],
    ['end', (claims) => ({ ...claims, exp: Number(claims['iat']) - 400 })],
    ['lack of a subject', ({ sub: _, ...claims }) => claims],
    ['lack of an id', ({ jti: _, ...claims }) => claims],
  ]
  test.each(wrong)('a token with a wrong %s ends nothing', async (_, damage) => {
    const { cookie } = await session('remains')
    const response = await send(damage(claimsOf('remains')))
    expect([response.status, response.body]).toEqual([400, { error: 'invalid_request' }])
    expect((await me(cookie)).status).toBe(200)
  })

  test('a token that another key signed, or none, or that was used before ends nothing', async () => {
    const { cookie } = await session('again')
    const token = await real.sign(claimsOf('again'))
    const [header, payload] = token.split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    for (const forged of [`${header}.${payload}.AAAA`, none, 'junk', '', token.slice(0, -20)])
      expect((await logOut(`logout_token=${forged}`)).status, forged).toBe(400)
    expect((await me(cookie)).status).toBe(200)
    expect((await logOut(`logout_token=${token}`)).status).toBe(200)
    const back = await session('again')
    expect((await logOut(`logout_token=${token}`)).status).toBe(400)
    expect((await me(back.cookie)).status).toBe(200)
    expect(decodeJwt(token).sub).toBe('again')
  })
})

test('used states are deleted when they have expired', async () => {
  const { deleteEnded } = await import('../auth/sessions.ts')
  await signIn()
  service.clock.advance(sessionMs.idle)
  await deleteEnded(service.services)
  expect(await findRows(service.services.store, 'used_tokens', {})).toEqual([])
})
