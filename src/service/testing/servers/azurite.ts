import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { connectAzure } from '../../destinations/azure/azure-client.ts'
import { freePort } from '../../engines/loopback.ts'
import { startProgram } from './test-program.ts'

const script = resolve(import.meta.dirname, '../../../../.servers/node_modules/azurite/dist/src/blob/main.js')

/** Why Azurite cannot be started here; null if it can. */
export const azuriteUnavailable = existsSync(script)
  ? null
  : 'Azurite is not installed: run node .ci/install-servers.ts'

const account = 'spooltest'
/** The container that exists. */
export const container = 'exports'
export const accountKey = Buffer.from('the key of a storage account in tests').toString('base64')

/**
 * Starts Microsoft's emulator of Azure Blob Storage, which is laxer than Azure, on loopback.
 * @param onDisk whether it writes blobs to files, which can be limited
 */
export async function startAzurite({ onDisk = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'spool-azurite-'))
  const port = await freePort()
  const options = [
    ...(onDisk ? ['--location', folder] : ['--inMemoryPersistence']),
    '--disableTelemetry',
    '--disableProductStyleUrl',
    '--blobPort',
    String(port),
  ]
  const program = await startProgram({
    path: process.execPath,
    options: [script, ...options],
    readyLine: 'successfully listens',
    spawned: { cwd: folder, env: { ...process.env, AZURITE_ACCOUNTS: `${account}:${accountKey}` } },
  })
  const origin = `http://127.0.0.1:${port}`
  const client = connectAzure(
    { account, endpoint: `${origin}/${account}`, key: accountKey },
    container,
    lookup,
  )
  const { signal } = new AbortController()
  await client.send({ method: 'PUT', key: null, query: { restype: 'container' }, signal })
  return {
    origin,
    /** What it prints: its requests, a line for each. */
    requests: program.lines,
    limitFiles: program.limitFiles,
    /** Returns the names of all blobs that start so. */
    async list(prefix: string): Promise<string[]> {
      const query = { restype: 'container', comp: 'list', prefix }
      const xml = await text(await client.open({ method: 'GET', key: null, query, signal }))
      return Array.from(xml.matchAll(/<Name>([^<]*)</g), ([, name = '']) => name.replaceAll('&amp;', '&'))
    },
    async read(key: string): Promise<Buffer> {
      return await buffer(await client.open({ method: 'GET', key, signal }))
    },
    async stop() {
      client.close()
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the connection string of the account at this origin. */
export function connectionString(origin: string, credential = `AccountKey=${accountKey}`): string {
  return `AccountName=${account};${credential};BlobEndpoint=${origin}/${account}`
}

/** Returns a shared access signature of the container. https://learn.microsoft.com/rest/api/storageservices/create-service-sas */
export function sharedAccess(permissions: string, expiry: Date): string {
  const [end, version] = [expiry.toISOString().replace(/\.\d+/, ''), '2021-12-02']
  const fields = [
    permissions,
    '',
    end,
    `/blob/${account}/${container}`,
    '',
    '',
    '',
    version,
    'c',
    ...Array(7).fill(''),
  ]
  const signature = createHmac('sha256', Buffer.from(accountKey, 'base64'))
    .update(fields.join('\n'))
    .digest('base64')
  return `SharedAccessSignature=${new URLSearchParams({ sp: permissions, se: end, sv: version, sr: 'c', sig: signature }).toString()}`
}
