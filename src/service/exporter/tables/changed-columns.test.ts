import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import type { TableServer } from '../../testing/servers/table-server.ts'
import { tableServers } from '../../testing/servers/table-servers.ts'
import {
  closeTestExports,
  failure,
  jobs,
  openTestExports,
  start,
  uuid,
  verified,
  written,
} from '../../testing/test-exports.ts'
import { hashPads } from './changed-columns.ts'

/** Enough values that some inner digests end with a zero byte. */
const events = Array.from({ length: 1000 }, (_, index) => ({
  event: index === 0 ? 'first' : `event ${index}`,
  properties: JSON.stringify({ email: `someone-${index}@example.com`, ü: '🐘' }),
  uuid: uuid(index),
  person_id: uuid(index),
  distinct_id: `id '${index}' ü`,
  timestamp: start + index,
}))

beforeAll(async () => {
  await openTestExports()
  await jobs.insertEvents(events)
})
afterAll(closeTestExports)

/** Returns the project's hash of a text, by Node. */
function hmac(text: string): string {
  const token = jobs.services.secrets.token(`key of hashed columns of project ${jobs.projectId}`)
  return createHmac('sha256', Buffer.from(token, 'base64url')).update(text).digest('hex')
}

describe.for(tableServers)('$name', ({ start: startServer }) => {
  let server: TableServer
  beforeAll(async () => {
    server = await startServer(jobs.pool)
  })
  afterAll(() => server?.close())
  const createExport = (config: Record<string, unknown>, change: Partial<BatchExportRow> = {}) =>
    jobs.createExport({ ...server.destination(jobs.services, config), ...change })

  test('leaves out, renames and hashes columns, and the ledger proves what remains', async () => {
    const columns = [
      { name: 'distinct_id', as: 'visitor "é"', hash: true },
      { name: 'person_id', hash: true },
      { name: 'properties', hash: true },
      { name: 'event', as: 'name' },
      { name: 'elements_chain', omit: true },
      { name: 'person_properties', omit: true },
    ]
    const row = await createExport({ table_name: 'changed', columns })
    const window = await written(row)
    const table = server.quote('changed')
    const [found] = await server.query(`SELECT * FROM ${table} LIMIT 1`)
    expect(Object.keys(found ?? {})).toEqual([
      'uuid',
      'timestamp',
      'inserted_at',
      'created_at',
      'name',
      'properties',
      'visitor "é"',
      'person_id',
      '_spool_window',
    ])
    const rows = await server.query(
      `SELECT name, ${server.quote('visitor "é"')} AS visitor, person_id, properties FROM ${table}`,
    )
    const expected = events.map(({ event, distinct_id, person_id, properties }) =>
      [event, hmac(distinct_id), hmac(person_id), hmac(properties)].join(),
    )
    expect(rows.map((each) => Object.values(each).join()).toSorted()).toEqual(expected.toSorted())
    // A verification takes the settings of the run, not those of the export since.
    const unchanged = { ...row, destination_config: { ...row.destination_config, columns: null } }
    for (const each of [row, unchanged])
      expect(await verified(each, window)).toMatchObject({ equal: true, problem: null, rows_read: 1000 })
    await server.update(table, `person_id = '${hmac('another')}'`, `name = 'first'`)
    expect(await verified(row, window)).toMatchObject({ equal: false, rows_read: 1000 })
  })

  test('null has no hash, and errors do not contain the key', async () => {
    const columns = [{ name: 'label', hash: true }]
    const query = "SELECT uuid, nullIf(event, 'first') AS label FROM events"
    const row = await createExport({ table_name: 'hashed', columns }, { hogql_query: query })
    expect(await verified(row, await written(row))).toMatchObject({ equal: true, rows_read: 1000 })
    const table = server.quote('hashed')
    const found = await server.query(`SELECT count(label) AS labels FROM ${table}`)
    expect(Number(found[0]?.['labels'])).toBe(999)
    const failing = await failure({
      ...row,
      hogql_query: 'SELECT uuid, lower(timestamp) AS label FROM events',
    })
    expect(failing.message).toContain('ILLEGAL_TYPE_OF_ARGUMENT')
    for (const pad of Object.values(hashPads(jobs.services.secrets, jobs.projectId)))
      expect(failing.message.toLowerCase()).not.toContain(pad.slice(0, 16))
  })

  test('says which column an export no longer has', async () => {
    const columns = [{ name: 'city', omit: true }]
    expect(await failure(await createExport({ table_name: 'unfit', columns }))).toEqual({
      permanent: true,
      message: 'The changed columns do not fit: The export has no column "city".',
    })
  })
})
