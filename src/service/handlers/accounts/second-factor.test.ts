import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { User } from '../../../contract/accounts/user.ts'
import { NewSecondFactor, RecoveryCodes, SignInStep } from '../../../contract/accounts/second-factor.ts'
import { Session } from '../../../contract/accounts/session.ts'
import { createSignInLink } from '../../auth/sign-in-link.ts'
import * as passwords from '../../auth/passwords.ts'
import { findRow, insertRow, updateRows } from '../../store/schema/rows.ts'
import { appCode } from '../../testing/accounts/test-authenticator.ts'
import { insertInvite, insertMember, insertSession, type SessionHeaders } from '../../testing/test-members.ts'
import { insertProvider } from '../../testing/test-providers.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
const password = 'sixteen purple tea cups'
let password_hash: string
const factor = '/api/users/@me/second_factor/'

beforeAll(async () => {
  service = await createTestService()
  password_hash = await passwords.hashPassword(password)
})
beforeEach(() => service.clock.set('2026-03-04T10:30:00Z'))
afterAll(() => service.stop())

type Person = { id: string; email: string; headers: SessionHeaders }

const send = (method: string, path: string, headers: Record<string, string>, body?: object, at = service) =>
  at.request(method, path, { headers, key: '', ...(body && { body }) })
const signIn = (body: object, headers: Record<string, string> = {}) =>
  send('POST', '/api/sessions/', headers, body)
const now = (offset = 0) => service.clock.now() + offset
/** A later time, at which no code has been used. */
const pass = () => service.clock.advance(90_000)

async function newPerson(at = service): Promise<Person> {
  const id = await insertMember(at, 'editor')
  const email = `${id}@people.example`
  await updateRows(at.services.store, 'users', { id }, { password_hash })
  return { id, email, headers: (await insertSession(at, { user_id: id })).headers }
}

/** Turns on the second factor of a new person. */
async function protectedPerson(at = service) {
  const person = await newPerson(at)
  const { secret } = bodyOf(NewSecondFactor, await send('POST', factor, person.headers, undefined, at))
  const code = appCode(secret, at.clock.now())
  const confirmed = await send('POST', `${factor}confirm/`, person.headers, { code }, at)
  at.clock.advance(90_000)
  return { ...person, secret, codes: bodyOf(RecoveryCodes, confirmed).recovery_codes }
}

async function stepOf({ email }: Pick<Person, 'email'>): Promise<string> {
  return bodyOf(SignInStep, await signIn({ email, password })).step
}

async function entriesOf(userId: string) {
  const rows = await service.services.store
    .selectFrom('audit_entries')
    .select(['action', 'after'])
    .where('actor_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ action, after }) => [action, after] as const)
}

describe('setting up', () => {
  test('POST /api/users/@me/second_factor/ returns 201 with a secret, which takes effect when POST /api/users/@me/second_factor/confirm/ returns 200', async () => {
    const { id, email, headers } = await newPerson()
    const begun = await send('POST', factor, headers)
    const { secret, url } = bodyOf(NewSecondFactor, begun)
    expect([begun.status, url]).toEqual([201, expect.stringContaining(`secret=${secret}&issuer=Spool`)])
    const { totp_new_secret } = (await findRow(service.services.store, 'users', { id })) ?? {}
    expect(totp_new_secret?.toString('latin1')).not.toContain(secret)
    expect((await signIn({ email, password })).body).toMatchObject({
      method: 'password',
      second_factor: null,
    })
    const confirm = (code: string) => send('POST', `${factor}confirm/`, headers, { code })
    expect(problemOf(await confirm('000000'))).toMatchObject({ attr: 'code', code: 'invalid_input' })
    const response = await confirm(appCode(secret, now()))
    const codes = bodyOf(RecoveryCodes, response).recovery_codes
    expect([response.status, new Set(codes).size]).toEqual([200, 10])
    expect(codes[0]).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    expect((await confirm(appCode(secret, now()))).status).toBe(409)
    expect((await send('POST', factor, headers)).status).toBe(409)
    const shown = await send('GET', factor, headers)
    expect(shown.body).toEqual({ enabled: true, recovery_codes: 10 })
    expect(shown.text).not.toContain(secret)
    expect(bodyOf(User, await send('GET', '/api/users/@me/', headers)).has_second_factor).toBe(true)
    // The code that confirmed the app signs nobody in.
    const step = await stepOf({ email })
    expect(problemOf(await signIn({ step, code: appCode(secret, now()) })).code).toBe('wrong_code')
  })

  test('GET /api/users/@me/second_factor/ and the changes are for people, who have confirmed that they are present and sign in by themselves', async () => {
    const { store } = service.services
    expect((await service.request('GET', factor)).status).toBe(403)
    const { id, headers } = await newPerson()
    const provider = await insertProvider(service)
    const { headers: provided } = await insertSession(service, { user_id: id, method: 'provider' })
    const confirmed_at = new Date(now(-3_600_000))
    const { headers: stale } = await insertSession(service, { user_id: id, confirmed_at })
    const changes = [
      ['POST', factor],
      ['POST', `${factor}confirm/`, { code: '000000' }],
      ['POST', `${factor}recovery_codes/`],
      ['DELETE', factor],
      ['POST', '/api/users/@me/passkeys/options/'],
    ] as const
    const codesWith = (given: Record<string, string>) =>
      Promise.all(
        changes.map(async ([method, path, body]) => problemOf(await send(method, path, given, body)).code),
      )
    expect(new Set(await codesWith(stale))).toEqual(new Set(['confirmation_required']))
    expect(new Set(await codesWith(provided))).toEqual(new Set(['permission_denied']))
    const { organization_id } = service.own
    const times = { created_at: new Date(now()), last_sign_in_at: new Date(now()) }
    const identity = { provider: provider.id, subject: id, organization_id, user_id: id, ...times }
    await insertRow(store, 'user_identities', identity)
    expect(new Set(await codesWith(headers))).toEqual(new Set(['permission_denied']))
    await updateRows(store, 'members', { user_id: id }, { role: 'owner' })
    expect((await send('POST', factor, headers)).status).toBe(201)
    // Without a password there is nothing that a code could complete.
    await updateRows(store, 'users', { id }, { password_hash: null })
    expect(problemOf(await send('POST', factor, headers)).detail).toContain('Choose a password first')
  })

  test('POST /api/users/@me/second_factor/recovery_codes/ returns 201 with other codes, DELETE /api/users/@me/second_factor/ returns 204', async () => {
    const person = await protectedPerson()
    const replaced = await send('POST', `${factor}recovery_codes/`, person.headers)
    const codes = bodyOf(RecoveryCodes, replaced).recovery_codes
    expect([replaced.status, codes.some((code) => person.codes.includes(code))]).toEqual([201, false])
    const step = await stepOf(person)
    expect((await signIn({ step, recovery_code: person.codes[0] })).status).toBe(401)
    expect((await signIn({ step, recovery_code: codes[0] })).status).toBe(201)
    expect((await send('DELETE', factor, person.headers)).status).toBe(204)
    expect((await send('GET', factor, person.headers)).body).toEqual({ enabled: false, recovery_codes: 0 })
    expect((await send('POST', `${factor}recovery_codes/`, person.headers)).status).toBe(409)
    expect((await signIn({ email: person.email, password })).body).toMatchObject({ method: 'password' })
    expect((await entriesOf(person.id)).filter(([action]) => action.startsWith('member.'))).toEqual([
      ['member.second_factor_changed', { second_factor: true }],
      ['member.second_factor_changed', { recovery_codes: 'replaced' }],
      ['member.recovery_code_used', { recovery_codes: 9 }],
      ['member.second_factor_changed', { second_factor: false }],
    ])
  })
})

describe('signing in with a second factor', () => {
  test('the password starts no session but a step, which is no session and works once, for its account', async () => {
    const [ada, eve] = [await protectedPerson(), await protectedPerson()]
    const first = await signIn({ email: ada.email, password }, { cookie: 'spool_session_80=fixed' })
    const { step } = bodyOf(SignInStep, first)
    expect([first.status, first.headers['set-cookie']]).toEqual([201, undefined])
    const asCookie = { cookie: `spool_session_80=${step}`, origin: 'http://localhost:80' }
    expect((await send('GET', '/api/users/@me/', asCookie)).status).toBe(401)
    expect((await signIn({ link: step })).status).toBe(401)
    expect((await signIn({ step: 'unknown', code: appCode(ada.secret, now()) })).status).toBe(401)
    for (const foreign of [{ code: appCode(eve.secret, now()) }, { recovery_code: eve.codes[0] }])
      expect(problemOf(await signIn({ step, ...foreign })).code).toBe('wrong_code')
    const done = await signIn({ step, code: appCode(ada.secret, now()) })
    expect(bodyOf(Session, done)).toMatchObject({ method: 'password', second_factor: 'app' })
    expect(done.headers['set-cookie']).toMatch(/^spool_session_80=(?!fixed)[\w-]{43};/)
    expect((await entriesOf(ada.id)).at(-1)).toEqual([
      'sign_in.succeeded',
      { method: 'password', second_factor: 'app' },
    ])
    pass()
    const again = await signIn({ step, code: appCode(ada.secret, now()) })
    expect([again.status, problemOf(again).code]).toEqual([401, 'sign_in_failed'])
    const late = await stepOf(ada)
    service.clock.advance(5 * 60_000)
    expect(problemOf(await signIn({ step: late, code: appCode(ada.secret, now()) })).code).toBe(
      'sign_in_failed',
    )
  })

  test('a code of the app and a recovery code work once, also in requests at the same time', async () => {
    const person = await protectedPerson()
    const trial = async (given: object) => {
      const steps = await Promise.all([1, 2, 3].map(() => stepOf(person)))
      const tried = await Promise.all(steps.map((step) => signIn({ step, ...given })))
      return tried.map(({ status }) => status).toSorted()
    }
    expect(await trial({ code: appCode(person.secret, now()) })).toEqual([201, 401, 401])
    const earlier = await signIn({ step: await stepOf(person), code: appCode(person.secret, now(-30_000)) })
    expect(problemOf(earlier).code).toBe('wrong_code')
    expect(
      (await signIn({ step: await stepOf(person), code: appCode(person.secret, now(30_000)) })).status,
    ).toBe(201)
    const recovery_code = person.codes[3]?.replaceAll('-', ' ').toUpperCase()
    expect(await trial({ recovery_code })).toEqual([201, 401, 401])
    // One step completes one sign-in, whichever codes are sent.
    pass()
    const step = await stepOf(person)
    const both = [{ code: appCode(person.secret, now()) }, { recovery_code: person.codes[4] }]
    const statuses = (await Promise.all(both.map((given) => signIn({ step, ...given })))).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted()).toEqual([201, 401])
  })

  test('five wrong codes end the step, and ten in an hour the account’s sign-ins, however many are sent at the same time', async () => {
    const person = await protectedPerson()
    const wrong = (step: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => signIn({ step, code: '000000' })))
    const codesOf = async (step: string, count: number) => {
      const counts: Record<string, number> = {}
      for (const response of await wrong(step, count)) {
        const { code } = problemOf(response)
        counts[code] = (counts[code] ?? 0) + 1
      }
      return counts
    }
    const [one, two, three] = [await stepOf(person), await stepOf(person), await stepOf(person)]
    expect(await codesOf(one, 12)).toEqual({ wrong_code: 4, sign_in_failed: 8 })
    service.clock.advance(60_000)
    expect((await signIn({ step: one, code: appCode(person.secret, now()) })).status).toBe(401)
    await wrong(two, 4)
    service.clock.advance(60_000)
    await wrong(three, 4)
    service.clock.advance(60_000)
    const right = await signIn({ step: two, code: appCode(person.secret, now()) })
    expect([right.status, Number(right.headers['retry-after'])]).toEqual([429, 3600 - 180])
    const compute = vi.spyOn(passwords, 'isPassword')
    for (const given of [password, 'not the password'])
      expect((await signIn({ email: person.email, password: given })).status).toBe(429)
    expect(compute).not.toHaveBeenCalled()
    compute.mockRestore()
    service.clock.advance(3_600_000)
    const step = await stepOf(person)
    expect((await signIn({ step, code: appCode(person.secret, now()) })).status).toBe(201)
    expect(await findRow(service.services.store, 'users', { id: person.id })).toMatchObject({ code_tries: 0 })
  })

  test('wrong codes count as sign-ins that failed', async () => {
    const limited = await createTestService({ config: { rateLimit: 6000 } })
    const person = await protectedPerson(limited)
    const post = (body: object) => limited.request('POST', '/api/sessions/', { body, key: '' })
    const first = bodyOf(SignInStep, await post({ email: person.email, password }))
    for (let count = 0; count < 4; count++) await post({ step: first.step, code: '000000' })
    for (let count = 0; count < 6; count++) await post({ email: person.email, password: 'wrong' })
    const refused = await post({ email: person.email, password })
    expect([refused.status, problemOf(refused).detail]).toEqual([
      429,
      expect.stringMatching(/^Too many sign-ins have failed\. Try again in \d+ seconds?\.$/),
    ])
    expect((await post({ step: first.step, code: appCode(person.secret, limited.clock.now()) })).status).toBe(
      429,
    )
    await limited.stop()
  })

  test('an invite cannot be accepted with the password alone, nor tells after ten wrong codes whether it is right', async () => {
    const person = await protectedPerson()
    const { token } = await insertInvite({ ...service, own: service.other })
    const accept = (given: string) =>
      send('POST', '/api/invites/accept/', {}, { token, email: person.email, password: given })
    const refused = await accept(password)
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined])
    const tries = { code_tries: 10, code_tries_since: new Date(now()) }
    await updateRows(service.services.store, 'users', { id: person.id }, tries)
    for (const given of [password, 'not the password']) expect((await accept(given)).status).toBe(429)
  })

  test('a link asks for a code too, unless the administrator made it to sign in without', async () => {
    const person = await protectedPerson()
    const member = { user_id: person.id, organization_id: service.own.organization_id }
    const link = async (purpose?: 'sign in without a code') => {
      const url = await createSignInLink(service.services, 'http://localhost', member, purpose)
      return signIn({ link: url.split('#link=')[1] })
    }
    const { step } = bodyOf(SignInStep, await link())
    const done = await signIn({ step, code: appCode(person.secret, now()) })
    expect(done.body).toMatchObject({ method: 'link', second_factor: 'app' })
    expect((await link('sign in without a code')).body).toMatchObject({ method: 'link', second_factor: null })
    // A new password ends the steps that the old one began.
    const open = await stepOf(person)
    const change = { password: 'another seven tea cups' }
    expect((await send('PATCH', '/api/users/@me/', person.headers, change)).status).toBe(200)
    pass()
    expect((await signIn({ step: open, code: appCode(person.secret, now()) })).status).toBe(401)
  })
})
