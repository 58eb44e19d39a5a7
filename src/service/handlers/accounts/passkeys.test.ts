import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { User } from '../../../contract/accounts/user.ts'
import { Passkey, PasskeyRequest } from '../../../contract/accounts/passkey.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { sessionMs } from '../../auth/session-times.ts'
import { updateRows } from '../../store/schema/rows.ts'
import { testAuthenticator } from '../../testing/accounts/test-authenticator.ts'
import { insertMember, insertSession, type SessionHeaders } from '../../testing/test-members.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
const origin = 'http://localhost:80'
const passkeys = '/api/users/@me/passkeys/'

beforeAll(async () => {
  service = await createTestService()
})
beforeEach(() => service.clock.set('2026-03-04T10:30:00Z'))
afterAll(() => service.stop())

const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  service.request(method, path, { headers, key: '', ...(body && { body }) })
const ask = async (path: string, headers: Record<string, string>) =>
  bodyOf(PasskeyRequest, await send('POST', path, headers))
const askToAdd = (headers: SessionHeaders) => ask(`${passkeys}options/`, headers)
const askToSignIn = () => ask('/api/sign_in/passkey/', {})
const signIn = (passkey: object) => send('POST', '/api/sessions/', {}, { passkey })

type Person = { id: string; headers: SessionHeaders }
type Authenticator = ReturnType<typeof testAuthenticator>

async function newPerson(): Promise<Person> {
  const id = await insertMember(service, 'editor')
  return { id, headers: (await insertSession(service, { user_id: id })).headers }
}

async function add({ headers }: Person, authenticator: Authenticator, name = 'Laptop') {
  const answer = authenticator.register(await askToAdd(headers))
  return send('POST', passkeys, headers, { name, ...answer })
}

/** A new person with a passkey. */
async function withPasskey() {
  const [person, authenticator] = [await newPerson(), testAuthenticator(origin)]
  const { id: passkeyId } = bodyOf(Passkey, await add(person, authenticator))
  return { ...person, authenticator, passkeyId }
}

describe('adding passkeys', () => {
  test('POST /api/users/@me/passkeys/options/ returns 200 with what the browser needs, POST /api/users/@me/passkeys/ 201, GET /api/users/@me/passkeys/ 200', async () => {
    const person = await newPerson()
    const { options } = await askToAdd(person.headers)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Spool' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const authenticator = testAuthenticator(origin)
    const created = await add(person, authenticator)
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({ name: 'Laptop', host: 'localhost', last_used_at: null }),
    ])
    const { body } = await send('GET', passkeys, person.headers)
    expect(z.array(Passkey).parse(body)).toEqual([created.body])
    expect(created.text).not.toContain(authenticator.id)
    expect((await askToAdd(person.headers)).options['excludeCredentials']).toMatchObject([
      { id: authenticator.id },
    ])
    expect(problemOf(await add(await newPerson(), authenticator)).detail).toContain('added already')
    expect(bodyOf(User, await send('GET', '/api/users/@me/', person.headers)).passkeys).toBe(1)
    expect((await service.request('GET', passkeys)).status).toBe(403)
  })

  test('PATCH /api/users/@me/passkeys/:id/ returns 200; DELETE /api/users/@me/passkeys/:id/ returns 204, but 409 for the last way to sign in', async () => {
    const person = await withPasskey()
    const path = `${passkeys}${person.passkeyId}/`
    const renamed = await send('PATCH', path, person.headers, { name: 'Phone' })
    expect([renamed.status, renamed.body]).toEqual([200, expect.objectContaining({ name: 'Phone' })])
    const other = await withPasskey()
    expect((await send('PATCH', path, other.headers, { name: 'Mine' })).status).toBe(404)
    expect((await send('DELETE', path, other.headers)).status).toBe(404)
    const last = await send('DELETE', path, person.headers)
    expect([last.status, problemOf(last).detail]).toEqual([
      409,
      'You sign in with this passkey alone. Choose a password or add another passkey first.',
    ])
    const second = bodyOf(Passkey, await add(person, testAuthenticator(origin), 'Second'))
    const both = [path, `${passkeys}${second.id}/`]
    const removed = await Promise.all(both.map((each) => send('DELETE', each, person.headers)))
    expect(removed.map(({ status }) => status).toSorted()).toEqual([204, 409])
    await updateRows(service.services.store, 'users', { id: person.id }, { password_hash: 'any' })
    const rest = removed[0]?.status === 204 ? both[1] : both[0]
    expect((await send('DELETE', rest ?? '', person.headers)).status).toBe(204)
    const entries = await service.services.store
      .selectFrom('audit_entries')
      .select(['action', 'object_name'])
      .where('actor_id', '=', person.id)
      .where('object_type', '=', 'passkey')
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual([
      'passkey.created',
      'passkey.updated',
      'passkey.created',
      'passkey.deleted',
      'passkey.deleted',
    ])
    expect(entries[1]).toMatchObject({ object_name: 'Laptop' })
  })

  test('a passkey that was made elsewhere, without verifying the person, or for another challenge is refused', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const authenticator = testAuthenticator(origin)
    const answers = [
      { origin: 'http://evil.example' },
      { origin: 'http://localhost:81' },
      { host: 'evil.example' },
      { isVerified: false },
      { challenge: (await askToAdd(person.headers)).options.challenge },
    ]
    for (const differing of answers) {
      const answer = authenticator.register(await askToAdd(person.headers), differing)
      const response = await send('POST', passkeys, person.headers, { name: 'A', ...answer })
      expect([response.status, problemOf(response).detail], JSON.stringify(differing)).toEqual([
        400,
        'The new passkey could not be verified. Try again, or use another device.',
      ])
    }
    const answer = authenticator.register(await askToAdd(person.headers))
    const create = (headers: SessionHeaders, token = answer.token) =>
      send('POST', passkeys, headers, { name: 'A', ...answer, token })
    expect(problemOf(await create(other.headers)).detail).toContain('used before')
    expect((await create(person.headers, (await askToSignIn()).token)).status).toBe(400)
    expect((await create(person.headers)).status).toBe(201)
    expect(problemOf(await create(person.headers)).detail).toContain('used before')
    const late = authenticator.register(await askToAdd(person.headers))
    service.clock.advance(5 * 60_000)
    expect((await send('POST', passkeys, person.headers, { name: 'A', ...late })).status).toBe(400)
    const junk = { ...late.credential, response: { ...late.credential.response, attestationObject: 'oWE' } }
    const { token } = await askToAdd(person.headers)
    expect(
      (await send('POST', passkeys, person.headers, { name: 'A', token, credential: junk })).status,
    ).toBe(400)
  })
})

describe('signing in with a passkey', () => {
  test('POST /api/sign_in/passkey/ returns 200 with a challenge that names nobody; its answer starts a session without a password', async () => {
    const person = await withPasskey()
    const request = await askToSignIn()
    expect(request.options).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [],
    })
    const response = await signIn(person.authenticator.answer(request))
    expect([response.status, response.body]).toEqual([
      201,
      expect.objectContaining({ method: 'passkey', second_factor: null }),
    ])
    const headers = { cookie: String(response.headers['set-cookie']).split(';')[0] ?? '', origin }
    expect(bodyOf(User, await send('GET', '/api/users/@me/', headers)).uuid).toBe(person.id)
    const options = await send('GET', '/api/sign_in/', {})
    expect(options.body).toMatchObject({ passkeys: true })
    const [shown] = z.array(Passkey).parse((await send('GET', passkeys, headers)).body)
    expect(shown?.last_used_at).not.toBeNull()
  })

  test('a foreign, replayed, copied or unverified answer is refused', async () => {
    const { authenticator, passkeyId, headers } = await withPasskey()
    const other = await withPasskey()
    const used = authenticator.answer(await askToSignIn())
    expect((await signIn(used)).status).toBe(201)
    const refused = async (answer: object, reason: string) => {
      const response = await signIn(answer)
      expect([response.status, response.headers['set-cookie'], problemOf(response).detail], reason).toEqual([
        401,
        undefined,
        expect.stringContaining(reason),
      ])
    }
    await refused(used, 'used before')
    await refused({ ...used, token: (await askToSignIn()).token }, 'could not be verified')
    const ownHandle = other.authenticator.answer(await askToSignIn()).credential.response.userHandle ?? ''
    for (const differing of [
      { origin: 'http://evil.example' },
      { origin: 'https://localhost:80' },
      { host: 'evil.example' },
      { isVerified: false },
      { counter: 1 },
      { counter: 2 },
      { userHandle: ownHandle },
    ])
      await refused(authenticator.answer(await askToSignIn(), differing), 'could not be verified')
    // The key of another passkey under this passkey's id.
    const stolen = other.authenticator.answer(await askToSignIn())
    const { id, rawId } = used.credential
    const { userHandle } = used.credential.response
    const response = { ...stolen.credential.response, ...(userHandle && { userHandle }) }
    await refused(
      { ...stolen, credential: { ...stolen.credential, id, rawId, response } },
      'could not be verified',
    )
    await refused(testAuthenticator(origin).answer(await askToSignIn()), 'does not know this passkey')
    const late = authenticator.answer(await askToSignIn())
    service.clock.advance(5 * 60_000)
    await refused(late, 'longer than 5 minutes')
    // A request to confirm, in a session, does not sign in.
    await refused(
      authenticator.answer(await ask('/api/sessions/@current/confirm/passkey/', headers)),
      'used before',
    )
    expect((await signIn(authenticator.answer(await askToSignIn(), { counter: 900 }))).status).toBe(201)
    await service.services.store.deleteFrom('passkeys').where('id', '=', passkeyId).execute()
    await refused(authenticator.answer(await askToSignIn()), 'does not know this passkey')
  })

  test('one answer starts one session, and browsers at an IP address are told to use a host name', async () => {
    const { authenticator } = await withPasskey()
    const answer = authenticator.answer(await askToSignIn())
    const tries = await Promise.all([1, 2, 3].map(() => signIn(answer)))
    expect(tries.map(({ status }) => status).toSorted()).toEqual([201, 401, 401])
    for (const host of ['127.0.0.1:4280', '[::1]:4280']) {
      const response = await send('POST', '/api/sign_in/passkey/', { host })
      expect([response.status, problemOf(response).detail]).toEqual([
        400,
        expect.stringContaining('such as http://localhost:4280'),
      ])
    }
    const elsewhere = await send('POST', '/api/sign_in/passkey/', { host: 'spool.example' })
    const request = bodyOf(PasskeyRequest, elsewhere)
    const there = authenticator.answer(request, { host: 'spool.example', origin: 'http://spool.example' })
    const refused = await send('POST', '/api/sessions/', { host: 'spool.example' }, { passkey: there })
    expect(refused.status).toBe(401)
  })
})

test('a page that asks for many passkeys waits, so that they do not fill the database', async () => {
  service.clock.advance(60_000)
  const many = await Promise.all(Array.from({ length: 61 }, () => send('POST', '/api/sign_in/passkey/', {})))
  expect(many.map(({ status }) => status).toSorted()).toEqual([...Array(60).fill(200), 429])
})

test('POST /api/sessions/@current/confirm/passkey/ returns 200 with a request, whose answer confirms that its user is present', async () => {
  const [person, other] = [await withPasskey(), await withPasskey()]
  service.clock.advance(sessionMs.confirmed)
  const confirmation = '/api/sessions/@current/confirm/'
  const rename = () => send('PATCH', `${passkeys}${person.passkeyId}/`, person.headers, { name: 'Phone' })
  expect(problemOf(await rename()).code).toBe('confirmation_required')
  const request = await ask(`${confirmation}passkey/`, person.headers)
  expect(request.options['allowCredentials']).toMatchObject([{ id: person.authenticator.id }])
  const confirm = (passkey: object) => send('POST', confirmation, person.headers, { passkey })
  const foreign = other.authenticator.answer(await ask(`${confirmation}passkey/`, person.headers))
  expect(problemOf(await confirm(foreign)).detail).toBe('This passkey belongs to another account.')
  const answer = person.authenticator.answer(request)
  const elsewhere = await send('POST', confirmation, other.headers, { passkey: answer })
  expect(problemOf(elsewhere).detail).toContain('used before')
  expect(problemOf(await confirm(person.authenticator.answer(await askToSignIn()))).detail).toContain(
    'used before',
  )
  expect((await confirm(answer)).status).toBe(200)
  expect((await rename()).status).toBe(200)
  const password_hash = await hashPassword('sixteen purple tea cups')
  await updateRows(service.services.store, 'users', { id: person.id }, { password_hash })
  service.clock.advance(sessionMs.confirmed)
  const password = await send('POST', confirmation, person.headers, { password: 'sixteen purple tea cups' })
  expect(password.status).toBe(200)
})
