import { ClickHouseError } from '@clickhouse/client'
import fc from 'fast-check'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'
import type { Warehouse } from './clickhouse.ts'
import { openRemoteWarehouse } from './clickhouse-server.ts'
import { openWarehouse } from './open-warehouse.ts'
import { StartupError } from '../../startup-error.ts'
import { startTestClickhouseServer } from '../../testing/servers/test-clickhouse-server.ts'

let folder: string
let server: Awaited<ReturnType<typeof startTestClickhouseServer>>
let warehouse: Warehouse
const open = (url: string) => openWarehouse(readConfig({ CLICKHOUSE_URL: url }), null)

beforeAll(async () => {
  folder = await mkdtemp(join(inject('testFolder'), 'server-'))
  server = await startTestClickhouseServer(folder)
  warehouse = await open(server.url)
})
afterAll(async () => {
  await warehouse.close()
  await server.stop()
})

describe('a ClickHouse server', () => {
  test('receives any parameter value unchanged', async () => {
    const text = fc
      .string({ unit: 'binary' })
      .filter((value) => value.isWellFormed() && !/[\0\b\f]/.test(value))
    await fc.assert(
      fc.asyncProperty(text, fc.array(text), fc.integer(), async (one, many, number) => {
        const params = { one, many, number }
        const sql = 'SELECT {one: String} one, {many: Array(String)} many, {number: Int64} number'
        expect(await warehouse.query(sql, { params })).toEqual([params])
      }),
      { numRuns: 30 },
    )
  })

  test('applies settings to one statement, and ignores the settings marker', async () => {
    const path = join(folder, 'numbers.parquet')
    await warehouse.command(
      'INSERT INTO FUNCTION file({path: String}, Parquet) /*settings*/ SELECT number FROM numbers(5000)',
      {
        params: { path },
        settings: { output_format_parquet_row_group_size: 1000 },
        lane: 'export',
        mark: 'file',
      },
    )
    const read = 'SELECT num_row_groups groups, num_rows rows FROM file({path: String}, ParquetMetadata)'
    expect(await warehouse.query(read, { params: { path } })).toEqual([{ groups: 5, rows: 5000 }])
  })

  test('reports a failure at any stage of a statement', async () => {
    const failing = `INSERT INTO FUNCTION null('n UInt64') SELECT throwIf(number = 5, 'five') FROM numbers(10)`
    for (const lane of ['write', 'export'] as const) {
      const failure = await warehouse.command(failing, { lane }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ClickHouseError)
      expect(failure).toMatchObject({ type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO' })
    }
  })

  test('stores rows with any ISO time, and an empty body stores none', async () => {
    await warehouse.command('CREATE TABLE rows (id Int64, time DateTime64(6)) ENGINE = MergeTree ORDER BY id')
    await warehouse.insert('rows', '{"id": 1, "time": "2026-01-02T03:04:05.123456Z"}\n{"id": 2}')
    await warehouse.insert('rows', '\n')
    expect(await warehouse.query('SELECT * FROM rows ORDER BY id')).toEqual([
      { id: 1, time: '2026-01-02 03:04:05.123456' },
      { id: 2, time: '1970-01-01 00:00:00.000000' },
    ])
  })

  test('drops tables of received rows that a killed process has left', async () => {
    const [old, recent] = [2, 0.5].map((days) => `spool_received_${Date.now() - days * 86_400_000}_x`)
    for (const name of [old, recent, 'spool_received'])
      await warehouse.command(`CREATE TABLE ${name} (id Int64) ENGINE = MergeTree ORDER BY id`)
    await (await open(server.url)).close()
    const left = await warehouse.query(
      "SELECT name FROM system.tables WHERE startsWith(name, 'spool_received') ORDER BY name",
    )
    expect(left).toEqual([{ name: 'spool_received' }, { name: recent }])
  })

  test('reports the progress of a marked statement, and stops it', async () => {
    const failure = warehouse
      .query('SELECT sleepEachRow(0.01) FROM numbers(3000)', {
        mark: 'run:1',
        settings: { max_block_size: 1 },
      })
      .catch((error: unknown) => error)
    await vi.waitFor(async () => expect((await warehouse.progress('run:1'))?.totalRows).toBe(3000))
    expect(await warehouse.progress('run:2')).toBeNull()
    await warehouse.kill('run:1')
    expect(await failure).toBeInstanceOf(ClickHouseError)
    expect(await failure).toMatchObject({ code: '394', type: 'QUERY_WAS_CANCELLED' })
    await warehouse.query('SELECT 1')
  })
})

describe('CLICKHOUSE_URL', () => {
  test('without a server fails with a one-sentence error', async () => {
    await expect(open('http://u:secret@127.0.0.1:1/d')).rejects.toThrow(
      /^ClickHouse at 127.0.0.1:1 \(CLICKHOUSE_URL\) cannot be used: connect ECONNREFUSED 127.0.0.1:1\.$/,
    )
  })

  test('of a server that never responds fails at the time limit with a one-sentence error', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const failure = await openRemoteWarehouse(`http://127.0.0.1:${port}`, 2, 200).catch(
      (error: unknown) => error,
    )
    expect(failure).toEqual(
      new StartupError(`ClickHouse at 127.0.0.1:${port} (CLICKHOUSE_URL) cannot be used: Timeout error.`),
    )
    silent.close()
  })
})
