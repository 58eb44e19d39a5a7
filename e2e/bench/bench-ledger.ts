import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Compression } from '../../src/contract/destinations/destination.ts'
import { verifyWindow } from '../../src/service/exporter/verify/verify-window.ts'
import { fileChecksum } from '../../src/service/destinations/checksum.ts'
import type { Services } from '../../src/service/services.ts'
import type { BatchExportRow } from '../../src/service/store/runs/batch-exports.ts'
import { recordWindow, type WrittenWindow } from '../../src/service/store/windows/ledger.ts'
import { median, type Figure } from './bench-figure.ts'

/** An export's run of a million events, as the ledger records it. */
export type BenchedRun = WrittenWindow & { exportRow: BatchExportRow }
type RunExport = (compression: Compression | null) => Promise<BenchedRun>

const rounds = 3

/** Measures what the ledger costs an export, and how long reading a million events back takes. */
export async function ledgerFigures(
  services: Services,
  runExport: RunExport,
  removeFiles: () => Promise<void>,
): Promise<Figure[]> {
  const costs = async (compression: Compression | null) => {
    const measured: Cost[] = []
    for (let round = 0; round < rounds; round++) {
      measured.push(await ledgerCost(services, runExport, compression))
      await removeFiles()
    }
    return {
      share: median(measured.map(({ share }) => share)),
      overHash: median(measured.map(({ overHash }) => overHash)),
    }
  }
  const [compressed, uncompressed] = [await costs('zstd'), await costs(null)]
  const { wall: exporting, result: written } = await timesOf(() => runExport('zstd'))
  const times: Times[] = []
  for (let round = 0; round < rounds; round++) times.push(await readBackTimes(services, written))
  const processor = Math.round(median(times.map(({ cpu }) => cpu)))
  await removeFiles()
  return [
    {
      name: "the ledger without read-back, of the CPU time of an export in the form's default format",
      measured: compressed.share,
      bound: 12,
      unit: '%',
    },
    {
      // A share would compare two fixed times: a SHA-256 of 426 MB takes a fifth of the time in which the engine writes them.
      name: 'the ledger of an export to uncompressed Parquet, over a bare SHA-256 of as many bytes',
      measured: uncompressed.overHash,
      note: `${uncompressed.share.toFixed(1)} % of the CPU time of the export`,
      bound: 1.5,
      unit: '×',
    },
    {
      name: `reading back 1,000,000 events of Parquet with zstd, over their export`,
      measured: median(times.map(({ wall }) => wall)) / exporting,
      note: `${processor} ms of CPU time`,
      bound: 0.5,
      unit: '×',
    },
  ]
}

/** CPU time that the ledger adds, in percent of the export's, and over that of a SHA-256 of as many bytes in memory. */
type Cost = { share: number; overHash: number }

/**
 * Returns what the ledger adds to an export: the SHA-256 of the file and the entry. A run grows by less, since the file is
 * hashed while it is written.
 */
async function ledgerCost(
  { store, exportsFolder }: Services,
  runExport: RunExport,
  compression: Compression | null,
): Promise<Cost> {
  const exporting = await timesOf(() => runExport(compression))
  const [object] = exporting.result.objects
  const added = await timesOf(async () => {
    await fileChecksum(
      join(exportsFolder ?? '', String(exporting.result.exportRow.project_id), object?.key ?? ''),
    )
    await record(store, exporting.result)
  })
  const hashing = await timesOf(async () => hashInMemory(object?.bytes ?? 0))
  return { share: (100 * added.cpu) / exporting.cpu, overHash: added.cpu / hashing.cpu }
}

function hashInMemory(bytes: number): string {
  const chunk = Buffer.alloc(1024 ** 2)
  const hash = createHash('sha256')
  for (let hashed = 0; hashed < bytes; hashed += chunk.length) hash.update(chunk)
  return hash.digest('hex')
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

async function timesOf<Result>(work: () => Promise<Result>): Promise<Times & { result: Result }> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: performance.now() - started, cpu: (user + system) / 1000, result }
}
