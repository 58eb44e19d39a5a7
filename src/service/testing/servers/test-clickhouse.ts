import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoteClickhouse as quote } from '../../../contract/destinations/tables/window-query.ts'
import { adaptedServer, type TableServer } from './table-server.ts'
import { testProcess } from './test-process.ts'

/** Starts ClickHouse, as chDB behind its HTTP interface, in a process of its own, with a folder in this one. */
export async function startTestClickhouse(parent = tmpdir()): Promise<TableServer> {
  const folder = await mkdtemp(join(parent, 'spool-clickhouse-'))
  const name = 'warehouse "é" `x`'
  const [user, password] = ['spool "é"', `p'"\\ ${randomBytes(8).toString('hex')}`]
  const users = { [user]: password, reader: password }
  const child = testProcess(
    import.meta.url,
    `import { startTestClickhouseServer } from './test-clickhouse-server.ts'
    const server = await startTestClickhouseServer(${JSON.stringify(folder)}, ${JSON.stringify(users)})
    console.log(server.port)`,
  )
  const port = Number(await child.line())
  const query = async (sql: string, database = name): Promise<Record<string, unknown>[]> => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'x-clickhouse-user': Buffer.from(user).toString('latin1'),
        'x-clickhouse-key': Buffer.from(password).toString('latin1'),
      },
      body: database === '' ? sql : `USE ${quote(database)};\n${sql}`,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  await query(`CREATE DATABASE ${quote(name)}`, '')
  return adaptedServer({
    type: 'ClickHouse',
    config: { host: '127.0.0.1', port, database: name, user },
    password,
    reader: 'reader',
    quote,
    types: { text: 'String', integer: 'Int32', end: 'ENGINE = MergeTree ORDER BY tuple()' },
    newest: 'FINAL',
    commit: { text: 'ATTACH PARTITION', armedBy: 'count() AS rows' },
    isTransactional: false,
    query,
    update: async (table, set, where) =>
      void (await query(`ALTER TABLE ${table} UPDATE ${set} WHERE ${where} SETTINGS mutations_sync = 2`)),
    remove: async (table, where) =>
      void (await query(`ALTER TABLE ${table} DELETE WHERE ${where} SETTINGS mutations_sync = 2`)),
    async close() {
      await child.kill()
      await rm(folder, { recursive: true, force: true })
    },
  })
}
