import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ssh2, { type Connection } from 'ssh2'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { tryDestination } from '../destinations/try-destination.ts'
import { startFaultyProxy } from '../testing/servers/faulty-proxy.ts'
import {
  generateKey,
  sftpUnavailable,
  startSftpServer,
  type SftpTestServer,
} from '../testing/servers/sftp-server.ts'
import { testProcess } from '../testing/servers/test-process.ts'
import { startRebinding } from '../testing/servers/test-rebinding.ts'
import {
  closeTestExports,
  failure,
  insertOnce,
  jobs,
  name,
  openTestExports,
  run,
  runRow,
  written,
} from '../testing/test-exports.ts'
import { allIds, heavyInterval, idsIn, insertHeavy, waitingUploads } from '../testing/exports/test-uploads.ts'
import { expectStall, testUploads } from '../testing/exports/upload-behaviour.ts'
import { exportRun } from './export-run.ts'

if (sftpUnavailable !== null) console.error(`Tests of SFTP are skipped: ${sftpUnavailable}.`)

describe.skipIf(sftpUnavailable !== null)('SFTP', () => {
  let server: SftpTestServer

  beforeAll(async () => {
    await Promise.all([openTestExports(), startSftpServer().then((started) => (server = started))])
  })
  afterAll(async () => {
    await server.stop()
    await closeTestExports()
  })

  function createExport(config: Record<string, unknown>, connection: Record<string, unknown> = {}) {
    return jobs.createExport({
      destination_type: 'SFTP',
      destination_config: config,
      destination_secrets: jobs.services.secrets.seal(
        JSON.stringify({ ...server.config, private_key: server.privateKey, ...connection }),
      ),
    })
  }

  const list = async (folder: string, root = server.files) => {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .sort()
  }
  const read = (key: string) => readFile(join(server.files, key))

  testUploads({
    createExport: (path, config) => createExport({ path, ...config }),
    list: (path) => list(path),
    read,
    printed: () => server.printed(),
    oddFolder: `it's "ü"\\ +%&?#/日本`,
  })

  test('writes to an absolute path', async () => {
    await insertOnce()
    await run(await createExport({ path: `${server.files}/absolute` }))
    expect(await list('absolute')).toEqual([`absolute/${name}.jsonl`])
  })

  test('reads only the start of a manifest that has become huge', async () => {
    await insertHeavy()
    const row = await createExport({ path: 'huge', max_file_size_mb: 1 })
    const { objects } = await written(row, heavyInterval)
    const manifest = objects.find(({ holds }) => holds === 'manifest')?.key ?? ''
    await truncate(join(server.files, manifest), 1e12)
    await expect(run(row, heavyInterval)).rejects.toThrow('The response is longer than 16 MB')
  })

  test('replaces a file on a server that cannot replace it in one step', async () => {
    await insertOnce()
    const other = await startSftpServer({ refused: ['posix-rename'] })
    onTestFinished(other.stop)
    const row = await createExport({ path: 'again' }, { ...other.config, private_key: other.privateKey })
    const first = await run(row)
    expect(await run(row)).toEqual(first)
    expect(await list('again', other.files)).toEqual(first.files)
  })

  test('signs in with a protected key, to a server that is known by another host key', async () => {
    const row = await createExport(
      { path: 'tried' },
      {
        host_key_fingerprint: server.fingerprints.rsa,
        private_key: server.protectedKey,
        private_key_passphrase: 'a passphrase',
      },
    )
    const { ok, steps } = await tryDestination(jobs.services, row, { limitMs: 60_000 })
    expect(ok, JSON.stringify(steps)).toBe(true)
    expect(steps.map((step) => step.name)).toEqual([
      'Address',
      'Reach',
      'Credentials',
      'Folder',
      'Write',
      'Remove',
    ])
    expect(await list('tried')).toEqual([])
  })

  test.each(['password', 'keyboard-interactive'] as const)(
    'signs in with a password by the method %s',
    async (method) => {
      const key = generateKey()
      const accept = (connection: Connection) =>
        connection
          .on('error', () => undefined)
          .on('authentication', (context) => {
            if (context.method !== method) context.reject([method])
            else if (context.method === 'password') {
              if (context.password === 'the password') context.accept()
              else context.reject()
            } else if (context.method === 'keyboard-interactive')
              context.prompt([{ prompt: 'Password:', echo: false }], ([answer]) => {
                if (answer === 'the password') context.accept()
                else context.reject()
              })
          })
          .on('ready', () => connection.on('session', (agree) => agree().on('sftp', (begin) => void begin())))
      const other = new ssh2.Server({ hostKeys: [key.private] }, accept).listen(0, '127.0.0.1')
      await once(other, 'listening')
      onTestFinished(() => void other.close())
      const { port } = other.address() as { port: number }
      const host_key_fingerprint = server.fingerprintOf(key.public)
      const signIn = async (password: string) => {
        const connection = { port, host_key_fingerprint, private_key: null, password }
        const { steps } = await tryDestination(jobs.services, await createExport({ path: 'x' }, connection), {
          limitMs: 2000,
        })
        return steps.find((step) => step.name === 'Credentials')?.status
      }
      expect([await signIn('the password'), await signIn('another')]).toEqual(['ok', 'failed'])
    },
  )

  const otherKey = generateKey().private
  const otherHost = `SHA256:${'A'.repeat(43)}`

  test.each([
    ['another key', { private_key: otherKey }, {}, 'does not accept the user'],
    ['another user', { user: 'nobody-else' }, {}, 'does not accept the user'],
    [
      'another host key',
      { host_key_fingerprint: otherHost },
      {},
      `has the host key SHA256:.*, not ${otherHost}`,
    ],
    [
      'a passphrase that is wrong',
      () => ({ private_key: server.protectedKey, private_key_passphrase: 'wrong phrase' }),
      {},
      'enter its passphrase',
    ],
    ['a key that is cut', { private_key: otherKey.slice(0, 200) }, {}, 'enter it whole'],
    ['a folder without permission', {}, { path: 'closed/x' }, 'may not write to the folder'],
    ['a file where a folder should be', {}, { path: 'taken/x' }, 'taken is a file'],
  ])('explains a refusal, without a secret: %s', async (_, given, config, message) => {
    await insertOnce()
    await mkdir(join(server.files, 'closed'), { recursive: true })
    await chmod(join(server.files, 'closed'), 0o555)
    await writeFile(join(server.files, 'taken'), 'mine')
    const connection: Record<string, unknown> = typeof given === 'function' ? given() : given
    const row = await createExport({ path: 'refused', ...config }, connection)
    const { ok, steps } = await tryDestination(jobs.services, row, { limitMs: 60_000 })
    expect(ok, JSON.stringify(steps)).toBe(false)
    const explained = await failure(row)
    expect(explained).toMatchObject({ permanent: true, message: expect.stringMatching(message) })
    const secrets = [connection['private_key'], server.privateKey, connection['private_key_passphrase']]
    for (const text of [explained.message, JSON.stringify(steps)])
      for (const secret of secrets)
        if (typeof secret === 'string') expect(text).not.toContain(secret.slice(0, 100))
    expect(await list('refused')).toEqual([])
    expect((await read('taken')).toString()).toBe('mine')
    expect(await waitingUploads()).toEqual([])
  })

  test('a connection cut in the upload leaves the earlier file whole, and the next attempt replaces it', async () => {
    const ids = await insertHeavy()
    const row = await createExport({ path: 'cut' })
    const {
      files: [key = ''],
    } = await run({ ...row, hogql_query: 'SELECT uuid FROM events' }, heavyInterval)
    const earlier = await read(key)
    const proxy = await startFaultyProxy(server.config.port, 'cut', 500_000)
    onTestFinished(proxy.stop)
    const attempt = runRow(row, heavyInterval)
    const control = { onProgress: () => undefined, signal: new AbortController().signal }
    const broken = await createExport({ path: 'cut' }, { port: proxy.port })
    await expect(exportRun(jobs.services, broken, attempt, control)).rejects.toThrow('ECONNRESET')
    const [partial = '', ...rest] = await list('cut')
    expect([partial, rest]).toEqual([expect.stringMatching(/\.partial$/), [key]])
    expect((await read(key)).equals(earlier)).toBe(true)
    await exportRun(jobs.services, row, { ...attempt, attempt: 2 }, control)
    expect(await list('cut')).toEqual([key])
    expect(idsIn(await read(key))).toEqual(ids)
  })

  test.each(['in the upload', 'before the rename'])(
    'a process killed %s leaves the earlier file whole',
    async (when) => {
      const folder = when.replaceAll(' ', '-')
      await insertOnce()
      const row = await createExport({ path: folder })
      const {
        files: [key = ''],
      } = await run(row)
      const earlier = await read(key)
      const large = join(jobs.services.config.dataDirectory, folder)
      await writeFile(large, Buffer.alloc(when === 'in the upload' ? 64 * 1024 ** 2 : 1024))
      const attempt = runRow(row)
      const connection = { ...server.config, private_key: server.privateKey }
      const killed = testProcess(
        import.meta.url,
        `import { lookup } from 'node:dns'
      import { stat } from 'node:fs/promises'
      import { connectSftp } from '../destinations/sftp/sftp-session.ts'
      import { openServerFiles } from '../destinations/sftp/sftp-files.ts'
      const { signal } = new AbortController()
      const session = await connectSftp(${JSON.stringify(connection)}, lookup, signal)
      let said = false
      const onSent = () => said || (said = true, console.log('sending'))
      const upload = { signal, onSent, during: (send) => send() }
      const files = openServerFiles(session, (key) => key, ${JSON.stringify({ id: attempt.id, attempt: 1 })}, upload)
      const place = ${JSON.stringify(large)}
      await files.send({ place, bytes: (await stat(place)).size }, ${JSON.stringify(key)})
      console.log('sent')`,
      )
      expect(await killed.line()).toBe('sending')
      if (when === 'before the rename') expect(await killed.line()).toBe('sent')
      await killed.kill()
      expect(await list(folder)).toEqual([expect.stringMatching(/\.partial$/), key])
      expect((await read(key)).equals(earlier)).toBe(true)
      const control = { onProgress: () => undefined, signal: new AbortController().signal }
      await exportRun(jobs.services, row, { ...attempt, attempt: 2 }, control)
      expect(await list(folder)).toEqual([key])
      expect(idsIn(await read(key))).toEqual(allIds)
    },
  )

  test('an attempt ends when the server accepts nothing for 15 seconds', async () => {
    await insertHeavy()
    const proxy = await startFaultyProxy(server.config.port, 'hang', 500_000)
    onTestFinished(proxy.stop)
    const row = await createExport({ path: 'hung' }, { port: proxy.port })
    await expectStall(row, heavyInterval, proxy.happened, 'sftp://127.0.0.1:')
  })

  test('a stopped attempt removes its unfinished file', async () => {
    await insertHeavy()
    const controller = new AbortController()
    const row = await createExport({ path: 'stopped' })
    const whileCurrent = () => {
      controller.abort('enough')
      return Promise.reject(new Error('lost'))
    }
    const control = { onProgress: () => undefined, signal: controller.signal, whileCurrent }
    await expect(exportRun(jobs.services, row, runRow(row, heavyInterval), control)).rejects.toBe('enough')
    expect(await list('stopped')).toEqual([])
  })

  test('connects only to the address that was checked', async () => {
    await insertOnce()
    const { lookups, stray, stop } = await startRebinding(server.config.port)
    onTestFinished(stop)
    const row = await createExport({ path: 'rebinding' }, { host: 'rebinding.test' })
    expect((await run(row)).files).toHaveLength(1)
    expect([lookups(), stray()]).toEqual([1, 0])
  })
})
