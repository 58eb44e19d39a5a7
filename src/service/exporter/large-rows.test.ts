import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  closeTestExports,
  createFileExport,
  hour,
  jobs,
  openTestExports,
  runRow,
  start,
} from '../testing/test-exports.ts'
import { exportRun } from './export-run.ts'

const rows = 700
const interval = { data_interval_start: new Date(start), data_interval_end: new Date(start + hour) }

beforeAll(async () => {
  await openTestExports()
  await jobs.services.warehouse.command(
    `INSERT INTO events (team_id, uuid, event, properties, distinct_id, timestamp, created_at, inserted_at, elements_chain, person_id, person_properties)
     SELECT {team: Int64}, reinterpretAsUUID(number), 'large', concat('{"text":"', repeat(toString(number % 10), 100000), '"}'), 'someone', t, t, t, '', reinterpretAsUUID(number), '{}'
     FROM (SELECT number, fromUnixTimestamp64Milli({start: Int64}, 'UTC') AS t FROM numbers({rows: UInt64}))`,
    { params: { team: jobs.projectId, start, rows }, settings: { max_block_size: 100 } },
  )
})
afterAll(closeTestExports)

test.each([
  ['Parquet', null],
  ['Parquet', 'zstd'],
  ['JSONLines', 'gzip'],
] as const)(
  'rows of 100 kB fit in the memory of a worker, though all of them would not: %s, %s',
  async (file_format, compression) => {
    const engineMemory = 100_000_000 + 2 * 60_000_000
    const config = { ...jobs.services.config, workers: 2, exportThreads: 1, engineMemory }
    const row = await createFileExport({ path: `${file_format}-${compression}`, file_format, compression })
    const result = await exportRun({ ...jobs.services, config }, row, runRow(row, interval), {
      onProgress: () => undefined,
      signal: new AbortController().signal,
    })
    expect(result).toMatchObject({ records: rows, total: rows })
  },
)
