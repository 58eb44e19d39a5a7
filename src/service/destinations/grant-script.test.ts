import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Granted } from '../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../contract/destinations/destination-kinds.ts'
import type { DestinationType } from '../../contract/destinations/destination.ts'
import { tableServers } from '../testing/servers/table-servers.ts'
import { closeTestExports, jobs, openTestExports, run } from '../testing/test-exports.ts'
import { tryDestination } from './try-destination.ts'

beforeAll(() => openTestExports())
afterAll(closeTestExports)

const scriptOf = (type: DestinationType, granted: Granted) =>
  destinationKinds[type].grantScript?.(granted).join('\n') ?? ''

const grantable = tableServers.filter(({ name }) => name !== 'ClickHouse')

test.for(grantable)('$name: the script lets a user write to a table, and only then', async ({ start }) => {
  const server = await start(jobs.pool)
  const { database } = server.config
  const user = server.type === 'MySQL' ? `it's "é" \\ \`x\` %_` : server.reader
  if (server.type === 'MySQL') {
    const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    await server.query(`CREATE USER ${text(user)}@'%' IDENTIFIED BY ${text(server.password)}`)
  }
  const config = { table_name: 'granted "é"' }
  // The tables exist, and belong to another user.
  await run(await jobs.createExport(server.destination(jobs.services, config)))
  const row = await jobs.createExport(server.destination(jobs.services, config, { user }))
  const before = await tryDestination(jobs.services, row)
  expect(before.ok).toBe(false)
  const script = scriptOf(server.type, { database, schema: 'public', table: 'granted "é"', user })
  expect(script).not.toContain(server.password)
  const statements =
    server.type === 'MySQL' ? script.split('\n').filter((line) => /^[A-Z]/.test(line)) : [script]
  for (const statement of statements) await server.query(statement)
  const after = await tryDestination(jobs.services, row)
  expect(after.ok, JSON.stringify(after.steps)).toBe(true)
  await run(row)
  // It can be repeated, also where the user has created the table.
  await run(await jobs.createExport(server.destination(jobs.services, { table_name: 'own' }, { user })))
  const again = scriptOf(server.type, { database, schema: 'public', table: 'own', user })
  if (server.type === 'Postgres') await server.query(again)
  await server.close()
})

test('ClickHouse reads the names of the script as they are', async () => {
  const names = { database: 'a`b\\c "é"', schema: '', table: 'events', user: "it's `me`" }
  const script = scriptOf('ClickHouse', names)
  const [row] = await jobs.services.warehouse.query<{ text: string }>(
    'SELECT formatQuerySingleLine({script: String}) AS text',
    { params: { script: script.replace(/^--.*\n/, '').replace(/;$/, '') } },
  )
  expect(row?.text).toContain('ON `a\\`b\\\\c "é"`.* TO `it\'s \\`me\\``')
})
