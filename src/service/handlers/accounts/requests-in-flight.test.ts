import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PasskeyRequest } from '../../../contract/accounts/passkey.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { endSessions } from '../../store/accounts/sessions.ts'
import type { StoreTransaction } from '../../store/schema/database.ts'
import { deleteRows, findRow, findRows, insertRow, updateRows } from '../../store/schema/rows.ts'
import { duringChange } from '../../testing/accounts/during-change.ts'
import { testAuthenticator } from '../../testing/accounts/test-authenticator.ts'
import { insertMember, insertSession, type SessionHeaders } from '../../testing/test-members.ts'
import { insertProvider } from '../../testing/test-providers.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let userId: string
let email: string
let headers: SessionHeaders
const password = 'sixteen purple tea cups'
const hashed = hashPassword(password)
const passkeys = '/api/users/@me/passkeys/'
const authenticator = testAuthenticator('http://localhost:80')

beforeAll(async () => {
  service = await createTestService()
})
beforeEach(async () => {
  userId = await insertMember(service, 'editor')
  email = `${userId}@people.example`
  await updateRows(service.services.store, 'users', { id: userId }, { password_hash: await hashed })
  headers = (await insertSession(service, { user_id: userId })).headers
})
afterAll(() => service.stop())

const send = (
  method: string,
  path: string,
  body: object | undefined,
  sent: Record<string, string> = headers,
) => service.request(method, path, { ...(body && { body }), headers: sent, key: '' })
const change = (body: object, sent = headers) => send('PATCH', '/api/users/@me/', body, sent)
const signIn = (body: object) => send('POST', '/api/sessions/', body, {})
const ask = async (path: string) => bodyOf(PasskeyRequest, await send('POST', path, undefined))
const sessions = () => findRows(service.services.store, 'sessions', { user_id: userId })

/** Makes a request while a new password, or an identity provider that takes the account over, ends the user's sessions. */
const duringReset = (request: () => ReturnType<typeof send>) =>
  duringChange(
    service.services.store,
    async (transaction: StoreTransaction) => {
      await updateRows(transaction, 'users', { id: userId }, { password_hash: 'new', totp_secret: null })
      await deleteRows(transaction, 'passkeys', { user_id: userId })
      await deleteRows(transaction, 'user_tokens', { user_id: userId })
      await endSessions(transaction, { user_id: userId }, null)
    },
    request,
  )

test('a session that has ended meanwhile changes nothing of the account', async () => {
  const requests = [
    () => change({ first_name: 'Mallory' }),
    () => change({ password: 'another seven tea cups' }),
    () => change({ email: 'mallory@people.example' }),
    () => send('DELETE', '/api/users/@me/second_factor/', undefined),
  ]
  for (const request of requests) {
    headers = (await insertSession(service, { user_id: userId })).headers
    expect((await duringReset(request)).status, String(request)).toBe(401)
  }
  expect(await findRow(service.services.store, 'users', { id: userId })).toMatchObject({
    email,
    first_name: 'Other',
    password_hash: 'new',
  })
})

test('a passkey is not added to an account that an identity provider has taken over meanwhile', async () => {
  const { store } = service.services
  const { id: provider } = await insertProvider(service)
  const { organization_id } = service.own
  const now = new Date(service.clock.now())
  const identity = { provider, subject: userId, organization_id, user_id: userId }
  const answer = authenticator.register(await ask(`${passkeys}options/`))
  const added = await duringChange(
    store,
    async (transaction) => {
      await updateRows(transaction, 'users', { id: userId }, { password_hash: null })
      await insertRow(transaction, 'user_identities', { ...identity, created_at: now, last_sign_in_at: now })
    },
    () => send('POST', passkeys, { name: 'Laptop', ...answer }),
  )
  expect([added.status, await findRows(store, 'passkeys', { user_id: userId })]).toEqual([403, []])
})

test('a sign-in with what has been replaced meanwhile starts neither a session nor a step', async () => {
  const { store } = service.services
  const refused = async (body: object) => {
    const response = await duringReset(() => signIn(body))
    expect([response.status, problemOf(response).code]).toEqual([401, 'sign_in_failed'])
    expect(await sessions()).toEqual([])
    await updateRows(store, 'users', { id: userId }, { password_hash: await hashed })
  }
  await refused({ email, password })
  await updateRows(store, 'users', { id: userId }, { totp_secret: Buffer.alloc(1) })
  await refused({ email, password })
  expect(await findRows(store, 'user_tokens', { user_id: userId })).toEqual([])

  headers = (await insertSession(service, { user_id: userId })).headers
  const added = authenticator.register(await ask(`${passkeys}options/`))
  expect((await send('POST', passkeys, { name: 'Laptop', ...added })).status).toBe(201)
  await refused({ passkey: authenticator.answer(await ask('/api/sign_in/passkey/')) })
})

test('two users who take an address at once: one gets it, the other learns that it cannot be used', async () => {
  const other = await insertMember(service, 'editor')
  const another = (await insertSession(service, { user_id: other })).headers
  const taken = await duringChange(
    service.services.store,
    (transaction) => updateRows(transaction, 'users', { id: other }, { email: 'both@people.example' }),
    () => change({ email: 'Both@people.example' }),
  )
  expect([taken.status, problemOf(taken).detail]).toEqual([409, 'This address cannot be used.'])
  expect((await change({ email: 'other@people.example' }, another)).status).toBe(200)
})
