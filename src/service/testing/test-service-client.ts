import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

type User = { organization: { teams: { api_token: string }[] } }

export type ServiceClient = ReturnType<typeof serviceClient>

/** Returns a client of a service process, which may be down: requests then reject. */
export function serviceClient(folder: string, apiKey: string, origin: () => string | undefined) {
  async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${origin()}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  /** Runs `work` on the store of the embedded PostgreSQL. */
  async function withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const { url } = JSON.parse(await readFile(join(folder, 'postgres.json'), 'utf8')) as { url: string }
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    return await work(client).finally(() => client.end())
  }

  return {
    request,
    withDatabase,
    async projectToken(): Promise<string> {
      const user = await request<User>('GET', '/api/users/@me/')
      return user.organization.teams[0]?.api_token ?? ''
    },
    async createExport(path: string, interval: string): Promise<string> {
      const created = await request<{ id: string }>('POST', '/api/projects/@current/batch_exports/', {
        name: path,
        interval,
        destination: { type: 'File', config: { path, compression: null } },
      })
      return created.id
    },
    async backfill(id: string, from: number, until: number): Promise<void> {
      await request('POST', `/api/projects/@current/batch_exports/${id}/backfill/`, {
        start_at: new Date(from).toISOString(),
        end_at: new Date(until).toISOString(),
      })
    },
    /** Sends a batch once; resolves to the response's status. */
    async capture(token: string, batch: readonly CapturedItem[]): Promise<number> {
      const body = JSON.stringify({ api_key: token, batch })
      const response = await fetch(`${origin()}/batch/`, { method: 'POST', body })
      await response.arrayBuffer()
      return response.status
    },
    /** Resolves when no run is waiting or in progress. */
    async untilAllEnded(): Promise<void> {
      await withDatabase(async (client) => {
        for (;;) {
          const { rows } = await client.query(
            `SELECT FROM batch_export_runs WHERE status IN ('Starting', 'Running', 'FailedRetryable') LIMIT 1`,
          )
          if (rows.length === 0) return
          // Looking again at once would take a core, which the runs need.
          await client.query('SELECT pg_sleep(0.05)')
        }
      })
    },
    /** Returns the ids of the events in all files of an export's folder. @throws if a file is incomplete. */
    async exportedIds(path: string): Promise<string[]> {
      const all = await readdir(join(folder, 'exports'), { recursive: true, withFileTypes: true })
      const files = all.filter((entry) => entry.isFile() && entry.parentPath.endsWith(`/${path}`))
      const texts = await Promise.all(
        files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
      )
      const broken = files.find(
        ({ name }, index) => !/^\S+\.jsonl$/.test(name) || !texts[index]?.endsWith('}\n'),
      )
      if (broken) throw new Error(`${broken.name} is incomplete`)
      return texts.flatMap((text) =>
        text
          .trimEnd()
          .split('\n')
          .map((line): string => JSON.parse(line).uuid),
      )
    },
  }
}

export type CapturedItem = ReturnType<typeof itemAt>

/** Returns a new event at a time (ms). */
export function itemAt(time: number) {
  return {
    event: 'captured',
    uuid: randomUUID(),
    distinct_id: 'someone',
    timestamp: new Date(time).toISOString(),
    properties: { padding: 'x'.repeat(500) },
  }
}
