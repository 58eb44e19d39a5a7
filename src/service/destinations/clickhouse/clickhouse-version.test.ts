import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { oldClickhouseUnavailable, startOldClickhouse } from '../../testing/servers/old-clickhouse.ts'
import { startHttpServer } from '../../testing/servers/test-http-server.ts'
import { closeTestExports, failure, insertOnce, jobs, openTestExports } from '../../testing/test-exports.ts'
import { tryDestination } from '../try-destination.ts'

beforeAll(async () => {
  await openTestExports()
  await insertOnce()
})
afterAll(closeTestExports)

/** Runs an export to a server and tests its destination; returns the message of the run, and of the step that failed. */
async function refusal(connection: object) {
  const row = await jobs.createExport({
    destination_type: 'ClickHouse',
    destination_config: { database: 'default', table_name: 'events' },
    destination_secrets: jobs.services.secrets.seal(JSON.stringify(connection)),
  })
  const { steps } = await tryDestination(jobs.services, row)
  const failed = steps.find(({ status }) => status === 'failed')
  return { ...(await failure(row)), failed: failed?.name, remedy: failed?.remedy }
}

if (oldClickhouseUnavailable !== null)
  console.error(`The test of an old ClickHouse is skipped: ${oldClickhouseUnavailable}.`)
test.skipIf(oldClickhouseUnavailable !== null)(
  'a server of 2018 is refused, and the lowest version is named',
  async () => {
    const server = await startOldClickhouse()
    onTestFinished(() => server.stop())
    expect(await refusal(server.connection)).toEqual({
      permanent: true,
      message: expect.stringContaining('lacks what an export needs: update it to ClickHouse 24.4 or later.'),
      failed: 'Credentials',
      remedy: 'Update it to ClickHouse 24.4 or later.',
    })
  },
)

test('a server that could delete a window but not replace it is refused before anything is changed', async () => {
  const statements: string[] = []
  const { port, stop } = await startHttpServer((request, response) => {
    const answer = async () => {
      const sql = await text(request)
      statements.push(sql)
      const isVersion = sql.startsWith('SELECT version()')
      response.end(isVersion ? '{"version":"24.3.18.7"}\n' : '{"name":"default"}\n')
    }
    answer().catch(() => response.destroy())
  })
  onTestFinished(stop)
  const connection = { host: '127.0.0.1', port, user: 'default', password: 'secret' }
  expect(await refusal(connection)).toEqual({
    permanent: true,
    message:
      'The server has ClickHouse 24.3.18.7 and lacks what an export needs: update it to 24.4 or later.',
    failed: 'Table',
    remedy: 'Update it to 24.4 or later.',
  })
  expect(statements.filter((sql) => !sql.startsWith('SELECT'))).toEqual([])
})
