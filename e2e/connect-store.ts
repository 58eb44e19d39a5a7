import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { RunningService } from './service.ts'

/** Connects to the PostgreSQL of a running service. */
export async function connectStore({ dataDirectory }: RunningService): Promise<Client> {
  const { url } = JSON.parse(await readFile(join(dataDirectory, 'postgres.json'), 'utf8'))
  const client = new Client(url)
  await client.connect()
  return client
}
