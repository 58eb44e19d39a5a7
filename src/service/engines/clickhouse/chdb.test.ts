import { ClickHouseError } from '@clickhouse/client'
import fc from 'fast-check'
import { mkdir, mkdtemp, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openEmbeddedWarehouse } from './chdb.ts'
import type { Lane, Warehouse } from './clickhouse.ts'
import { StartupError } from '../../startup-error.ts'
import { testProcess } from '../../testing/servers/test-process.ts'

const limits = {
  workers: 2,
  engineThreads: 3,
  exportThreads: 1,
  engineMemory: 800_000_000,
  engineConnections: 3,
}
let folder: string
let warehouse: Warehouse

beforeAll(async () => {
  folder = await mkdtemp(join(inject('testFolder'), 'clickhouse-'))
  warehouse = await openEmbeddedWarehouse(folder, undefined, limits)
  await warehouse.command('CREATE TABLE plain (id Int64, text String) ENGINE = MergeTree ORDER BY id')
})
afterAll(() => warehouse.close())

const { signal } = new AbortController()
const slow = 'SELECT sleepEachRow(0.01) FROM numbers(3000)'
const settings = { max_block_size: 1 }

describe('statements', () => {
  test('receive any parameter value unchanged', async () => {
    const text = fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed())
    await fc.assert(
      fc.asyncProperty(text, fc.array(text), fc.integer(), async (one, many, number) => {
        const params = { one, many, number }
        const sql = 'SELECT {one: String} one, {many: Array(String)} many, {number: Int64} number'
        expect(await warehouse.query(sql, { params })).toEqual([params])
      }),
    )
  })

  test('receive values that are larger than a statement may usually be', async () => {
    const params = {
      one: "'".repeat(200_000),
      many: Array.from({ length: 10_000 }, (_, index) => `device-${index}'`),
    }
    const [row] = await warehouse.query(
      'SELECT length({one: String}) + length({one: String}) AS one, length({many: Array(String)}) AS many',
      { params },
    )
    expect(row).toEqual({ one: 400_000, many: 10_000 })
  })

  test('receive their own parameters when many run at once', async () => {
    const lanes: Lane[] = ['read', 'write', 'export']
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, id) =>
        warehouse.query('SELECT {id: Int64} id, {text: String} text', {
          params: { id, text: `'${id}\\` },
          lane: lanes[id % 3] ?? 'read',
        }),
      ),
    )
    expect(results).toEqual(Array.from({ length: 300 }, (_, id) => [{ id, text: `'${id}\\` }]))
  })

  test('never receive the parameter of an earlier statement', async () => {
    await warehouse.query('SELECT {team: Int64} team', { params: { team: 1 } })
    await expect(warehouse.query('SELECT {team: Int64} team')).rejects.toThrow(/"team" .* has no value/)
    expect(await warehouse.query(`SELECT '{team: Int64}' text`)).toEqual([{ text: '{team: Int64}' }])
  })

  test('do not leak their settings to later statements', async () => {
    const sql = `SELECT getSetting('max_block_size') size, getSetting('s3_max_redirects') redirects`
    const before = await warehouse.query(sql)
    const settings = { max_block_size: 123, s3_max_redirects: 7 }
    expect(await warehouse.query(sql, { settings, mark: 'm' })).toEqual([{ size: 123, redirects: 7 }])
    await warehouse.query('SELECT nothing', { settings }).catch(() => undefined)
    // Enough statements at once to use every connection of the lane.
    const after = await Promise.all(Array.from({ length: 6 }, () => warehouse.query(sql)))
    expect(after).toEqual(Array.from({ length: 6 }, () => before))
  })

  test('that write a file apply its format settings, at the marker or at the end', async () => {
    const path = join(folder, 'numbers.parquet')
    const settings = { output_format_parquet_row_group_size: 1000, engine_file_truncate_on_insert: true }
    for (const sql of [
      `INSERT INTO FUNCTION file({path: String}, Parquet) SELECT number FROM numbers(5000)`,
      `INSERT INTO FUNCTION file({path: String}, Parquet) /*settings*/ SELECT number FROM numbers(5000)`,
    ]) {
      await warehouse.command(sql, { params: { path }, settings, lane: 'export', mark: 'file' })
      const read = 'SELECT num_row_groups groups, num_rows rows FROM file({path: String}, ParquetMetadata)'
      expect(await warehouse.query(read, { params: { path } })).toEqual([{ groups: 5, rows: 5000 }])
    }
  })

  test('fail with the code and type that a ClickHouse server reports', async () => {
    const failure = await warehouse.query('SELECT * FROM missing').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ClickHouseError)
    expect(failure).toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' })
    await expect(warehouse.insert('plain', '{"id": "x"}')).rejects.toMatchObject({
      type: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
    })
    await warehouse.query('SELECT 1')
  })

  test('wait only for statements of the same lane', async () => {
    const running = [1, 2].map((number) =>
      warehouse.query(slow, { mark: `busy-${number}`, settings, lane: 'trial' }),
    )
    const ended = Promise.allSettled(running)
    let isWaiting = true
    const waiting = warehouse.query('SELECT 1', { lane: 'trial' }).then(() => (isWaiting = false))
    await warehouse.query('SELECT 1')
    await warehouse.insert('plain', '{"id": 1}')
    expect(isWaiting).toBe(true)
    await Promise.all(['busy-1', 'busy-2'].map((mark) => stop(mark)))
    expect((await ended).map((result) => result.status)).toEqual(['rejected', 'rejected'])
    await waiting
  })
})

describe('a marked statement', () => {
  test('reports its progress, and stops when it is killed', async () => {
    const statement = warehouse.query(slow, { mark: 'run:1', settings, lane: 'export' })
    const failure = statement.catch((error: unknown) => error)
    await vi.waitFor(async () => {
      const progress = await warehouse.progress('run:1')
      expect(progress?.totalRows).toBe(3000)
      expect(progress?.readRows).toBeGreaterThan(0)
    })
    expect(await warehouse.progress('run:2')).toBeNull()
    await warehouse.kill('run:2')
    await stop('run:1')
    expect(await failure).toMatchObject({ code: '394', type: 'QUERY_WAS_CANCELLED' })
    expect(await warehouse.progress('run:1')).toBeNull()
  })

  test('stops when the reader of its rows fails, even if it would never make another chunk', async () => {
    const endless = 'SELECT number FROM system.numbers WHERE number < 65000 OR cityHash64(number) = 0'
    const options = { mark: 'run:3', lane: 'export', format: 'TabSeparated', signal } as const
    const failure = warehouse.stream(endless, options, async (chunks) => {
      for await (const chunk of chunks) throw new Error(`the reader failed at ${chunk.length > 0}`)
    })
    await expect(failure).rejects.toThrow('the reader failed at true')
    await vi.waitFor(async () => expect(await warehouse.progress('run:3')).toBeNull())
  })

  test('is found even if its text contains secrets', async () => {
    const sql = `INSERT INTO FUNCTION s3('http://127.0.0.1:1/bucket/key', 'key', 'secret', 'CSV', 'x UInt8') ${slow}`
    const failure = warehouse
      .command(sql, { mark: 'secret', settings, lane: 'export' })
      .catch((error: unknown) => error)
    await vi.waitFor(async () => expect(await warehouse.progress('secret')).not.toBeNull())
    await stop('secret')
    expect(await failure).toBeInstanceOf(ClickHouseError)
  })
})

describe('rows', () => {
  test('are inserted unchanged, and an empty body inserts none', async () => {
    await warehouse.command(
      'CREATE TABLE exact (id Int64, text String, time DateTime64(6)) ENGINE = MergeTree ORDER BY id',
    )
    const rows = [
      { id: 1, text: `'; DROP TABLE exact; {x: String}`, time: '2026-01-02T03:04:05.123456Z' },
      { id: 2, text: 'ü 🎈 \n \\n \u0000', time: '2026-01-02 03:04:05' },
    ]
    await warehouse.insert('exact', rows.map((row) => JSON.stringify(row)).join('\n'))
    await warehouse.insert('exact', '\n')
    expect(await warehouse.query('SELECT * FROM exact ORDER BY id')).toEqual([
      { ...rows[0], time: '2026-01-02 03:04:05.123456' },
      { ...rows[1], time: '2026-01-02 03:04:05.000000' },
    ])
  })

  test('are on disk before an insert is acknowledged, and survive kill -9', async () => {
    const path = join(folder, 'killed')
    await mkdir(path)
    const writer = testProcess(
      import.meta.url,
      `
      import { openEmbeddedWarehouse } from './chdb.ts'
      const warehouse = await openEmbeddedWarehouse(${JSON.stringify(path)})
      await warehouse.command('CREATE TABLE IF NOT EXISTS acknowledged (id Int64) ENGINE = MergeTree ORDER BY id')
      for (let id = 0; ; id++) {
        await warehouse.insert('acknowledged', JSON.stringify({ id }))
        console.log(id)
      }
    `,
    )
    let last = 0
    while (last < 20) last = Number(await writer.line())
    await writer.kill()
    const reader = testProcess(
      import.meta.url,
      `
      import { openEmbeddedWarehouse } from './chdb.ts'
      const warehouse = await openEmbeddedWarehouse(${JSON.stringify(path)})
      const [{ rows }] = await warehouse.query('SELECT uniqExact(id) rows FROM acknowledged WHERE id <= ${last}')
      console.log(rows)
      await warehouse.close()
    `,
    )
    expect(Number(await reader.line())).toBe(last + 1)
    const settings = await warehouse.query(
      `SELECT name, value FROM system.merge_tree_settings WHERE name IN ('fsync_after_insert', 'fsync_part_directory', 'min_rows_to_fsync_after_merge') ORDER BY name`,
    )
    expect(settings).toEqual([
      { name: 'fsync_after_insert', value: '1' },
      { name: 'fsync_part_directory', value: '1' },
      { name: 'min_rows_to_fsync_after_merge', value: '1' },
    ])
  })
})

describe('the embedded ClickHouse', () => {
  test('uses the configured threads, memory and connections', async () => {
    const sql = `SELECT getSetting('max_threads') AS threads, value AS memory
      FROM system.server_settings WHERE name = 'max_server_memory_usage'`
    expect(await warehouse.query(sql)).toEqual([{ threads: 3, memory: '800000000' }])
    const running = [1, 2].map((number) => warehouse.query(slow, { mark: `page-${number}`, settings }))
    const ended = Promise.allSettled(running)
    expect(await warehouse.query('SELECT 1 AS third')).toEqual([{ third: 1 }])
    await Promise.all(['page-1', 'page-2'].map((mark) => stop(mark)))
    expect((await ended).map((result) => result.status)).toEqual(['rejected', 'rejected'])
  })

  test('makes its folder readable by the owner only, and limits its memory', async () => {
    expect((await stat(join(folder, 'clickhouse'))).mode & 0o777).toBe(0o700)
    expect(await readFile(join(folder, 'clickhouse.xml'), 'utf8')).toContain('<max_server_memory_usage>')
    const huge = 'SELECT groupArray(repeat(toString(number), 1000)) FROM numbers(10000000)'
    await expect(warehouse.query(huge)).rejects.toMatchObject({ type: 'MEMORY_LIMIT_EXCEEDED' })
  })

  test('rejects a second process with a one-sentence error', async () => {
    const second = testProcess(
      import.meta.url,
      `
      import { openEmbeddedWarehouse } from './chdb.ts'
      await openEmbeddedWarehouse(${JSON.stringify(folder)}).catch((error) => console.log(error.name, error.message))
    `,
    )
    const message = await second.line()
    expect(message).toMatch(
      new RegExp(`^${StartupError.name} The embedded ClickHouse cannot open .*another process.*\\.$`),
    )
    await warehouse.query('SELECT 1')
  })
})

/** Repeats the kill until the statement has ended: a kill before the statement starts has no effect. */
async function stop(mark: string): Promise<void> {
  await vi.waitFor(async () => {
    await warehouse.kill(mark)
    expect(await warehouse.progress(mark)).toBeNull()
  })
}
