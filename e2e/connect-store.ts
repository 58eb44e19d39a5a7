import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import { openStore, type Store } from '../src/service/store/schema/database.ts'
import type { RunningService } from './service.ts'

/** Connects to the PostgreSQL of a running service. */
export async function connectStore(service: RunningService): Promise<Client> {
  const client = new Client(await storeUrl(service))
  await client.connect()
  return client
}

/** Calls `use` with the store of a running service. */
export async function withStore<Result>(
  service: RunningService,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = openStore(new Pool({ connectionString: await storeUrl(service), max: 1 }))
  try {
    return await use(store)
  } finally {
    await store.destroy()
  }
}

/** Returns the URL of a running service's PostgreSQL. */
export async function storeUrl({ dataDirectory }: RunningService): Promise<string> {
  const { url } = JSON.parse(await readFile(join(dataDirectory, 'postgres.json'), 'utf8'))
  return url
}
