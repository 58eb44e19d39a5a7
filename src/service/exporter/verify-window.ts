import { ledgerFlagsOf, ledgerStateOf, type ObjectsFound } from '../../contract/ledger.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/batch-exports.ts'
import type { LedgerRow, VerifiedWindow } from '../store/ledger.ts'
import { explainFailure } from './export-run.ts'
import { ExportError } from './export-error.ts'
import { memoryLimits, readSettings } from './file-content.ts'
import { openReader, type ObjectReader } from './read-objects.ts'
import { addSums, hashText, rowHash, sumRows } from './row-hash.ts'
import { countRows, runRows } from './run-rows.ts'

type VerifyServices = Pick<
  Services,
  'config' | 'clock' | 'store' | 'warehouse' | 'secrets' | 'hosts' | 'exportsFolder'
>

const nothingRead = { objects_found: null, rows_read: null, hash_read: null }

/**
 * Compares what a run wrote with what its destination contains now and with the rows of the source that the run took. A
 * failure is a result: the problem says why the destination could not be read. After `signal` nothing more is read; `mark`
 * stops a running statement.
 */
export async function verifyWindow(
  services: VerifyServices,
  exportRow: BatchExportRow,
  window: LedgerRow,
  { mark, signal }: { mark?: string; signal?: AbortSignal } = {},
): Promise<VerifiedWindow> {
  // The export may have been edited since: the run's own settings select its rows.
  const source = { ...exportRow, ...window.settings }
  const known = {
    rows_source: window.rows_source,
    hash_expected: window.hash_expected,
    late_rows: window.late_rows,
  }
  let reader: ObjectReader | null = null
  let objects_found: ObjectsFound | null = null
  try {
    reader = await openReader(services, exportRow, window)
    const { format, compression } = reader.destination
    const taken = await runRows(source, window, window.taken_until.getTime())
    const hash = await rowHash(
      services.warehouse,
      source,
      taken,
      { format, compression },
      services.config.workers,
    )
    // Checks the objects while the engine reads the source.
    const finding = findObjects(reader, window, signal)
    finding.catch(() => undefined)
    // The rows that a run took do not change, so their hash is computed once.
    if (known.hash_expected === null) {
      const sum = await sumRows(services.warehouse, hash.source, mark)
      known.rows_source = sum.rows
      known.hash_expected = hashText(sum)
    }
    known.late_rows = await lateRows(
      services,
      source,
      window,
      known.rows_source ?? window.rows_expected,
      mark,
    )
    objects_found = await finding
    if (objects_found === 'gone') return { ...known, ...nothingRead, objects_found, problem: null }
    const sums = []
    for (const { key } of window.objects.filter(({ holds }) => holds === 'rows')) {
      signal?.throwIfAborted()
      sums.push(
        await reader.read(key, (place) => {
          const { sql, params, settings } = hash.ofFile(place.tableFunction, place.arguments, place.params)
          return sumRows(
            services.warehouse,
            { sql, params, settings: { ...settings, ...place.settings } },
            mark,
          )
        }),
      )
    }
    const read = addSums(sums)
    return { ...known, objects_found, rows_read: read.rows, hash_read: hashText(read), problem: null }
  } catch (error) {
    const { message } = explainFailure(services, exportRow, signal?.aborted ? tookTooLong : error)
    const problem = message.replace(/^The export failed\./, 'The destination could not be read back.')
    // Changed objects often cannot be read.
    const finding = objects_found === null ? refutationOf(window) : { ...nothingRead, objects_found }
    return { ...known, ...finding, problem }
  } finally {
    reader?.close()
  }
}

/** Returns what the last verification found wrong, which counts until the objects are found again; otherwise nothing. */
function refutationOf(window: LedgerRow) {
  const entry = { ...window, verified: window.verified_at !== null }
  if (ledgerStateOf(entry, ledgerFlagsOf(entry, null)) !== 'refuted') return nothingRead
  const { objects_found, rows_read, hash_read } = window
  return { objects_found, rows_read, hash_read }
}

const tookTooLong = new ExportError(
  'Reading the window back took too long: the destination is slow, or the window has too many files.',
  true,
)

async function findObjects(
  reader: ObjectReader,
  { objects }: LedgerRow,
  signal: AbortSignal | undefined,
): Promise<ObjectsFound> {
  let result: ObjectsFound = 'intact'
  for (const { key, bytes, checksum } of objects) {
    signal?.throwIfAborted()
    const found = await reader.find(key)
    if (found === null) return 'gone'
    if (found.bytes !== bytes || found.checksum !== checksum) result = 'changed'
  }
  return result
}

/** Counts rows of a window by event time that arrived after its run. A window by arrival has none: they belong to a later one. */
async function lateRows(
  { warehouse, config, clock }: VerifyServices,
  source: BatchExportRow,
  window: LedgerRow,
  rowsTaken: number,
  mark: string | undefined,
): Promise<number> {
  if (window.selects_by === 'arrival') return 0
  const now = await runRows(source, window, clock.now())
  const [counted] = await warehouse.query<{ count: number }>(countRows(now.from), {
    params: now.params,
    settings: { ...readSettings, ...memoryLimits(config.workers) },
    lane: 'export',
    ...(mark !== undefined && { mark }),
  })
  return Math.max(0, Number(counted?.count ?? 0) - rowsTaken)
}
