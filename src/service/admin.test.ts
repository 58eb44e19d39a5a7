import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { appCode } from './testing/accounts/test-authenticator.ts'
import {
  command,
  folder,
  createFolder,
  removeFolder,
  start,
  admin,
  finished,
  me,
} from './testing/servers/test-commands.ts'
import type { ServiceProcess } from './testing/servers/test-service-process.ts'

// Processes with their own engines take long to start.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

/** Created before the service has started. */
let early: NewOrganization
/** The service, which schedules nothing: exports as code would send rows to the internet. */
let running: ServiceProcess

beforeAll(async () => {
  await createFolder()
  early = await newOrganization('Created while stopped')
  running = await start({ SPOOL_ROLES: 'serve,work' })
})
afterAll(removeFolder)

const NewOrganization = z.object({
  organization_id: z.uuid(),
  project_id: z.int(),
  project_token: z.string().regex(/^phc_/),
  api_key: z.string().regex(/^phx_/),
})

type NewOrganization = z.infer<typeof NewOrganization>

async function newOrganization(name: string): Promise<NewOrganization> {
  return NewOrganization.parse(JSON.parse(await admin('organization', 'create', '--name', name, '--json')))
}

async function importEvents(): Promise<unknown> {
  const file = join(folder, 'events.jsonl')
  return JSON.parse(await admin('events', 'import', file, '--project', String(early.project_id), '--json'))
}

const secrets = { AWS_ACCESS_KEY_ID: 'a-key-id', AWS_SECRET_ACCESS_KEY: 'very secret' }

/** Writes the file of the documents. */
async function writeExample() {
  const document = join(import.meta.dirname, '../../.github/docs/exports-as-code.md')
  const [, example = ''] = /```yaml\n([^]*?)```/.exec(await readFile(document, 'utf8')) ?? []
  const file = join(folder, 'exports.yaml')
  await writeFile(file, example)
  return { file, example }
}

/** Plans or applies the exports in the file. */
async function asCode(...words: string[]) {
  const args = ['-f', join(folder, 'exports.yaml'), '--project', String(early.project_id)]
  const { code, text, output } = await finished(command, secrets, ...words, ...args)
  expect(output + text).not.toContain('very secret')
  return { code, text, output }
}

describe('beside the running service', () => {
  test('creates organizations, projects and keys, whether or not the service is running', async () => {
    expect((await me(running.origin, early.api_key)).status).toBe(200)
    const created = await newOrganization('Created while running')
    expect((await me(running.origin, created.api_key)).status).toBe(200)
    const organization = ['--organization', created.organization_id] as const
    const project = JSON.parse(await admin('project', 'create', ...organization, '--name', 'P', '--json'))
    expect(project).toEqual({ project_id: expect.any(Number), project_token: expect.stringMatching(/^phc_/) })
    const options = [
      '--label',
      'L',
      '--scopes',
      'batch_export:read',
      '--projects',
      String(project.project_id),
    ]
    const { api_key: key } = JSON.parse(await admin('key', 'create', ...organization, ...options, '--json'))
    const response = await fetch(`${running.origin}/api/personal_api_keys/@current/`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await response.json()).toMatchObject({
      label: 'L',
      scopes: ['batch_export:read'],
      scoped_teams: [project.project_id],
    })
    expect(await admin('audit', 'verify', ...organization)).toMatch(/valid: .*\d sealed entries/)
  })

  test('creates users, changes their role, resets their password and links them in', async () => {
    const { organization_id: id } = await newOrganization('With people')
    const given = ['--organization', id, '--email', 'ada@people.example'] as const
    const run = async (...args: string[]) => JSON.parse(await admin('user', ...args, '--json'))
    const { user_id, url } = await run('create', ...given, '--name', 'Ada', '--role', 'analyst')
    const send = (method: string, path: string, content?: object, cookie = '') => {
      const body = content ? JSON.stringify(content) : null
      const headers = { 'content-type': 'application/json', origin: running.origin, cookie }
      return fetch(`${running.origin}${path}`, { method, headers, body })
    }
    const signIn = async (link: string) => {
      const response = await send('POST', '/api/sessions/', { link: link.trim().split('#link=')[1] })
      return response.headers.getSetCookie()[0]?.split(';')[0] ?? 'none'
    }
    const who = async (cookie: string) =>
      (await fetch(`${running.origin}/api/users/@me/`, { headers: { cookie } })).json()
    const cookie = await signIn(url)
    expect(await who(cookie)).toMatchObject({ uuid: user_id, first_name: 'Ada', role: 'analyst' })
    expect(await run('grant', ...given, '--role', 'owner')).toEqual({ user_id, role: 'owner' })
    expect(await who(cookie)).toMatchObject({ role: 'owner' })
    await send('PATCH', '/api/users/@me/', { password: 'sixteen purple tea cups' }, cookie)
    const factor = '/api/users/@me/second_factor/'
    const { secret } = await (await send('POST', factor, undefined, cookie)).json()
    await send('POST', `${factor}confirm/`, { code: appCode(secret, Date.now()) }, cookie)
    const reset = await run('reset-password', ...given.slice(2))
    expect(await who(cookie)).toMatchObject({ code: 'authentication_failed' })
    // Only the link of `sign-in-link` needs no code.
    expect(await signIn(reset.url)).toBe('none')
    const link = await admin('sign-in-link', ...given.slice(2))
    expect(link).toMatch(/#link=[\w-]{43}\n$/)
    const kept = { uuid: user_id, has_password: false, has_second_factor: true }
    expect(await who(await signIn(link))).toMatchObject(kept)
    const removed = await run('reset-password', ...given.slice(2), '--remove-second-factor')
    expect(await who(await signIn(removed.url))).toMatchObject({ uuid: user_id, has_second_factor: false })
    const unknown = await finished(
      command,
      {},
      'user',
      'grant',
      ...given.slice(0, 3),
      'nobody@people.example',
      '--role',
      'admin',
    )
    expect([unknown.code, unknown.text]).toEqual([
      1,
      expect.stringContaining('There is no member with the address'),
    ])
  })

  test('imports a file', async () => {
    const event = {
      uuid: crypto.randomUUID(),
      event: 'a',
      distinct_id: 'd',
      timestamp: '2026-03-01T00:00:00Z',
    }
    await writeFile(join(folder, 'events.jsonl'), `${JSON.stringify(event)}\n`)
    expect(await importEvents()).toEqual({ events: 1 })
  })

  test('checks a receipt with the key of the installation or another one', async () => {
    const { api_key } = await newOrganization('Receipts')
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' }
    const exportsUrl = `${running.origin}/api/projects/@current/batch_exports/`
    const body = JSON.stringify({
      name: 'Proven',
      interval: 'hour',
      destination: { type: 'File', config: { path: 'proven' } },
    })
    const created = await fetch(exportsUrl, { method: 'POST', headers, body })
    const { id } = z.object({ id: z.string() }).parse(await created.json())
    const receipt = await (await fetch(`${exportsUrl}${id}/ledger/receipt/`, { headers })).text()
    const file = join(folder, 'receipt.json')
    await writeFile(file, receipt)
    expect(await admin('receipt', 'verify', file)).toMatch(
      /^valid +yes\nexport +Proven\n[^]*\nobjects by hash +none\n/,
    )
    const { publicKey } = generateKeyPairSync('ed25519')
    const other = join(folder, 'other.pem')
    await writeFile(other, publicKey.export({ type: 'spki', format: 'pem' }))
    await expect(admin('receipt', 'verify', file, '--public-key', other)).rejects.toThrow('not valid')
  })

  test('plans and applies the file of the documents', async () => {
    const { file, example } = await writeExample()
    const missing = await finished(command, {}, 'apply', '-f', file, '--project', String(early.project_id))
    expect(missing).toMatchObject({ code: 1, output: '' })
    expect(missing.text).toMatch(
      /^exports\.yaml:\d+: "Orders": .*: Set the environment variable AWS_ACCESS_KEY_ID\.$/m,
    )
    expect(await asCode('plan')).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^\+ Orders\n[^]*secret, not shown[^]*\nPlan: 2 to create,/),
    })
    await writeFile(file, example.replace('interval: day', 'interval: yearly'))
    const invalid = await asCode('apply')
    expect(invalid.code).toBe(1)
    expect(invalid.text).toMatch(/^exports\.yaml:\d+: "Customers": interval: .*\nNothing was applied\.$/m)
    await writeFile(file, example)
    expect(await asCode('apply')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Applied: 2 created,'),
    })
    secrets.AWS_SECRET_ACCESS_KEY = 'very secret too'
    expect(await asCode('plan')).toMatchObject({
      code: 2,
      output: expect.stringContaining('aws_secret_access_key: secret changed, not shown'),
    })
    expect(await admin('as-yaml', '--project', String(early.project_id))).toContain(
      '${AWS_SECRET_ACCESS_KEY}',
    )
  })

  test('prints a readable table without --json', async () => {
    expect(await admin('organization', 'create', '--name', 'Readable')).toMatch(
      /^organization id {2}\S+\nproject id {7}\d+\nproject token {4}phc_\S+\napi key {10}phx_\S+\n$/,
    )
    expect(await admin('--help')).toMatch(/^Usage: /)
  })

  test.each([
    [2, 'Unknown command "organization destroy": see --help.', ['organization', 'destroy']],
    [2, '--name is missing: see --help.', ['organization', 'create']],
    [2, '"key create" has no option --name: see --help.', ['key', 'create', '--name', 'x']],
    [
      2,
      '--name: Control characters, such as line breaks and tabs, are not allowed.',
      ['organization', 'create', '--name', 'a\nb'],
    ],
    [1, 'There is no organization 7.', ['project', 'create', '--organization', '7', '--name', 'x']],
    [2, '"a" is not a project id.', ['events', 'import', 'f.jsonl', '--project', 'a']],
    [1, 'There is no project 99.', ['events', 'import', 'f.jsonl', '--project', '99']],
  ])('exits with %i and prints: %s', async (code, text, args) => {
    expect(await finished(command, {}, ...args)).toMatchObject({ code, text: `${text}\n` })
  })
})

describe('after the service has stopped', () => {
  beforeAll(async () => {
    await running.stop()
  })

  test('imports the same file', async () => {
    expect(await importEvents()).toEqual({ events: 1 })
  })

  test(
    'plans and applies the file of the documents, which was applied before',
    { tags: ['slow'] },
    async () => {
      await writeExample()
      await asCode('apply')
      secrets.AWS_SECRET_ACCESS_KEY = 'very secret as well'
      expect(JSON.parse((await asCode('apply', '--json')).output)).toMatchObject({
        applied: true,
        changes: [{ action: 'update', name: 'Orders' }, { action: 'unchanged' }],
      })
      expect((await asCode('plan')).code).toBe(0)
      expect((await finished(command, {}, 'plan', '--junk')).code).toBe(1)
    },
  )
})
