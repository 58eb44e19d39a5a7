import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { User } from '../../../contract/accounts/user.ts'
import { Session } from '../../../contract/accounts/session.ts'
import * as passwords from '../../auth/passwords.ts'
import { hashToken, newToken } from '../../auth/sessions.ts'
import { sessionMs } from '../../auth/session-times.ts'
import { firstOwner } from '../../store/accounts/users.ts'
import { deleteRows, insertRow, updateRows } from '../../store/schema/rows.ts'
import { insertMember, insertSession } from '../../testing/test-members.ts'
import {
  bodyOf,
  createTestService,
  problemOf,
  type TestResponse,
  type TestService,
} from '../../testing/test-service.ts'

let service: TestService
const origin = 'http://localhost:80'
const email = 'Ada@people.example'
const password = 'sixteen purple tea cups'
let userId: string

beforeAll(async () => {
  service = await createTestService()
  const { store } = service.services
  userId = await insertMember(service, 'analyst')
  const password_hash = await passwords.hashPassword(password)
  await updateRows(store, 'users', { id: userId }, { email, first_name: 'Ada', password_hash })
})
beforeEach(() => service.clock.set('2026-03-04T10:30:00Z'))
afterAll(() => service.stop())

const send = (method: string, path: string, body: object | undefined, headers: Record<string, string>) =>
  service.request(method, path, { ...(body && { body }), headers, key: '' })
const signIn = (body: object, headers: Record<string, string> = { origin }) =>
  send('POST', '/api/sessions/', body, headers)
const cookieOf = (response: TestResponse) => String(response.headers['set-cookie'] ?? '')
const headersOf = (response: TestResponse) => ({ cookie: cookieOf(response).split(';')[0] ?? '', origin })
const me = (headers: Record<string, string>) => send('GET', '/api/users/@me/', undefined, headers)

describe('signing in', () => {
  test('GET /api/sign_in/ returns 200 with the ways to sign in', async () => {
    expect((await send('GET', '/api/sign_in/', undefined, {})).body).toMatchObject({ passwords: true })
  })

  test('POST /api/sessions/ returns 201 and a session in a cookie that scripts and other sites do not get', async () => {
    const response = await signIn({ email: email.toLowerCase(), password })
    expect(response.status).toBe(201)
    expect(bodyOf(Session, response)).toMatchObject({ method: 'password', is_current: true })
    expect(cookieOf(response)).toMatch(
      /^spool_session_80=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const user = bodyOf(User, await me(headersOf(response)))
    expect(user).toMatchObject({
      uuid: userId,
      first_name: 'Ada',
      role: 'analyst',
      key: null,
      has_password: true,
    })
  })

  test('behind TLS: only over TLS, and only for the whole host', async () => {
    const secure = await createTestService({ config: { trustedProxies: ['127.0.0.1'] } })
    const headers = { origin: 'https://spool.example', host: 'spool.example', 'x-forwarded-proto': 'https' }
    const key = secure.own.api_key
    const response = await secure.request('POST', '/api/sessions/', { body: { key }, headers, key: '' })
    expect(cookieOf(response)).toMatch(/^__Host-spool_session=[\w-]{43};.* Path=\/;.* Secure$/)
    const signedIn = { ...headers, cookie: headersOf(response).cookie }
    expect((await secure.request('GET', '/api/users/@me/', { headers: signedIn, key: '' })).status).toBe(200)
    await secure.stop()
  })

  test('a wrong password, an unknown address and a user without a password get the same answer after the same work', async () => {
    const compute = vi.spyOn(passwords, 'isPassword')
    const { email: withoutPassword } = await userWithoutPassword()
    const answers = []
    for (const given of [email, 'nobody@people.example', withoutPassword]) {
      const response = await signIn({ email: given, password: 'not the password' })
      answers.push([response.status, { ...problemOf(response), request_id: '' }])
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject([
      401,
      { code: 'sign_in_failed', detail: 'The e-mail address or the password is wrong.' },
    ])
    expect(compute.mock.calls.map(([, hash]) => hash === null)).toEqual([false, true, true])
    compute.mockRestore()
  })

  test('a page of another site cannot sign its visitors in', async () => {
    for (const headers of [
      { origin: 'http://elsewhere.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ]) {
      const response = await signIn({ email, password }, headers as Record<string, string>)
      expect([response.status, problemOf(response).code, cookieOf(response)]).toEqual([
        403,
        'foreign_origin',
        '',
      ])
    }
    const form = await service.request('POST', '/api/sessions/', {
      raw: `email=${email}&password=${password}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      key: '',
    })
    expect(form.status).toBe(415)
  })

  test('a session has a token of its own, whatever cookie the client sent', async () => {
    const fixed = { cookie: `spool_session_80=${newToken()}`, origin }
    const response = await signIn({ email, password }, fixed)
    expect(headersOf(response).cookie).not.toBe(fixed.cookie)
    expect((await me(fixed)).status).toBe(401)
  })

  const link = async (minutes: number) => {
    const token = newToken()
    const { organization_id } = service.own
    const expires_at = new Date(service.clock.now() + minutes * 60_000)
    const row = {
      hash: hashToken(token),
      user_id: userId,
      organization_id,
      purpose: 'sign in' as const,
      email: null,
    }
    await insertRow(service.services.store, 'user_tokens', { ...row, expires_at })
    return token
  }

  test('a link works once, and not after it has expired', async () => {
    const token = await link(5)
    const tries = await Promise.all([1, 2, 3].map(() => signIn({ link: token })))
    expect(tries.map(({ status }) => status).toSorted()).toEqual([201, 401, 401])
    expect((await signIn({ link: await link(0) })).status).toBe(401)
  })

  test('unless_signed_in refuses a link or a key in a signed-in browser (409), and the link still works', async () => {
    const body = { link: await link(5), unless_signed_in: true }
    const signedIn = headersOf(await signIn({ email, password }))
    const refused = await signIn(body, signedIn)
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(cookieOf(refused)).toBe('')
    expect((await signIn({ key: service.own.api_key, unless_signed_in: true }, signedIn)).status).toBe(409)
    expect((await me(signedIn)).status).toBe(200)
    // A session that has ended does not count.
    await send('DELETE', '/api/sessions/@current/', undefined, signedIn)
    expect((await signIn(body, signedIn)).status).toBe(201)
  })

  test('after many failures an address and an account wait, whatever the password', async () => {
    const limited = await createTestService()
    const tryWith = (body: object) => limited.request('POST', '/api/sessions/', { body, key: '' })
    const statuses = []
    for (let count = 0; count < 11; count++)
      statuses.push((await tryWith({ email: 'ada@people.example', password: 'wrong' })).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect((await tryWith({ email: 'other@people.example', password: 'wrong' })).status).toBe(401)
    await limited.stop()
  })
})

describe('a session', () => {
  test('of a key: limited by its scopes and projects, and ended with it', async () => {
    const { store } = service.services
    const key = await service.newKey({ scopes: ['batch_export:read'], projects: [service.own.project_id] })
    const response = await signIn({ key })
    const headers = headersOf(response)
    const user = bodyOf(User, await me(headers))
    expect(user).toMatchObject({ key: { label: 'A key' }, all_teams: false, scopes: ['batch_export:read'] })
    expect(user.organization.teams.map(({ id }) => id)).toEqual([service.own.project_id])
    const refused = await send('POST', '/api/projects/@current/batch_exports/', {}, headers)
    expect([refused.status, problemOf(refused).detail]).toEqual([
      403,
      "API key missing required scope 'batch_export:write'",
    ])
    expect((await signIn({ key: 'phx_unknown' })).status).toBe(401)
    // A key sees and ends only the sessions that it was exchanged for, not those of its owner.
    const all = await newKeySessions()
    expect(all.map(({ method }) => method)).toEqual(['key'])
    await deleteRows(store, 'api_keys', { hash: hashToken(key) })
    expect((await me(headers)).status).toBe(401)
  })

  test('ends without use, after its longest time, with the membership, and when DELETE /api/sessions/@current/ returns 204', async () => {
    const { clock, services } = service
    const start = clock.now()
    const headers = headersOf(await signIn({ email, password }))
    for (let at = start; at < start + sessionMs.longest; at += sessionMs.idle - 60_000) {
      clock.set(new Date(at).toISOString())
      expect((await me(headers)).status).toBe(200)
      await service.services.store
        .updateTable('sessions')
        .set({ last_used_at: new Date(at) })
        .where('user_id', '=', userId)
        .execute()
    }
    clock.set(new Date(start + sessionMs.longest).toISOString())
    expect((await me(headers)).status).toBe(401)
    clock.set(new Date(start).toISOString())
    const idle = headersOf(await signIn({ email, password }))
    clock.set(new Date(start + sessionMs.idle).toISOString())
    expect((await me(idle)).status).toBe(401)
    clock.set(new Date(start).toISOString())
    const out = headersOf(await signIn({ email, password }))
    const signedOut = await send('DELETE', '/api/sessions/@current/', undefined, out)
    expect([signedOut.status, cookieOf(signedOut)]).toEqual([204, expect.stringMatching(/=; Max-Age=0;/)])
    expect((await me(out)).status).toBe(401)
    const leaving = await insertMember(service, 'editor')
    const left = (await insertSession(service, { user_id: leaving })).headers
    await deleteRows(services.store, 'members', { user_id: leaving })
    expect((await me(left)).status).toBe(401)
  })

  test('GET /api/sessions/ returns 200 with its device; DELETE /api/sessions/:id/ ends one, and DELETE /api/sessions/ all others', async () => {
    const { user_id } = (await firstOwner(service.services.store, service.other.organization_id)) ?? {}
    const others = await insertSession({ ...service, own: service.other }, { user_id: user_id ?? '' })
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const [one, two, three] = await Promise.all(
      ['a', 'b', 'c'].map(async () =>
        headersOf(await signIn({ email, password }, { origin, 'user-agent': agent })),
      ),
    )
    const list = async (headers = one) =>
      bodyOf(z.array(Session), await send('GET', '/api/sessions/', undefined, headers ?? {}))
    const before = await list()
    const shown = { device: 'Firefox on Linux', address: '127.0.0.1', method: 'password' }
    expect(before.filter(({ device }) => device === shown.device)).toEqual(
      Array(3).fill(expect.objectContaining(shown)),
    )
    expect(before.filter(({ is_current }) => is_current)).toHaveLength(1)
    const idOf = async (headers = one) => (await list(headers)).find(({ is_current }) => is_current)?.id ?? ''
    const path = `/api/sessions/${await idOf(two)}/`
    expect((await send('DELETE', `/api/sessions/${others.id}/`, undefined, one ?? {})).status).toBe(404)
    expect((await send('DELETE', path, undefined, one ?? {})).status).toBe(204)
    expect((await me(two ?? {})).status).toBe(401)
    expect((await send('DELETE', '/api/sessions/', undefined, one ?? {})).status).toBe(204)
    expect([(await me(one ?? {})).status, (await me(three ?? {})).status]).toEqual([200, 401])
    expect((await me(others.headers)).status).toBe(200)
  })

  test('PATCH /api/users/@me/ and new keys need POST /api/sessions/@current/confirm/ once it is no longer fresh', async () => {
    const { clock } = service
    const headers = headersOf(await signIn({ email, password }))
    const createKey = () =>
      send('POST', '/api/personal_api_keys/', { label: 'Mine', scopes: ['batch_export:read'] }, headers)
    expect((await createKey()).status).toBe(201)
    clock.advance(sessionMs.confirmed)
    const change = { password: 'another seven tea cups' }
    for (const refused of [await createKey(), await send('PATCH', '/api/users/@me/', change, headers)])
      expect([refused.status, problemOf(refused).code]).toEqual([403, 'confirmation_required'])
    const confirm = (given: string) =>
      send('POST', '/api/sessions/@current/confirm/', { password: given }, headers)
    expect(problemOf(await confirm('wrong'))).toMatchObject({
      attr: 'password',
      detail: 'The password is wrong.',
    })
    expect((await confirm(password)).status).toBe(200)
    expect((await createKey()).status).toBe(201)
    const other = headersOf(await signIn({ email, password }))
    for (const bad of ['short', 'qwertyuiop', 'aaaaaaaaaaaaaa', 'ada@people.example'])
      expect((await send('PATCH', '/api/users/@me/', { password: bad }, headers)).status, bad).toBe(400)
    expect((await send('PATCH', '/api/users/@me/', change, headers)).status).toBe(200)
    expect([(await me(headers)).status, (await me(other)).status]).toEqual([200, 401])
    expect((await signIn({ email, password })).status).toBe(401)
    expect((await signIn({ email, ...change })).status).toBe(201)
  })
})

/** Returns the sessions that a new key of the owner lists, after it was exchanged for one. */
async function newKeySessions() {
  await insertSession(service)
  const key = await service.newKey()
  await signIn({ key })
  return bodyOf(z.array(Session), await service.request('GET', '/api/sessions/', { key }))
}

async function userWithoutPassword() {
  const id = await insertMember(service, 'editor')
  return { email: `${id}@people.example` }
}
