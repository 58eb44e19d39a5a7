import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from './engines/loopback.ts'
import {
  service,
  apiKey,
  environment,
  createFolder,
  removeFolder,
  start,
  admin,
  finished,
  me,
} from './testing/servers/test-commands.ts'
import type { ServiceProcess } from './testing/servers/test-service-process.ts'

// Processes with their own engines take long to start.
vi.setConfig({ testTimeout: 90_000 })

/** The first two starts on the data directory; several tests share the second one. */
let first: ServiceProcess
let running: ServiceProcess
const addedKey = 'phx_from_the_environment'

beforeAll(async () => {
  await createFolder()
  running = first = await start()
})
afterAll(async () => {
  await running.stop()
  await removeFolder()
})

test('prints the key into a log only on the first start, and stops cleanly on SIGTERM', async () => {
  expect(first.key).toBe(apiKey)
  expect(first.printed).toContain('Open this link in a browser to sign in.')
  expect((await me(first.origin, apiKey)).status).toBe(200)
  expect(await first.stop()).toBe(0)
  running = await start({ SPOOL_BOOTSTRAP_API_KEY: addedKey })
  expect(running.key).toBeNull()
})

test('adds the key from the environment and keeps the previous one', async () => {
  expect((await me(running.origin, addedKey)).status).toBe(200)
  expect((await me(running.origin, apiKey)).status).toBe(200)
})

test('explains in one sentence why it cannot start, and exits with 1', async () => {
  const second = await finished(service, {})
  expect(second).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^The data directory .* in use .*\.\n$/),
  })
  const port = new URL(running.origin).port
  const other = await mkdtemp(join(tmpdir(), 'spool-main-'))
  const taken = await finished(service, { SPOOL_DATA_DIR: other, SPOOL_PORT: port })
  expect(taken).toMatchObject({
    code: 1,
    text: `Port ${port} is in use by another program: stop that one, or set SPOOL_PORT to a free port.\n`,
  })
  await rm(other, { recursive: true, force: true, maxRetries: 5 })
  const wrong = await finished(service, { SPOOL_PORT: 'http' })
  expect(wrong).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^SPOOL_PORT is "http" but must be .*\.\n$/),
  })
})

test('stops cleanly even if a client never finishes its request', async () => {
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
  expect(await running.stop()).toBe(0)
  // The service would warn if stopping had exceeded the time limit.
  expect(running.errors()).toBe('')
  await closed
})

test('prints the key at every start at a terminal, and a sign-in link on request, whether or not the service is running', async () => {
  const atTerminal = await start({ NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' })
  expect(atTerminal.key).toBe(apiKey)
  const link = await admin('sign-in-link')
  expect(link).toBe(`${atTerminal.origin}/#key=${apiKey}\n`)
  await atTerminal.stop()
  expect(await admin('sign-in-link')).toBe(link)
  expect(JSON.parse(await admin('sign-in-link', '--json'))).toEqual({ url: link.trim() })
})

test.runIf(existsSync('/dev/full'))(
  'keeps running when its output cannot be written, and still stops cleanly',
  { tags: ['slow'] },
  async () => {
    await running.stop()
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

test('without a key in the environment, the first start prints a link that signs in once, and later ones the plain address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spool-first-start-'))
  const own = { SPOOL_BOOTSTRAP_API_KEY: '', SPOOL_DATA_DIR: folder, SPOOL_SAMPLE_DATA: 'off' }
  const first = await start(own)
  const [, origin, link] = /^ *(http:\/\/localhost:\d+)\/#link=(\S+)$/m.exec(first.printed) ?? []
  const signIn = async () => {
    const body = JSON.stringify({ link })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${first.origin}/api/sessions/`, { method: 'POST', headers, body })).status
  }
  expect([new URL(origin ?? '').port, first.key]).toEqual([new URL(first.origin).port, null])
  expect([await signIn(), await signIn()]).toEqual([201, 401])
  await first.stop()
  const second = await start(own)
  expect(second.printed).not.toMatch(/#(?:key|link)=/)
  await second.stop()
  await rm(folder, { recursive: true })
})

test('the dashboard is built while PostgreSQL starts; the service listens after it, or says why not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spool-build-'))
  const [building, failing] = [join(folder, 'building.mjs'), join(folder, 'failing.mjs')]
  const server = join(folder, 'data/postgres/postmaster.pid')
  await writeFile(
    building,
    `import { existsSync } from 'node:fs'
    while (!existsSync('${server}')) await new Promise((done) => setTimeout(done, 10))
    console.log('Built the dashboard.')`,
  )
  await writeFile(failing, 'process.exit(3)')
  const built = await start({ SPOOL_DATA_DIR: join(folder, 'data') }, '--build', building)
  expect(built.printed).toMatch(/^Built the dashboard\.\n/)
  await built.stop()
  expect(await finished(service, {}, '--build', failing)).toEqual({
    code: 1,
    output: '',
    text: 'The dashboard could not be built.\n',
  })
  await rm(folder, { recursive: true })
})
