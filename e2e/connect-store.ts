import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { RunningService } from './service.ts'

/** Connects to the PostgreSQL of a running service. */
export async function connectStore(service: RunningService): Promise<Client> {
  const client = new Client(await storeUrl(service))
  await client.connect()
  return client
}

/** Returns the URL of a running service's PostgreSQL. */
export async function storeUrl({ dataDirectory }: RunningService): Promise<string> {
  const { url } = JSON.parse(await readFile(join(dataDirectory, 'postgres.json'), 'utf8'))
  return url
}
