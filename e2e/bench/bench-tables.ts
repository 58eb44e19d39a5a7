import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { runRows } from '../../src/service/warehouse/run-rows.ts'
import { selectTableRows, tableColumns } from '../../src/service/warehouse/table-rows.ts'
import { createBenchExport, openBench, resetPeak, timeOf } from './bench-engines.ts'
import { median } from './bench-figure.ts'
import type { BenchedRun } from './bench-ledger.ts'
import { insertEvents } from './exports/fill-events.ts'
import { peakResident } from './exports/peak-resident.ts'

/* Compares an export to a table with a COPY of the same text from a file, in a table of the same kind; prints figures as JSON. */

const rounds = 3
/** With 1,000,000, the ratio is the same, and the part takes three times as long. */
const events = 300_000

const { services, postgres, folder, projectId, close } = await openBench()
const { warehouse, secrets } = services
const text = join(folder, 'rows.tsv')
const { hostname: host, port, username: user, password, pathname, href } = new URL(postgres.url)
const client = new Client({ connectionString: href })

try {
  await client.connect()
  await insertEvents(services, projectId, events)
  const run = await createBenchExport(services, projectId, {
    destination_type: 'Postgres',
    destination_config: { host, port: Number(port), database: pathname.slice(1), table_name: 'loaded' },
    destination_secrets: secrets.seal(JSON.stringify({ user, password })),
  })
  await writeText(await run())
  await client.query('CREATE TABLE copied (LIKE loaded INCLUDING ALL)')
  await resetPeak(warehouse)
  const idle = await residentNow()
  const measured: { copy: number; first: number; repeat: number }[] = []
  for (let round = 0; round < rounds; round++) {
    await empty()
    const copy = await timeOf(() =>
      pipeline(createReadStream(text), client.query(from('COPY copied FROM STDIN'))),
    )
    await empty()
    const first = await timeOf(run)
    const repeat = await timeOf(run)
    measured.push({ copy, first, repeat })
  }
  const [copy, first, repeat] = [
    median(measured.map((times) => times.copy)),
    median(measured.map((times) => times.first / times.copy)),
    median(measured.map((times) => times.repeat / times.first)),
  ]
  const peak = await peakResident()
  console.log(
    JSON.stringify([
      {
        name: `${events.toLocaleString('en')} events to a PostgreSQL table, over COPY of the same text from a file`,
        measured: first,
        note: `COPY took ${Math.round(copy)} ms`,
        bound: 1.15,
        unit: '×',
      },
      { name: 'the same window again, over the first time', measured: repeat, bound: 1.3, unit: '×' },
      { name: 'peak resident memory, over that before', measured: peak - idle, bound: 200, unit: 'MB' },
    ]),
  )
} finally {
  await client.end()
  await close()
}

/** Writes the rows of a run as the text that the database receives. */
async function writeText({ exportRow, ...window }: BenchedRun): Promise<void> {
  const rows = await runRows(exportRow, window, window.taken_until.getTime())
  const select = selectTableRows(await tableColumns(warehouse, rows), rows.from, true)
  const options = { params: { ...rows.params, window: `${exportRow.id}:bench` }, lane: 'export' } as const
  const signal = new AbortController().signal
  await warehouse.stream(select, { ...options, format: 'TabSeparated', signal }, (chunks) =>
    pipeline(chunks, createWriteStream(text)),
  )
}

/** Empties both tables and writes the server's pages, so that no measurement includes another's work. */
async function empty(): Promise<void> {
  await client.query('TRUNCATE loaded, copied')
  await client.query('CHECKPOINT')
}

async function residentNow(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000
}
