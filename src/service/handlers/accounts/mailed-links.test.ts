import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { User } from '../../../contract/accounts/user.ts'
import { CreatedInvite, Invite } from '../../../contract/accounts/member.ts'
import { PasskeyRequest } from '../../../contract/accounts/passkey.ts'
import { newApiKey } from '../../auth/api-key-value.ts'
import { newKeyRow } from '../../auth/new-organization.ts'
import { resetPassword } from '../../admin-accounts.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { sendDueMails } from '../../mail/send-mails.ts'
import { claimMails, queueMail } from '../../store/accounts/mails.ts'
import { removeSecondFactor } from '../../store/accounts/second-factors.ts'
import { deleteRows, findRow, findRows, insertRow, updateRows } from '../../store/schema/rows.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { testAuthenticator } from '../../testing/accounts/test-authenticator.ts'
import { insertMember, insertPasskey, insertSession } from '../../testing/test-members.ts'
import { insertProvider } from '../../testing/test-providers.ts'
import { insertRecording } from '../../testing/test-recordings.ts'
import { createObject } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let mailServer: Awaited<ReturnType<typeof startMailServer>>
let userId: string
const email = 'Ada@people.example'
const password = 'sixteen purple tea cups'
const another = 'another seven tea cups'
const origin = 'https://spool.example'
const never = new AbortController().signal
const resets = '/api/password_resets/'

beforeAll(async () => {
  mailServer = await startMailServer()
  const smtp = { url: mailServer.url, from: 'spool@shop.example' }
  service = await createTestService({ config: { privateDestinations: 'loopback', smtp, origin } })
  userId = await insertMember(service, 'analyst')
})
beforeEach(async () => {
  const { store } = service.services
  service.clock.advance(2 * 86_400_000)
  await deleteRows(store, 'mails', {})
  await deleteRows(store, 'user_tokens', {})
  const password_hash = await hashed
  await updateRows(store, 'users', { id: userId }, { email, first_name: 'Ada', password_hash })
  mailServer.received.length = 0
})
afterAll(async () => {
  mailServer.stop()
  await service.stop()
})
const hashed = hashPassword(password)

const send = (path: string, body: object, headers: Record<string, string> = {}) =>
  service.request('POST', path, { body, headers, key: '' })
const signIn = (body: object) => send('/api/sessions/', body)
const mails = () => findRows(service.services.store, 'mails', {})
const deliver = async () => {
  await sendDueMails(service.services, never)
  return mailServer.received.splice(0)
}
const tokenIn = (text = '') => /#(?:token|invite)=([\w-]{43})/.exec(text)?.[1] ?? ''
const askForReset = async (headers: Record<string, string> = {}) => {
  expect((await send(resets, { email }, headers)).status).toBe(204)
  return (await deliver())[0]?.text
}
const signedIn = async () => (await insertSession(service, { user_id: userId })).headers
const change = (body: object, headers: Record<string, string>) =>
  service.request('PATCH', '/api/users/@me/', { body, headers, key: '' })

describe('a forgotten password', () => {
  test('POST /api/password_resets/ returns 204 after the same work whether the address has an account, and leads to the set origin only', async () => {
    const statements = vi.spyOn(service.services.store, 'insertInto')
    const answers = []
    for (const address of [email, 'nobody@people.example']) {
      const { status, text, headers } = await send(resets, { email: address })
      answers.push(JSON.stringify([status, text, { ...headers, 'x-request-id': '', date: '' }]))
    }
    expect(new Set(answers).size).toBe(1)
    expect(statements.mock.calls).toEqual([['mails'], ['mails']])
    statements.mockRestore()
    const [mail, ...others] = await deliver()
    expect([mail?.recipients, others]).toEqual([[email], []])
    expect(mail?.text).toContain(`${origin}/password#token=`)
    // Nothing stored opens the link, and an address without an account is forgotten.
    const token = tokenIn(mail?.text)
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([email])
    const stored = JSON.stringify([await mails(), await findRows(service.services.store, 'user_tokens', {})])
    expect([token.length, stored.includes(token)]).toEqual([43, false])

    const poisoned = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const text = await askForReset(poisoned)
    expect(text).toContain(`${origin}/password#token=`)
    expect(text).not.toContain('evil')
  })

  test('POST /api/password_resets/use/ returns 204 and sets a password once, ends all sessions, and tells the user', async () => {
    const headers = await signedIn()
    const first = tokenIn(await askForReset())
    const token = tokenIn(await askForReset())
    const use = (given: string, chosen: string) => send(`${resets}use/`, { token: given, password: chosen })
    expect((await use(first, another)).status).toBe(404)
    expect(problemOf(await use(token, 'qwertyuiop'))).toMatchObject({
      code: 'invalid_input',
      attr: 'password',
    })
    await send(resets, { email })
    const tries = await Promise.all([1, 2, 3].map(() => use(token, another)))
    expect(tries.map(({ status }) => status).toSorted()).toEqual([204, 404, 404])
    expect(tries.map((response) => response.headers['set-cookie'])).toEqual([undefined, undefined, undefined])
    expect((await service.request('GET', '/api/users/@me/', { headers, key: '' })).status).toBe(401)
    expect((await signIn({ email, password })).status).toBe(401)
    expect((await signIn({ email, password: another })).status).toBe(201)
    // The one asked for meanwhile is no longer sent.
    expect((await deliver()).map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1])).toEqual([
      '[Spool] Your password was changed',
    ])
    const [entry] = await findRows(service.services.store, 'audit_entries', {
      action: 'member.password_changed',
      object_id: userId,
    })
    expect(entry).toMatchObject({ actor_kind: 'person', actor_id: userId })
  })

  test('a reset by the administrator ends the links that were sent, and those on their way', async () => {
    const { config, store } = service.services
    const token = tokenIn(await askForReset())
    await send(resets, { email })
    const { url } = await resetPassword(config, { email })
    expect([await mails(), String(url)]).toEqual([
      [expect.objectContaining({ next_attempt_at: null })],
      expect.stringContaining('#link='),
    ])
    expect((await send(`${resets}use/`, { token, password: another })).status).toBe(404)
    expect((await findRow(store, 'users', { id: userId }))?.password_hash).toBeNull()
  })

  test('a link ends after an hour and with a change of the password', async () => {
    const token = tokenIn(await askForReset())
    service.clock.advance(3_600_000)
    expect((await send(`${resets}use/`, { token, password: another })).status).toBe(404)
    const next = tokenIn(await askForReset())
    expect((await change({ password: another }, await signedIn())).status).toBe(200)
    expect((await send(`${resets}use/`, { token: next, password })).status).toBe(404)
  })

  test('whoever signs in with a provider only is told so, without a link that sets a password', async () => {
    const { store, clock } = service.services
    const provider = await insertProvider(service)
    const now = new Date(clock.now())
    const { organization_id } = service.own
    const identity = { provider: provider.id, subject: 'ada', organization_id, user_id: userId }
    const sent = tokenIn(await askForReset())
    await insertRow(store, 'user_identities', { ...identity, created_at: now, last_sign_in_at: now })
    // A former owner, whom the provider manages now, had a password.
    expect((await send(`${resets}use/`, { token: sent, password: another })).status).toBe(403)
    expect(tokenIn(await askForReset())).toBe('')
    await updateRows(store, 'users', { id: userId }, { password_hash: null })
    const text = await askForReset()
    expect([text?.includes('identity provider'), tokenIn(text)]).toEqual([true, ''])
    const refused = await change({ email: 'new@people.example' }, await signedIn())
    expect([refused.status, problemOf(refused).code]).toEqual([403, 'permission_denied'])
    await deleteRows(store, 'user_identities', { user_id: userId })
  })

  test('an address gets five links an hour; a client is limited; without a mail server there are none', async () => {
    for (let count = 0; count < 7; count++) await send(resets, { email })
    expect(await deliver()).toHaveLength(5)
    const { config } = service.services
    const limited = await createTestService({ config: { rateLimit: 6000, smtp: config.smtp } })
    const statuses = []
    for (let count = 0; count < 11; count++)
      statuses.push((await limited.request('POST', resets, { body: { email }, key: '' })).status)
    expect(statuses).toEqual([...Array(10).fill(204), 429])
    limited.services.config.smtp = null
    const none = await limited.request('POST', resets, { body: { email: 'b@people.example' }, key: '' })
    expect(problemOf(none).detail).toMatch(/^This service sends no e-mail/)
    await limited.stop()
  })
})

/** Gives the user another way to sign in of each kind: passkey, app, recovery code and personal API key. */
async function addWaysIn() {
  const { store, clock } = service.services
  await insertPasskey(service, userId)
  await updateRows(store, 'users', { id: userId }, { totp_secret: Buffer.alloc(1) })
  await insertRow(store, 'recovery_codes', { user_id: userId, hash: Buffer.alloc(1) })
  const { organization_id } = service.own
  await insertRow(
    store,
    'api_keys',
    newKeyRow({ user_id: userId, organization_id }, 'Script', newApiKey(), clock.now()),
  )
}

test('the first reset of an account that nobody confirmed ends all other ways in; later ones name them', async () => {
  const { store } = service.services
  const waysIn = async () => {
    const rows = ['passkeys', 'recovery_codes', 'api_keys', 'sessions'] as const
    const counts = await Promise.all(
      rows.map(async (table) => (await findRows(store, table, { user_id: userId })).length),
    )
    const user = await findRow(store, 'users', { id: userId })
    return [...counts, user?.totp_secret == null ? 0 : 1]
  }
  const reset = async () => {
    const token = tokenIn(await askForReset())
    expect((await send(`${resets}use/`, { token, password: another })).status).toBe(204)
    return (await deliver())[0]?.text
  }
  await updateRows(store, 'users', { id: userId }, { email_confirmed_at: null })
  for (const table of ['passkeys', 'api_keys', 'sessions'] as const)
    await deleteRows(store, table, { user_id: userId })
  await addWaysIn()
  await signedIn()
  expect(await waysIn()).toEqual([1, 1, 1, 1, 1])
  expect(await reset()).toContain('personal API keys were removed')
  expect(await waysIn()).toEqual([0, 0, 0, 0, 0])
  await addWaysIn()
  expect(await reset()).toMatch(/Still give access: the passkey .+Laptop.+, the API key .+Script/)
  expect(await waysIn()).toEqual([1, 1, 1, 0, 1])
  await removeSecondFactor(store, userId)
})

test('people learn of changes of how they sign in that they may not have made', async () => {
  const headers = await signedIn()
  await updateRows(service.services.store, 'users', { id: userId }, { totp_secret: Buffer.alloc(1) })
  const factor = '/api/users/@me/second_factor/'
  const use = (method: string, path: string, body?: object) =>
    service.request(method, path, {
      headers,
      key: '',
      ...(body && { body }),
    })
  expect((await use('POST', `${factor}recovery_codes/`)).status).toBe(201)
  expect((await use('DELETE', factor)).status).toBe(204)
  // The set origin counts, whatever host the request names.
  const add = async (at: string) => {
    const request = bodyOf(PasskeyRequest, await use('POST', '/api/users/@me/passkeys/options/'))
    const answer = testAuthenticator(at).register(request)
    return (await use('POST', '/api/users/@me/passkeys/', { name: 'Phone', ...answer })).status
  }
  expect([await add('http://localhost:80'), await add(origin)]).toEqual([400, 201])
  const told = (await deliver()).map(({ recipients, text }) => [
    recipients[0],
    /^Subject: (.*)$/m.exec(text)?.[1],
  ])
  expect(told.toSorted()).toEqual([
    [email, '[Spool] A passkey was added'],
    [email, '[Spool] Two-step sign-in was turned off'],
    [email, '[Spool] Your recovery codes were replaced'],
  ])
})

describe('a new address', () => {
  const next = 'ada@new.example'

  test('POST /api/new_addresses/use/ returns 200 with the address, which changes only then', async () => {
    const headers = await signedIn()
    const response = await change({ email: next }, headers)
    expect([response.status, bodyOf(User, response).email]).toEqual([200, email])
    const sent = await deliver()
    expect(sent.map(({ recipients }) => recipients[0]).toSorted()).toEqual([email, next])
    const token = tokenIn(sent.map(({ text }) => text).join('\n'))
    const use = () => send('/api/new_addresses/use/', { token })
    expect((await signIn({ email: next, password })).status).toBe(401)
    const confirmed = await use()
    expect([confirmed.status, confirmed.body]).toEqual([200, { email: next }])
    expect((await use()).status).toBe(404)
    expect((await signIn({ email: next, password })).status).toBe(201)
    const told = (await deliver()).map(({ recipients, text }) => [
      recipients,
      text.includes('was changed to another'),
    ])
    expect(told).toEqual([[[email], true]])
  })

  test('a taken address gets the same answer, and its user learns of it; a new password ends the link', async () => {
    const headers = await signedIn()
    const other = await insertMember(service, 'editor')
    const taken = await change({ email: `${other}@people.example` }, headers)
    const free = await change({ email: next }, headers)
    expect([taken.status, taken.text]).toEqual([free.status, free.text])
    const texts = (await deliver()).map(({ recipients, text }) => [recipients[0], tokenIn(text) !== ''])
    expect(texts).toContainEqual([`${other}@people.example`, false])
    expect(texts).toContainEqual([next, true])
    await change({ password: another }, headers)
    expect(await findRows(service.services.store, 'user_tokens', { user_id: userId })).toEqual([])
    for (let count = 0; count < 3; count++) await change({ email: `${count}@new.example` }, headers)
    service.clock.advance(720_000)
    const refused = await change({ email: 'one@more.example' }, headers)
    expect([refused.status, problemOf(refused).detail]).toEqual([
      429,
      'You entered 5 new addresses within an hour. Try again in 48 minutes.',
    ])
  })
})

describe('invites', () => {
  const invites = '/api/organizations/@current/invites/'
  const invite = (body: object) => service.request('POST', invites, { body: { role: 'analyst', ...body } })
  const listed = async (id: string) =>
    bodyOf(Invite.array(), await service.request('GET', invites)).find((row) => row.id === id)?.mail

  test('POST /api/organizations/:organization_id/invites/:id/send/ sends the link again; names in it are escaped', async () => {
    const { store } = service.services
    const name = '<img src=x onerror="alert(1)">'
    await updateRows(store, 'organizations', { id: service.own.organization_id }, { name })
    const created = bodyOf(CreatedInvite, await invite({ email: 'ben@people.example', send_mail: true }))
    expect(created.mail).toMatchObject({ status: 'waiting', error: null })
    const [mail] = await deliver()
    expect(mail?.recipients).toEqual(['ben@people.example'])
    expect(tokenIn(mail?.text)).toBe(tokenIn(created.url))
    const html = mail?.text.split('text/html')[1]
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
    expect(html).not.toContain('<img')
    expect(await listed(created.id)).toMatchObject({ status: 'sent' })
    const again = () => service.request('POST', `${invites}${created.id}/send/`)
    expect(bodyOf(Invite, await again()).mail).toMatchObject({ status: 'waiting' })
    expect(tokenIn((await deliver())[0]?.text)).toBe(tokenIn(created.url))
    for (let count = 0; count < 3; count++) expect((await again()).status).toBe(200)
    service.clock.advance(3_600_000)
    const refused = await again()
    expect([refused.status, problemOf(refused).detail]).toEqual([
      429,
      expect.stringMatching(
        /Create an invite without sending it, and copy its link\. Try again in 23 hours\.$/,
      ),
    ])
    await service.request('DELETE', `${invites}${created.id}/`)
    expect(await deliver()).toEqual([])
  })

  test('an address that the server refuses is shown with its reason at once', async () => {
    expect((await invite({ send_mail: true })).status).toBe(400)
    const body = { email: 'ben@refused.example', send_mail: true }
    const created = bodyOf(CreatedInvite, await invite(body))
    await deliver()
    expect(await listed(created.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no such mailbox'),
    })
  })
})

describe('sending', () => {
  test('an e-mail is sent once by several processes, and again after one dies while it sends', async () => {
    const { clock } = service
    const { store } = service.services
    for (let count = 0; count < 12; count++) await send(resets, { email: `${count}@people.example` })
    await updateRows(store, 'mails', {}, { kind: 'password changed' })
    await Promise.all([1, 2, 3].map(() => sendDueMails(service.services, never)))
    const recipients = mailServer.received.splice(0).map((mail) => mail.recipients[0])
    expect([recipients.length, new Set(recipients).size]).toEqual([12, 12])

    await send(resets, { email })
    const now = new Date(clock.now())
    expect(await claimMails(store, now, new Date(now.getTime() + 60_000), 10)).toHaveLength(1)
    expect(await deliver()).toEqual([])
    clock.advance(60_000)
    expect(await deliver()).toHaveLength(1)
  })

  test('a server that hangs delays nothing else: the attempt ends, is repeated later, and given up after some', async () => {
    const { clock } = service
    await send(resets, { email })
    mailServer.state.hangs = true
    const time = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
    const { connections } = mailServer.state
    const sending = sendDueMails(service.services, never)
    await vi.waitFor(() => expect(mailServer.state.connections).toBe(connections + 1))
    expect((await send(resets, { email: 'other@people.example' })).status).toBe(204)
    time.abort()
    await sending
    const [failed] = (await mails()).filter(({ recipient }) => recipient === email)
    expect(failed).toMatchObject({
      attempts: 1,
      error: 'The mail server did not answer in time.',
      next_attempt_at: new Date(clock.now() + 10_000),
    })
    for (let count = 0; count < 6; count++) {
      clock.advance(7_200_000)
      await sendDueMails(service.services, never)
    }
    expect((await mails()).filter(({ next_attempt_at: next }) => next !== null)).toEqual([])
    timeout.mockRestore()
    mailServer.state.hangs = false
  })

  test('stopping ends an attempt, which the next process makes', async () => {
    mailServer.state.hangs = true
    await send(resets, { email })
    const stopping = new AbortController()
    const { connections } = mailServer.state
    const sending = sendDueMails(service.services, stopping.signal)
    await vi.waitFor(() => expect(mailServer.state.connections).toBe(connections + 1))
    stopping.abort()
    await sending
    mailServer.state.hangs = false
    expect(await mails()).toMatchObject([{ attempts: 0 }])
    expect(await deliver()).toHaveLength(1)
  })
})

test('a mentioned member gets the text with names and a link to the moment, unless they have seen it or may not', async () => {
  const recording = await insertRecording(service)
  const write = (text: string) =>
    createObject(service, service.own.project_id, 'recording_notes', {
      session_recording_id: recording.session_id,
      at: 12.7,
      text,
    })
  await write(`See this, @[${userId}]`)
  const [mail, ...others] = await deliver()
  expect([mail?.recipients, others]).toEqual([[email], []])
  expect(mail?.text).toContain('See this, @Ada')
  const query = `project=${service.own.project_id}&t=12&tab=notes`
  expect(mail?.text).toContain(`${origin}/recordings/${recording.session_id}?${query}`)
  await write(`Again, @[${userId}]`)
  await updateRows(
    service.services.store,
    'note_mentions',
    { user_id: userId },
    { read_at: new Date(service.clock.now()) },
  )
  expect(await deliver()).toEqual([])
  await write(`And again, @[${userId}]`)
  await updateRows(service.services.store, 'members', { user_id: userId }, { project_roles: '{}' })
  expect(await deliver()).toEqual([])
  await updateRows(service.services.store, 'members', { user_id: userId }, { project_roles: null })
})

test('a note mails a member once, twenty notes an hour do, and e-mails about accounts do not wait for them', async () => {
  const { store } = service.services
  const recording = await insertRecording(service)
  const text = `See this, @[${userId}]`
  const notes = '/api/projects/@current/recording_notes/'
  const write = async () => {
    const body = { session_recording_id: recording.session_id, at: 1, text }
    return await createObject(service, service.own.project_id, 'recording_notes', body)
  }
  const id = await write()
  for (const changed of ['See this', text]) {
    await service.request('PATCH', `${notes}${id}/`, { body: { text: changed } })
    service.clock.advance(1)
  }
  expect(await mails()).toHaveLength(1)
  expect(await deliver()).toHaveLength(1)
  expect((await service.request('DELETE', `${notes}${id}/`)).status).toBe(204)
  for (let count = 0; count < 20; count += 1) await write()
  expect(await mails()).toHaveLength(20)
  expect((await send(resets, { email })).status).toBe(204)
  service.clock.advance(1)
  const [first] = await claimMails(store, new Date(service.clock.now()), new Date(service.clock.now()), 1)
  expect(first?.kind).toBe('password reset')
})

test('an address with a comma is one address, and is not accepted as a new one', async () => {
  const recipient = 'x,victim@people.example'
  await queueMail(service.services, { kind: 'password changed', recipient })
  expect((await deliver()).map(({ recipients }) => recipients)).toEqual([['"x,victim"@people.example']])
  for (const wrong of [recipient, 'a@b;c@d', 'a(b)@c', 'a\u0007@b', 'a:b@c', 'a@[b]'])
    expect((await send(resets, { email: wrong })).status).toBe(400)
})
