import { randomUUID } from 'node:crypto'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import {
  ledgerFlagsOf,
  ledgerStateOf,
  sentOnly,
  type LedgerObject,
  type ObjectsFound,
} from '../../../contract/runs/ledger.ts'
import { untilAborted } from '../../engines/until-aborted.ts'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { unverified, type LedgerRow, type VerifiedWindow } from '../../store/windows/ledger.ts'
import { explainFailure } from '../explain-failure.ts'
import { ExportError } from '../../problems/export-error.ts'
import { readOptions } from '../../destinations/file-content.ts'
import type { FoundObject, ObjectReader } from '../../destinations/file-store.ts'
import { openReader, openRecorded } from '../../destinations/read-objects.ts'
import { addSums, hashText, rowHash, sumRows } from './row-hash.ts'
import { verifyTable } from './verify-table.ts'
import { countRows, runRows } from '../../warehouse/run-rows.ts'

type VerifyServices = Pick<
  Services,
  'config' | 'clock' | 'store' | 'warehouse' | 'secrets' | 'hosts' | 'exportsFolder'
>

const nothingRead = { objects_found: null, rows_read: null, hash_read: null }

/**
 * Compares what a run wrote with what its destination contains now and with the rows of the source that the run took. A
 * failure is a result: the problem says why the destination could not be read. After `signal` nothing more is read.
 */
export async function verifyWindow(
  services: VerifyServices,
  exportRow: BatchExportRow,
  window: LedgerRow,
  signal = new AbortController().signal,
): Promise<VerifiedWindow> {
  const sent = { ...unverified, objects: window.objects, problem: sentOnly }
  if (destinationKinds[window.settings.destination_type].holds === 'requests') return sent
  const { warehouse, config } = services
  const mark = `verify:${randomUUID()}`
  const stop = () => void warehouse.kill(mark).catch(() => undefined)
  signal.addEventListener('abort', stop)
  // The export may have been edited since: the run's own settings select its rows.
  const source = { ...exportRow, ...window.settings }
  const known = {
    rows_source: window.rows_source,
    hash_expected: window.hash_expected,
    late_rows: window.late_rows,
  }
  let reader: ObjectReader | null = null
  let findings: Findings | null = null
  try {
    const destination = await openRecorded(services, exportRow, window)
    const taken = await runRows(source, window, window.taken_until.getTime())
    if (destination.holds === 'table') {
      const late_rows = await lateRows(services, source, window, window.rows_expected, mark)
      const verifying = verifyTable(services, { destination, source, window, taken, mark }, signal)
      const found = await untilAborted(verifying, signal)
      return { ...found, late_rows, objects: [], problem: null }
    }
    if (destination.holds === 'requests') return sent
    reader = await openReader(services, destination, exportRow.project_id)
    const hash = await rowHash(warehouse, source, taken, destination, config)
    // Checks the objects while the engine reads the source.
    const finding = findObjects(reader, window, signal)
    finding.catch(() => undefined)
    // The rows that a run took do not change, so their hash is computed once.
    if (known.hash_expected === null) {
      const sum = await sumRows(warehouse, hash.source, mark)
      known.rows_source = sum.rows
      known.hash_expected = hashText(sum)
    }
    const rowsTaken = known.rows_source ?? window.rows_expected
    known.late_rows = await lateRows(services, source, window, rowsTaken, mark)
    findings = await untilAborted(finding, signal)
    if (findings.objects_found === 'gone') return { ...known, ...nothingRead, ...findings, problem: null }
    const sums = []
    for (const { key } of window.objects.filter(({ holds }) => holds === 'rows')) {
      signal.throwIfAborted()
      const reading = reader.read(key, (place) => sumRows(warehouse, hash.ofFile(place), mark))
      sums.push(await untilAborted(reading, signal))
    }
    const read = addSums(sums)
    return { ...known, ...findings, rows_read: read.rows, hash_read: hashText(read), problem: null }
  } catch (error) {
    const { message } = await explainFailure(services, exportRow, signal.aborted ? tookTooLong : error)
    const problem = message.replace(/^The export failed\./, 'The destination could not be read back.')
    // Changed objects often cannot be read.
    const found = findings
      ? { ...nothingRead, ...findings }
      : { ...refutationOf(window), objects: window.objects }
    return { ...known, ...found, problem }
  } finally {
    signal.removeEventListener('abort', stop)
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

type Findings = Pick<VerifiedWindow, 'objects'> & { objects_found: ObjectsFound }

/** Compares the bytes of all objects with those that were written, and records the SHA-256 of those that have none yet. */
async function findObjects(
  reader: ObjectReader,
  { objects: written }: LedgerRow,
  signal: AbortSignal,
): Promise<Findings> {
  let objects_found: ObjectsFound = 'intact'
  const objects: LedgerObject[] = []
  for (const object of written) {
    signal.throwIfAborted()
    const found = await reader.find(object, signal)
    if (found === null) return { objects_found: 'gone', objects: written }
    const isIntact = found.bytes === object.bytes && hasSameBytes(object, found)
    if (!isIntact) objects_found = 'changed'
    const isFirst = object.checksum_read === undefined && found.sha256 !== object.checksum
    objects.push(isIntact && isFirst && found.sha256 ? { ...object, checksum_read: found.sha256 } : object)
  }
  const hasNew = objects.some((object, index) => object !== written[index])
  return { objects_found, objects: hasNew ? objects : written }
}

function hasSameBytes({ checksum, checksum_read }: LedgerObject, found: FoundObject): boolean {
  if (checksum_read !== undefined) return found.sha256 === checksum_read
  // Earlier versions recorded an ETag without its name.
  return found.checksum === checksum || found.checksum === `etag:${checksum}`
}

/** Counts rows of a window by event time that arrived after its run. A window by arrival has none: they belong to a later one. */
async function lateRows(
  { warehouse, config, clock }: VerifyServices,
  source: BatchExportRow,
  window: LedgerRow,
  rowsTaken: number,
  mark: string,
): Promise<number> {
  if (window.selects_by === 'arrival') return 0
  const now = await runRows(source, window, clock.now())
  const rows = await countRows(warehouse, now.from, readOptions(config, now.params, mark))
  return Math.max(0, rows - rowsTaken)
}
