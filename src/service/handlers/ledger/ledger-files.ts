import { Readable } from 'node:stream'
import { formatInstant } from '../../../contract/instant.ts'
import { countHashes, type LedgerWindow } from '../../../contract/runs/ledger.ts'
import { receiptKey, signReceipt } from '../../exporter/verify/receipt.ts'
import { invalidInput } from '../../problems/api-error.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { countObjects } from '../../store/windows/ledger.ts'
import { windowLedger } from '../../store/windows/window-ledger.ts'
import type { Handler } from '../handler.ts'
import {
  boundsOf,
  listedWindows,
  periodOf,
  placeOf,
  shownPeriod,
  showWindows,
  totalsOf,
} from './show-ledger.ts'

/** Windows whose objects are in memory at once, and objects of a receipt, which is in memory as a whole. */
const batchSize = 20
const receiptObjectsMax = 50_000
/** More objects than a run writes. */
const allObjects = 2 ** 31 - 1

export const downloadLedger: Handler<'downloadLedger'> = async ({ services, batchExport, query }) => {
  const period = periodOf(services, batchExport, query)
  const windows = listedWindows(await windowLedger(services.store, batchExport, period, services.clock.now()))
  async function* lines() {
    yield `${Object.keys(columns).join(',')}\r\n`
    for (let from = 0; from < windows.length; from += batchSize) {
      const shown = await showWindows(
        services,
        batchExport,
        windows.slice(from, from + batchSize),
        allObjects,
      )
      yield shown.map(lineOf).join('')
    }
  }
  return Readable.from(lines())
}

const columns: Record<string, (window: LedgerWindow) => string | number | null | undefined> = {
  start: ({ start }) => start,
  end: ({ end }) => end,
  state: ({ state }) => state,
  flags: ({ flags }) => flags.join(' '),
  rows_usual: ({ rows_usual }) => rows_usual,
  rows_expected: ({ entry }) => entry?.rows_expected,
  rows_written: ({ entry }) => entry?.rows_written,
  rows_read: ({ entry }) => entry?.rows_read,
  hash_expected: ({ entry }) => entry?.hash_expected,
  hash_read: ({ entry }) => entry?.hash_read,
  late_rows: ({ entry }) => entry?.late_rows,
  bytes: ({ entry }) => entry?.bytes,
  destination: ({ entry }) => entry?.destination,
  objects: ({ entry }) => entry?.objects.map(({ key }) => key).join('\n'),
  checksums: ({ entry }) => entry?.objects.map(({ checksum }) => checksum).join('\n'),
  checksums_read: ({ entry }) => entry?.objects.map((object) => object.checksum_read ?? '').join('\n'),
  written_at: ({ entry }) => entry?.written_at,
  verified_at: ({ entry }) => entry?.verified_at,
  problem: ({ entry }) => entry?.problem,
}

function lineOf(window: LedgerWindow): string {
  const fields = Object.values(columns).map((valueOf) => fieldOf(String(valueOf(window) ?? '')))
  return `${fields.join(',')}\r\n`
}

function fieldOf(text: string): string {
  // A spreadsheet would evaluate a text that starts like a formula.
  const plain = /^[=+@\t\r-]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

export const receiptOfLedger: Handler<'receiptOfLedger'> = async ({ services, batchExport, query }) => {
  const { store, clock, secrets } = services
  const period = periodOf(services, batchExport, query)
  const windows = listedWindows(await windowLedger(store, batchExport, period, clock.now()))
  const objects = await countObjects(store, batchExport.id, boundsOf(windows))
  if (objects > receiptObjectsMax)
    throw invalidInput(
      `The runs of this period wrote ${objects} objects; a receipt has at most ${receiptObjectsMax}. Move 'start' and 'end' closer together.`,
      ['start'],
    )
  const shown = await showWindows(services, batchExport, windows, allObjects)
  return signReceipt(secrets, {
    version: 1,
    project: batchExport.project_id,
    export: { id: batchExport.id, name: batchExport.name, destination: destinationsOf(shown, batchExport) },
    ...shownPeriod(period),
    issued_at: formatInstant(clock.now()),
    totals: totalsOf(windows),
    hashes: countHashes(shown.flatMap(({ entry }) => entry?.objects ?? [])),
    windows: shown,
  })
}

export const getReceiptKey: Handler<'getReceiptKey'> = async ({ services }) => ({
  algorithm: 'Ed25519',
  public_key: receiptKey(services.secrets),
})

/** Returns the destinations to which the windows were written, or the current one if none was. */
function destinationsOf(windows: readonly LedgerWindow[], batchExport: BatchExportRow): string {
  const written = new Set(windows.flatMap(({ entry }) => entry?.destination ?? []))
  return written.size === 0 ? placeOf(batchExport) : [...written].join(', ')
}
