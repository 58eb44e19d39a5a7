import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { freePort } from './engines/loopback.ts'

// Each test starts processes with their own engines.
vi.setConfig({ testTimeout: 90_000 })

const NewOrganization = z.object({
  organization_id: z.uuid(),
  project_id: z.int(),
  project_token: z.string().regex(/^phc_/),
  api_key: z.string().regex(/^phx_/),
})
const service = join(import.meta.dirname, 'main.ts')
const command = join(import.meta.dirname, 'admin.ts')
const apiKey = 'phx_of_the_first_start'
let folder: string
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-main-'))
  environment = {
    ...process.env,
    SPOOL_DATA_DIR: folder,
    SPOOL_PORT: '0',
    SPOOL_SAMPLE_DATA: 'off',
    SPOOL_BOOTSTRAP_API_KEY: apiKey,
  }
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

type Running = {
  child: ChildProcess
  origin: string
  /** The printed key; null if only the address was printed. */
  key: string | null
  /** Returns what the process has written to standard error so far. */
  errors(): string
}

async function start(env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const child = spawn(process.execPath, [service], {
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  let printed = ''
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk)
    const [, origin, key] = /^ *(http:[^\s#]+)\/(?:#key=(\S+))?\n/m.exec(printed) ?? []
    if (origin) return { child, origin, key: key ?? null, errors: () => errors }
  }
  throw new Error(`the service did not start: ${printed}`)
}

async function stop({ child }: Running): Promise<number | null> {
  const exited = once(child, 'close')
  child.kill('SIGTERM')
  const [code] = await exited
  return code
}

async function admin(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...args], { env: environment })
  return stdout
}

/** Runs a process that is expected to fail; resolves to its exit code and error output. */
async function failure(script: string, env: NodeJS.ProcessEnv, ...args: string[]) {
  const { code, text } = await finished(script, env, ...args)
  return { code, text }
}

/** Runs a process; resolves to its exit code, output and error output (`text`). */
async function finished(script: string, env: NodeJS.ProcessEnv, ...args: string[]) {
  const child = spawn(process.execPath, [script, ...args], { env: { ...environment, ...env } })
  let [output, text] = ['', '']
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (text += String(chunk)))
  const [code] = await once(child, 'close')
  return { code, output, text }
}

async function newOrganization(name: string): Promise<z.infer<typeof NewOrganization>> {
  return NewOrganization.parse(JSON.parse(await admin('organization', 'create', '--name', name, '--json')))
}

function me(origin: string, key: string): Promise<Response> {
  return fetch(`${origin}/api/users/@me/`, { headers: { authorization: `Bearer ${key}` } })
}

describe('the service', () => {
  test('prints the key into a log only on the first start, and stops cleanly on SIGTERM', async () => {
    const first = await start()
    expect(first.key).toBe(apiKey)
    expect((await me(first.origin, apiKey)).status).toBe(200)
    expect(await stop(first)).toBe(0)
    const second = await start()
    expect(second.key).toBeNull()
    expect(await stop(second)).toBe(0)
  })

  test('prints the key at every start at a terminal', async () => {
    const atTerminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' }
    const first = await start(atTerminal)
    await stop(first)
    const second = await start(atTerminal)
    await stop(second)
    expect([first.key, second.key]).toEqual([apiKey, apiKey])
  })

  test('prints a sign-in link on request, whether or not the service is running', async () => {
    const running = await start()
    const link = await admin('sign-in-link')
    expect(link).toBe(`${running.origin}/#key=${apiKey}\n`)
    await stop(running)
    expect(await admin('sign-in-link')).toBe(link)
    expect(JSON.parse(await admin('sign-in-link', '--json'))).toEqual({ url: link.trim() })
  })

  test('stops cleanly even if a client never finishes its request', async () => {
    const running = await start({ LOG_LEVEL: 'warn' })
    const socket = connect(Number(new URL(running.origin).port), '127.0.0.1').on('error', () => undefined)
    await once(socket, 'connect')
    const head = [
      'POST /api/projects/@current/batch_exports/ HTTP/1.1',
      'host: spool',
      `authorization: Bearer ${apiKey}`,
      'content-type: application/json',
      'content-length: 1000',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{"name":`)
    expect((await me(running.origin, apiKey)).status).toBe(200)
    const closed = once(socket, 'close')
    expect(await stop(running)).toBe(0)
    // The service would warn if stopping had exceeded the time limit.
    expect(running.errors()).toBe('')
    await closed
  })

  test.runIf(existsSync('/dev/full'))(
    'keeps running when its output cannot be written, and still stops cleanly',
    async () => {
      const port = await freePort()
      const full = openSync('/dev/full', 'w')
      const child = spawn(process.execPath, [service], {
        env: { ...environment, SPOOL_PORT: String(port), LOG_LEVEL: 'trace' },
        stdio: ['ignore', full, full],
      })
      closeSync(full)
      const origin = `http://127.0.0.1:${port}`
      const ended = once(child, 'close').then(([code]) => `ended with ${code}`)
      const ready = vi.waitFor(async () => (await fetch(`${origin}/_ready`)).status, {
        timeout: 60_000,
        interval: 100,
      })
      expect(await Promise.race([ended, ready])).toBe(200)
      expect((await me(origin, apiKey)).status).toBe(200)
      child.kill('SIGTERM')
      expect(await ended).toBe('ended with 0')
    },
  )

  test('adds the key from the environment and keeps the previous one', async () => {
    await stop(await start())
    const given = await start({ SPOOL_BOOTSTRAP_API_KEY: 'phx_from_the_environment' })
    expect((await me(given.origin, 'phx_from_the_environment')).status).toBe(200)
    expect((await me(given.origin, apiKey)).status).toBe(200)
    await stop(given)
  })

  test('explains in one sentence why it cannot start, and exits with 1', async () => {
    const running = await start()
    const second = await failure(service, {})
    expect(second).toEqual({ code: 1, text: expect.stringMatching(/^The data directory .* in use .*\.\n$/) })
    const port = new URL(running.origin).port
    const other = await mkdtemp(join(tmpdir(), 'spool-main-'))
    const taken = await failure(service, { SPOOL_DATA_DIR: other, SPOOL_PORT: port })
    expect(taken).toEqual({
      code: 1,
      text: `Port ${port} is in use by another program: stop that one, or set SPOOL_PORT to a free port.\n`,
    })
    await stop(running)
    await rm(other, { recursive: true, force: true, maxRetries: 5 })
    const wrong = await failure(service, { SPOOL_PORT: 'http' })
    expect(wrong).toEqual({
      code: 1,
      text: expect.stringMatching(/^SPOOL_PORT is "http" but must be .*\.\n$/),
    })
  })
})

describe('the admin command', () => {
  test('creates organizations, projects and keys, whether or not the service is running', async () => {
    const stopped = await newOrganization('Created while stopped')
    const running = await start()
    expect((await me(running.origin, stopped.api_key)).status).toBe(200)
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
    await stop(running)
  })

  test('imports a file, whether or not the service is running', async () => {
    const file = join(folder, 'events.jsonl')
    const event = {
      uuid: crypto.randomUUID(),
      event: 'a',
      distinct_id: 'd',
      timestamp: '2026-03-01T00:00:00Z',
    }
    await writeFile(file, `${JSON.stringify(event)}\n`)
    const running = await start()
    const { project_id: projectId } = await newOrganization('Importing')
    const args = ['events', 'import', file, '--project', String(projectId), '--json']
    expect(JSON.parse(await admin(...args))).toEqual({ events: 1 })
    await stop(running)
    expect(JSON.parse(await admin(...args))).toEqual({ events: 1 })
  })

  test('checks a receipt with the key of the installation or another one', async () => {
    const running = await start()
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
    await stop(running)
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

  test('plans and applies the file of the documents, whether or not the service is running', async () => {
    const document = join(import.meta.dirname, '../../.github/docs/exports-as-code.md')
    const [, example = ''] = /```yaml\n([^]*?)```/.exec(await readFile(document, 'utf8')) ?? []
    const { project_id: projectId } = await newOrganization('As code')
    const file = join(folder, 'exports.yaml')
    await writeFile(file, example)
    const args = ['-f', file, '--project', String(projectId)]
    const secrets = { AWS_ACCESS_KEY_ID: 'a-key-id', AWS_SECRET_ACCESS_KEY: 'very secret' }
    const run = async (...words: string[]) => {
      const { code, text, output } = await finished(command, secrets, ...words, ...args)
      expect(output + text).not.toContain('very secret')
      return { code, text, output }
    }
    const missing = await finished(command, {}, 'apply', ...args)
    expect(missing).toMatchObject({ code: 1, output: '' })
    expect(missing.text).toMatch(
      /^exports\.yaml:\d+: "Orders": .*: Set the environment variable AWS_ACCESS_KEY_ID\.$/m,
    )

    const running = await start({ SPOOL_ROLES: 'serve' })
    expect(await run('plan')).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^\+ Orders\n[^]*secret, not shown[^]*\nPlan: 2 to create,/),
    })
    await writeFile(file, example.replace('interval: day', 'interval: yearly'))
    const invalid = await run('apply')
    expect(invalid.code).toBe(1)
    expect(invalid.text).toMatch(/^exports\.yaml:\d+: "Customers": interval: .*\nNothing was applied\.$/m)
    await writeFile(file, example)
    expect(await run('apply')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Applied: 2 created,'),
    })
    secrets.AWS_SECRET_ACCESS_KEY = 'very secret too'
    expect(await run('plan')).toMatchObject({
      code: 2,
      output: expect.stringContaining('aws_secret_access_key: secret changed, not shown'),
    })
    expect(await admin('as-yaml', '--project', String(projectId))).toContain('${AWS_SECRET_ACCESS_KEY}')
    await stop(running)
    expect(JSON.parse((await run('apply', '--json')).output)).toMatchObject({
      applied: true,
      changes: [{ action: 'update', name: 'Orders' }, { action: 'unchanged' }],
    })
    expect((await run('plan')).code).toBe(0)
    expect((await finished(command, {}, 'plan', '--junk')).code).toBe(1)
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
    expect(await failure(command, {}, ...args)).toEqual({ code, text: `${text}\n` })
  })
})
