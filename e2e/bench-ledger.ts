import { join } from 'node:path'
import type { Compression } from '../src/contract/destination.ts'
import { verifyWindow } from '../src/service/exporter/verify-window.ts'
import { fileChecksum } from '../src/service/exporter/write-folder.ts'
import type { Services } from '../src/service/services.ts'
import type { BatchExportRow } from '../src/service/store/batch-exports.ts'
import { recordWindow, type WrittenWindow } from '../src/service/store/ledger.ts'
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
  const shares: number[] = []
  for (let round = 0; round < rounds; round++) {
    shares.push(await ledgerShare(services, runExport))
    await removeFiles()
  }
  const written = await runExport('zstd')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await readBackTime(services, written))
  await removeFiles()
  return [
    {
      name: 'the ledger without read-back, of the time of an export',
      measured: median(shares),
      bound: 10,
      unit: '%',
    },
    {
      name: 'reading back 1,000,000 events of Parquet with zstd',
      measured: median(times),
      bound: 1500,
      unit: 'ms',
    },
  ]
}

/**
 * Returns what the ledger adds to an export, in percent of its time: the file's checksum and the entry. An export computes the
 * checksum while it counts and flushes the file, so the real share is smaller.
 */
async function ledgerShare({ store, exportsFolder }: Services, runExport: RunExport): Promise<number> {
  let written: BenchedRun | null = null
  const exporting = await timeOf(async () => (written = await runExport(null)))
  const added = await timeOf(async () => {
    if (!written) return
    await fileChecksum(join(exportsFolder ?? '', written.objects[0]?.key ?? ''))
    await record(store, written)
  })
  return (100 * added) / exporting
}

/** Returns the time (ms) of a window's first verification, which also hashes the rows of the source. */
async function readBackTime(services: Services, written: BenchedRun): Promise<number> {
  await record(services.store, written)
  const entry = await services.store
    .selectFrom('batch_export_ledger')
    .selectAll()
    .where('batch_export_id', '=', written.batch_export_id)
    .executeTakeFirstOrThrow()
  return await timeOf(async () => {
    const found = await verifyWindow(services, written.exportRow, entry)
    if (found.problem !== null || found.hash_read !== found.hash_expected)
      throw new Error(`not proven: ${JSON.stringify(found)}`)
  })
}

function record(store: Services['store'], written: BenchedRun): Promise<void> {
  return store.transaction().execute((transaction) => recordWindow(transaction, written))
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(rounds - 1) / 2] ?? NaN
}
