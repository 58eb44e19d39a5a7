import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openObjectsFolder } from '../../engines/objects/objects-folder.ts'
import { openPostgres } from '../../engines/postgres/postgres.ts'
import { createDatabase } from '../../testing/test-database.ts'
import { testEngines, type TestEngines } from '../../testing/test-engines.ts'
import { startServiceProcess, type ServiceProcess } from '../../testing/servers/test-service-process.ts'
import { openStore, type Store } from './database.ts'
import { assertSameEngines } from './engine-identity.ts'

let folder: string
let engines: TestEngines
const running: ServiceProcess[] = []
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-identity-'))
  engines = await testEngines()
})
afterAll(async () => {
  await Promise.all(running.map((service) => service.stop()))
  await Promise.all(closing.map((close) => close()))
  await engines.cleanup()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function start(directory: string, databaseUrl: string): Promise<ServiceProcess> {
  const service = await startServiceProcess(join(folder, directory), { DATABASE_URL: databaseUrl })
  running.push(service)
  return service
}

const refusal =
  /^Error: the service did not start: This process uses a different ClickHouse from the one with the events of this PostgreSQL database: [^.]*\.\n$/

test(
  'of two processes that share PostgreSQL but not ClickHouse, only the first starts, again after its data moved',
  { tags: ['slow'] },
  async () => {
    const databaseUrl = await createDatabase(inject('testServerUrl'), 'empty')
    // Both start at once, so either can be the first.
    const both = await Promise.allSettled([start('one', databaseUrl), start('other', databaseUrl)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(String(both.find((result) => result.status === 'rejected')?.reason)).toMatch(refusal)
    const [first, second] = both[0].status === 'fulfilled' ? ['one', 'other'] : ['other', 'one']
    await running.pop()?.stop()
    await expect(start(second, databaseUrl)).rejects.toThrow('This process uses a different ClickHouse')
    await rename(join(folder, first), join(folder, 'moved'))
    expect(await start('moved', databaseUrl)).toMatchObject({ origin: expect.stringContaining('http') })
  },
)

test('processes that start at once agree on the identity of shared engines', async () => {
  const store = await emptyStore()
  const open = () => assertSameEngines(store, engines.warehouse, engines.objects)
  await Promise.all([open(), open(), open()])
  await open()
})

test('a process with another object store is refused, also when both start at once', async () => {
  const store = await emptyStore()
  const stores = await Promise.all(['a', 'b'].map((name) => openObjectsFolder(join(folder, name))))
  const open = () =>
    Promise.allSettled(stores.map((objects) => assertSameEngines(store, engines.warehouse, objects)))
  const first = await open()
  expect(first.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = first.find((result) => result.status === 'rejected')
  expect(refused?.reason).toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(/^This process uses a different object store [^.]*\.$/),
  })
  expect((await open()).map(({ status }) => status)).toEqual(first.map(({ status }) => status))
})

async function emptyStore(): Promise<Store> {
  const config = readConfig({ DATABASE_URL: await createDatabase(inject('testServerUrl')) })
  const postgres = await openPostgres(config, null)
  closing.push(() => postgres.stop())
  return openStore(postgres.pool)
}
