import { writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { tryDestination } from '../destinations/try-destination.ts'
import { startFaultyStore, type StoreFault } from '../testing/test-store.ts'
import {
  accountKey,
  azuriteUnavailable,
  connectionString,
  sharedAccess,
  startAzurite,
} from '../testing/servers/azurite.ts'
import { testProcess } from '../testing/servers/test-process.ts'
import { startRebinding } from '../testing/servers/test-rebinding.ts'
import {
  closeTestExports,
  failure,
  hour,
  insertOnce,
  intact,
  jobs,
  openTestExports,
  run,
  runRow,
  verified,
  written,
} from '../testing/test-exports.ts'
import { allIds, idsIn, waitingUploads } from '../testing/exports/test-uploads.ts'
import { expectStall, testUploads } from '../testing/exports/upload-behaviour.ts'
import { exportRun } from './export-run.ts'

if (azuriteUnavailable !== null) console.error(`Tests of AzureBlob are skipped: ${azuriteUnavailable}.`)

describe.skipIf(azuriteUnavailable !== null)('AzureBlob', () => {
  let azurite: Awaited<ReturnType<typeof startAzurite>>

  beforeAll(async () => {
    await Promise.all([openTestExports(), startAzurite().then((started) => (azurite = started))])
  })
  afterAll(async () => {
    await azurite.stop()
    await closeTestExports()
  })

  function createExport(config: Record<string, unknown>, connection = connectionString(azurite.origin)) {
    return jobs.createExport({
      destination_type: 'AzureBlob',
      destination_config: { container_name: 'exports', ...config },
      destination_secrets: jobs.services.secrets.seal(JSON.stringify({ connection_string: connection })),
    })
  }

  testUploads({
    createExport: (prefix, config) => createExport({ prefix, ...config }),
    list: (prefix) => azurite.list(prefix),
    read: (key) => azurite.read(key),
    printed: (prefix) => azurite.requests.filter((line) => line.includes(prefix)).join('\n'),
    oddFolder: `it's "ü" +%&?#/日本`,
  })

  test.each([
    { file_format: 'JSONLines' },
    { file_format: 'JSONLines', compression: 'gzip' },
    { file_format: 'JSONLines', compression: 'brotli' },
    { file_format: 'JSONLines', compression: 'zstd', max_file_size_mb: 1 },
    { file_format: 'Parquet', compression: 'zstd' },
  ])('receives the rows of an engine on another machine as a stream: %j', async (config) => {
    await insertOnce()
    const row = await createExport({ prefix: `streamed-${Object.values(config).join('-')}`, ...config })
    const attempt = runRow(row)
    const warehouse = { ...jobs.services.warehouse, embedded: false }
    const control = { onProgress: () => undefined, signal: new AbortController().signal }
    const streamed = await exportRun({ ...jobs.services, warehouse }, row, attempt, control)
    const window = await written(row)
    expect(streamed.files).toEqual(
      window.objects.filter(({ holds }) => holds === 'rows').map(({ key }) => key),
    )
    const found = await verified(row, { ...window, objects: streamed.objects })
    // The embedded engine has written the files again, which have other bytes.
    expect(found.equal).toBe(true)
    await exportRun({ ...jobs.services, warehouse }, row, attempt, control)
    expect(await verified(row, { ...window, objects: streamed.objects })).toMatchObject(intact)
    expect(await waitingUploads()).toEqual([])
  })

  const soon = () => new Date(Date.now() + hour)

  test('accepts a shared access signature that may read, write and delete', async () => {
    await insertOnce()
    const row = await createExport(
      { prefix: 'signed' },
      connectionString(azurite.origin, sharedAccess('rcwd', soon())),
    )
    const window = await written(row)
    expect(await verified(row, window)).toMatchObject(intact)
    expect(await tryDestination(jobs.services, row, { limitMs: 60_000 })).toMatchObject({ ok: true })
  })

  test.each([
    [
      'another key',
      `AccountKey=${Buffer.from('another key').toString('base64')}`,
      {},
      'does not accept the credentials',
    ],
    ['a signature that only reads', () => sharedAccess('r', soon()), {}, 'may not read, write and delete'],
    [
      'a signature that has expired',
      () => sharedAccess('rcwd', new Date(0)),
      {},
      'has expired|does not accept',
    ],
    [
      'no container',
      `AccountKey=${accountKey}`,
      { container_name: 'missing' },
      'There is no container "missing"',
    ],
  ])('explains a refusal, without a secret: %s', async (_, given, config, message) => {
    await insertOnce()
    const credential = typeof given === 'string' ? given : given()
    const row = await createExport(
      { prefix: 'refused', ...config },
      connectionString(azurite.origin, credential),
    )
    const { ok, steps } = await tryDestination(jobs.services, row, { limitMs: 60_000 })
    expect(ok, JSON.stringify(steps)).toBe(false)
    const explained = await failure(row)
    expect(explained).toMatchObject({ permanent: true, message: expect.stringMatching(message) })
    const secret = credential.slice(credential.indexOf('=') + 1)
    const [, signature = secret] = /sig=([^&]+)/.exec(secret) ?? []
    for (const text of [explained.message, JSON.stringify(steps)])
      for (const hidden of [secret, signature, decodeURIComponent(signature)])
        expect(text).not.toContain(hidden)
    expect(await waitingUploads()).toEqual([])
  })

  test('a destination test writes and removes a blob, and tells the steps', async () => {
    const row = await createExport({ prefix: 'tried' })
    const { ok, steps } = await tryDestination(jobs.services, row, { limitMs: 60_000 })
    expect(ok, JSON.stringify(steps)).toBe(true)
    expect(steps.map((step) => step.name)).toEqual([
      'Address',
      'Reach',
      'Credentials',
      'Container',
      'Write',
      'Remove',
    ])
    expect(await azurite.list('tried')).toEqual([])
  })

  type Fault = (
    method: string,
    url: string,
    request: IncomingMessage,
    body: Buffer,
  ) => StoreFault | null | Promise<StoreFault | null>

  /** Starts a server in front of Azurite that does something else with some requests. */
  async function startFaulty(fault: Fault) {
    const faulty = await startFaultyStore(
      azurite.origin,
      async (request, body) =>
        (await fault(request.method ?? '', request.url ?? '', request, body)) ?? { forward: body },
    )
    onTestFinished(faulty.stop)
    return faulty.endpoint
  }

  test.each([
    ['in the upload', 'comp=block&'],
    ['at the block list', 'comp=blocklist'],
  ])(
    'a connection cut %s leaves the earlier file whole, and the next attempt replaces it',
    async (_, cutAt) => {
      await insertOnce()
      const prefix = `cut ${cutAt}`.replaceAll(/\W/g, '-')
      const row = await createExport({ prefix })
      const {
        files: [key = ''],
      } = await run(row)
      const earlier = await azurite.read(key)
      let cuts = 0
      const origin = await startFaulty((_method, url) => {
        if (!url.includes(cutAt)) return null
        cuts += 1
        throw new Error('cut')
      })
      const changed = { hogql_query: 'SELECT uuid FROM events' }
      const broken = await createExport({ prefix }, connectionString(origin))
      expect(await failure({ ...broken, ...changed })).toMatchObject({ permanent: false })
      // Each request is sent twice.
      expect(cuts).toBe(2)
      expect(await azurite.list(prefix)).toEqual([key])
      expect((await azurite.read(key)).equals(earlier)).toBe(true)
      await run({ ...row, ...changed }, { attempt: 2 })
      expect(await azurite.list(prefix)).toEqual([key])
      const again = await azurite.read(key)
      expect(again.length).toBeLessThan(earlier.length)
      expect(idsIn(again)).toEqual(allIds)
    },
  )

  test('a connection cut after the block list was accepted still ends with one whole file', async () => {
    await insertOnce()
    let cuts = 0
    const origin = await startFaulty(async (method, url, { headers }, body) => {
      if (!url.includes('comp=blocklist') || cuts > 0) return null
      cuts += 1
      const { host: _, connection: __, 'content-length': ___, ...signed } = headers
      const sent = Object.entries(signed).map(([name, value]): [string, string] => [name, String(value)])
      const request = { method, headers: sent, body: new Uint8Array(body) }
      const { status } = await fetch(`${azurite.origin}${url}`, request)
      expect(status).toBe(201)
      throw new Error('cut')
    })
    const row = await createExport({ prefix: 'accepted' }, connectionString(origin))
    const window = await written(row)
    expect(cuts).toBe(1)
    const [key = ''] = await azurite.list('accepted')
    expect(idsIn(await azurite.read(key))).toEqual(allIds)
    expect(await verified(row, window)).toMatchObject(intact)
  })

  test.each(['in the upload', 'before the block list'])(
    'a process killed %s leaves the earlier file whole',
    async (when) => {
      const prefix = when.replaceAll(' ', '-')
      await insertOnce()
      const row = await createExport({ prefix })
      const {
        files: [key = ''],
      } = await run(row)
      const earlier = await azurite.read(key)
      const large = join(jobs.services.config.dataDirectory, prefix)
      await writeFile(large, Buffer.alloc(when === 'in the upload' ? 64 * 1024 ** 2 : 1024))
      const killed = testProcess(
        import.meta.url,
        `import { lookup } from 'node:dns'
      import { stat } from 'node:fs/promises'
      import { connectAzure } from '../destinations/azure/azure-client.ts'
      import { openBlobs } from '../destinations/azure/azure-files.ts'
      import { readConnectionString } from '../../contract/integrations/azure-connection-string.ts'
      const account = readConnectionString(${JSON.stringify(connectionString(azurite.origin))})
      let said = false
      const onSent = () => said || (said = true, console.log('sending'))
      const upload = { signal: new AbortController().signal, onSent, during: (send) => send() }
      const blobs = openBlobs(connectAzure(account, 'exports', lookup), upload)
      const place = ${JSON.stringify(large)}
      await blobs.send({ place, bytes: (await stat(place)).size }, ${JSON.stringify(key)})
      console.log('sent')
      setInterval(() => {}, 1000)`,
      )
      expect(await killed.line()).toBe('sending')
      if (when === 'before the block list') expect(await killed.line()).toBe('sent')
      await killed.kill()
      expect(await azurite.list(prefix)).toEqual([key])
      expect((await azurite.read(key)).equals(earlier)).toBe(true)
      await run({ ...row, hogql_query: 'SELECT uuid FROM events' }, { attempt: 2 })
      expect(await azurite.list(prefix)).toEqual([key])
      expect(idsIn(await azurite.read(key))).toEqual(allIds)
    },
  )

  test('an attempt ends when the store accepts nothing for 15 seconds', { tags: ['slow'] }, async () => {
    await insertOnce()
    const hung = Promise.withResolvers<void>()
    const origin = await startFaulty((method) => {
      if (method !== 'PUT') return null
      hung.resolve()
      return new Promise(() => undefined)
    })
    const row = await createExport({ prefix: 'hung' }, connectionString(origin))
    await expectStall(row, {}, hung.promise, 'http://127.0.0.1:')
  })

  test('connects only to the address that was checked', async () => {
    await insertOnce()
    const { host, lookups, stray, stop } = await startRebinding(Number(new URL(azurite.origin).port))
    onTestFinished(stop)
    const row = await createExport({ prefix: 'rebinding' }, connectionString(`http://${host}`))
    const { files } = await run(row)
    expect(files).toHaveLength(1)
    expect([lookups(), stray()]).toEqual([1, 0])
  })
})
