import { join } from 'node:path'
import type { Compression } from '../../src/contract/destinations/destination.ts'
import { verifyWindow } from '../../src/service/exporter/verify/verify-window.ts'
import { fileChecksum } from '../../src/service/destinations/checksum.ts'
import type { Services } from '../../src/service/services.ts'
import type { BatchExportRow } from '../../src/service/store/runs/batch-exports.ts'
import { recordWindow, type WrittenWindow } from '../../src/service/store/windows/ledger.ts'
import type { Figure } from './bench-figure.ts'

/** An export's run of a million events, as the ledger records it. */
export type BenchedRun = WrittenWindow & { exportRow: BatchExportRow }
type RunExport = (compression: Compression | null) => Promise<BenchedRun>

/** Odd, so that the median is one of the measurements. */
const rounds = 11

/** Measures what the ledger costs an export, and how long reading a million events back takes. */
export async function ledgerFigures(
  services: Services,
  runExport: RunExport,
  removeFiles: () => Promise<void>,
): Promise<Figure[]> {
  const shares = async (compression: Compression | null) => {
    const measured: number[] = []
    for (let round = 0; round < rounds; round++) {
      measured.push(await ledgerShare(services, runExport, compression))
      await removeFiles()
    }
    return median(measured)
  }
  const [compressed, uncompressed] = [await shares('zstd'), await shares(null)]
  const written = await runExport('zstd')
  const times: Times[] = []
  for (let round = 0; round < rounds; round++) times.push(await readBackTimes(services, written))
  const processor = Math.round(median(times.map(({ cpu }) => cpu)))
  await removeFiles()
  return [
    {
      name: "the ledger without read-back, of the CPU time of an export in the form's default format",
      measured: compressed,
      bound: 12,
      unit: '%',
    },
    {
      // The SHA-256 of a byte takes a fixed time, and writing uncompressed Parquet little more than seven times as long.
      name: 'the same of an export to uncompressed Parquet',
      measured: uncompressed,
      bound: 20,
      unit: '%',
    },
    {
      name: `reading back 1,000,000 events of Parquet with zstd (CPU time: ${processor} ms)`,
      measured: median(times.map(({ wall }) => wall)),
      bound: 1500,
      unit: 'ms',
    },
  ]
}

/**
 * Returns what the ledger adds to an export, in percent of its CPU time: the SHA-256 of the file and the entry.
 * A run grows by less, since the checksum is computed while the file is counted and flushed.
 */
async function ledgerShare(
  { store, exportsFolder }: Services,
  runExport: RunExport,
  compression: Compression | null,
): Promise<number> {
  let written: BenchedRun | null = null
  const exporting = await timesOf(async () => (written = await runExport(compression)))
  const added = await timesOf(async () => {
    if (!written) return
    await fileChecksum(join(exportsFolder ?? '', written.objects[0]?.key ?? ''))
    await record(store, written)
  })
  return (100 * added.cpu) / exporting.cpu
}

/** Returns the times of a window's first verification, which also hashes the rows of the source. */
async function readBackTimes(services: Services, written: BenchedRun): Promise<Times> {
  await record(services.store, written)
  const entry = await services.store
    .selectFrom('batch_export_ledger')
    .selectAll()
    .where('batch_export_id', '=', written.batch_export_id)
    .executeTakeFirstOrThrow()
  return await timesOf(async () => {
    const found = await verifyWindow(services, written.exportRow, entry)
    if (found.problem !== null || found.hash_read !== found.hash_expected)
      throw new Error(`not proven: ${JSON.stringify(found)}`)
  })
}

function record(store: Services['store'], written: BenchedRun): Promise<void> {
  return store.transaction().execute((transaction) => recordWindow(transaction, written))
}

/** Elapsed time and CPU time of all threads, with the engine's, in ms. */
type Times = { wall: number; cpu: number }

async function timesOf(work: () => Promise<unknown>): Promise<Times> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: performance.now() - started, cpu: (user + system) / 1000 }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(rounds - 1) / 2] ?? NaN
}
